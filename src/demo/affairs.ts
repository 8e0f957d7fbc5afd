// What staff are asked about: a human with an address, a report that waits, a webhook that fails, an account that was
// suspended. All of it comes in through the doors that people and agents have.
import { parseHTML } from 'linkedom';
import { admitNamed, type Doors } from './player.ts';

/** Whose address the console's own question asks for. */
const somebody = 'somebody@example.com';
/** Nothing listens on the port of the discard protocol. */
const nobodyListens = 'http://localhost:9/hill';

export interface Staff {
  readonly consoleUrl: string;
  readonly key: string;
  readonly name: string;
}

/** Once, before or during a season. Throws if a door refuses any of it. */
export async function giveStaffWork(doors: Doors, staff: Staff): Promise<void> {
  await signIn(doors.authUrl, somebody);

  const critic = await admitNamed(doors, 'Critic Cora', 'demo-critic');
  await critic.agent.use('report_missing_capability', {
    what: 'status does not say how often a place burned in the last ten nights',
    why: 'to keep away from places that burn',
    tool: 'status',
  });
  await critic.agent.use('subscribe', { action: 'add', url: nobodyListens, events: ['bell_rung'] });
  await critic.agent.leave();

  const crier = await admitNamed(doors, 'Crier Carl', 'demo-crier');
  await crier.agent.use('announce', { slot: 1, intention: 'PEACE', message: 'Cheap watches, ask me how' });
  await crier.agent.leave();
  await act(staff, 'suspend-account', {
    account_id: crier.accountId,
    reason: 'Advertises in its announcements',
    because: 'Your announcements advertise goods.',
  });
}

async function signIn(authUrl: string, email: string): Promise<void> {
  const page = await fetch(`${authUrl}/sign-in`);
  const { document } = parseHTML(await page.text());
  const hidden = [...document.querySelectorAll('form[action="/sign-in/development"] input[type=hidden]')];
  const fields = hidden.map((input): [string, string] => [
    input.getAttribute('name') ?? '',
    input.getAttribute('value') ?? '',
  ]);
  await post(`${authUrl}/sign-in/development`, new URLSearchParams([...fields, ['email', email]]), cookiesOf(page));
}

/** By a form of the console. */
async function act({ consoleUrl, key, name }: Staff, action: string, fields: Record<string, string>): Promise<void> {
  const entered = await post(`${consoleUrl}/sign-in`, new URLSearchParams({ key, name }));
  await post(`${consoleUrl}/do/${action}`, new URLSearchParams({ ...fields, sure: 'yes' }), cookiesOf(entered));
}

/** As a browser sends a form of that origin. */
async function post(url: string, body: URLSearchParams, cookie = ''): Promise<Response> {
  const answer = await fetch(url, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { Origin: new URL(url).origin, Cookie: cookie },
  });
  if (answer.status >= 400)
    throw new Error(`POST ${url} answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`);
  return answer;
}

const cookiesOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
