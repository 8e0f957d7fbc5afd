// The human of a client: has an account with credits, opens what a client asks to be opened, types codes, cuts an agent
// off.
import { throughConsent } from '../doors/consent.ts';
import { Visitor } from '../doors/visitor.ts';
import { type Hill, topUp } from '../hill/index.ts';
import { signIn } from '../hill/sign-in.ts';

export class Human {
  /** How often a client needed this human. */
  asked = 0;
  readonly email: string;

  constructor(name: string) {
    this.email = `human.${name.replaceAll(/\W+/g, '-')}.of@example.com`;
  }

  async fund(hill: Hill, cents: number): Promise<void> {
    const { account_id: id } = await signIn(hill.as('web'), { subject: this.email, email: this.email });
    await topUp(hill, { id }, cents);
  }

  /** Signs in, reads the consent page, approves: where the browser is sent then. */
  async open(url: URL): Promise<URL> {
    this.asked += 1;
    return throughConsent(url, this.email);
  }

  /** Opens the claim page that an agent named, and types its code there. */
  async claim(page: string, user_code: string): Promise<void> {
    this.asked += 1;
    const visitor = await this.#signedIn(new URL(page).origin);
    expectRedirect(await visitor.send(await visitor.go(page), '/claim', { user_code, decision: 'approve' }));
  }

  /** On the account page, the agent that plays. */
  async cutAgent(baseUrl: string): Promise<void> {
    const visitor = await this.#signedIn(baseUrl);
    expectRedirect(await visitor.send(await visitor.go(`${baseUrl}/account`), '/account/cut'));
  }

  async #signedIn(baseUrl: string): Promise<Visitor> {
    const visitor = new Visitor();
    await visitor.send(await visitor.go(`${baseUrl}/sign-in`), '/sign-in/development', { email: this.email });
    return visitor;
  }
}

function expectRedirect({ status }: Response): void {
  if (status !== 303) throw new Error(`The form was answered with ${status}.`);
}
