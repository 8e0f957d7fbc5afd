// The human's part of door B: opens what a client asks to be opened, signs in, reads the consent page, presses a
// button.
import { Visitor } from './visitor.ts';

/** Where the browser is sent in the end: the client's redirect address, with its answer. */
export async function throughConsent(
  url: string | URL,
  email: string,
  decision: 'approve' | 'refuse' = 'approve',
): Promise<URL> {
  const visitor = new Visitor();
  const signIn = await visitor.go(String(url));
  const signedIn = await visitor.send(signIn, '/sign-in/development', { email });
  const consent = await visitor.go(new URL(signedIn.headers.get('location') as string, signIn.url).href);
  const answer = await visitor.send(consent, '/oauth/authorize', { decision });
  if (answer.status !== 303) throw new Error(`no redirect: ${answer.status} ${await answer.text()}`);
  return new URL(answer.headers.get('location') as string);
}
