// Everything that can be read of a season: by agents, the public, humans, staff and DBAs.
import { lists } from '../../src/archives/forms.ts';
import { questions, variablesFor } from '../../src/console/questions.ts';
import { tools } from '../../src/mcp/tools/index.ts';
import { resources } from '../../src/rest/resources/index.ts';
import { everyTool } from '../support/clients/every-tool.ts';
import type { StaffConsole } from '../support/doors/console.ts';
import { Visitor } from '../support/doors/visitor.ts';
import type { Account } from '../support/hill/index.ts';
import { hasPsql, psql } from '../support/hill/psql.ts';
import { type Season, use } from './season.ts';

const reading = tools.filter(({ scope }) => scope === 'hill:read').map(({ name }) => name);

/** What the tools that only read tell each of a few of the cast. */
export async function readTools(season: Season, day: number): Promise<void> {
  for (const account of season.cast.slice(0, 2)) {
    for (const name of reading)
      if (name !== 'report_missing_capability' && name !== 'get_help' && name !== 'night')
        await use(season, account, name, everyTool[name]);
    if (day > 1) {
      await use(season, account, 'night', { day: day - 1 });
      await use(season, account, 'explore_and_debrief', { mode: 'debrief', day: day - 1 });
    }
    for (const board of ['efficiency', 'record', 'reputation', 'tournaments', 'second'])
      await use(season, account, 'leaderboard', { board });
    await use(season, account, 'fund');
    await use(season, account, 'subscribe', { action: 'list' });
  }
}

/** What every topic of the help says, and what is refused of every tool. */
export async function readHelp(season: Season): Promise<void> {
  const ann = season.cast[0] as Account;
  for (const topic of [
    'start',
    'play',
    'resolution',
    'money',
    'announcements',
    'tournaments',
    'errors',
    'nothing of the kind',
  ])
    await use(season, ann, 'get_help', { topic });
  for (const { name } of tools) await use(season, ann, name, { nonsense: 'a\u0000b' });
  for (const args of [
    { slot: 11, move: 'PEACE' },
    { slot: 1, move: 'WAR', stake_cents: 9_999_999 },
    { slot: 1, move: 'PEACE', day: 1 },
    { slot: 1 },
  ])
    await use(season, ann, 'play', args);
}

const text = async (season: Season, family: string, address: string, init: RequestInit = {}): Promise<void> => {
  const answer = await fetch(season.mcp.baseUrl + address, { redirect: 'manual', ...init });
  const type = answer.headers.get('content-type') ?? '';
  const body = type.startsWith('image/png') ? 'a picture' : await answer.text();
  const question = [address, answer.status, type, answer.headers.get('cache-control'), answer.headers.get('location')]
    .filter(Boolean)
    .join(' · ');
  season.recorder.keep(
    family,
    question,
    type.startsWith('text/html') ? mainOf(body) : type.startsWith('text/csv') ? unnumbered(body) : body,
  );
};

/** The deposits' numbers, which have gaps of random width, are taken out of a table. */
const unnumbered = (csv: string): string => {
  const [head = '', ...rows] = csv.split('\n');
  const at = head.trim().split(',').indexOf('seq');
  const without = (row: string) => row.replace(new RegExp(`^((?:[^,]*,){${at}})\\d+`), '$1<seq>');
  return at < 0 ? csv : [head, ...rows.map(without)].join('\n');
};

/** A page without what all pages share, a line for each of its elements that stand in lines. */
const mainOf = (page: string): string =>
  (/<main[^>]*>(.*)<\/main>/s.exec(page)?.[1] ?? page)
    .replace(/\s*\n\s*/g, '\n')
    .replace(/(<\/(?:p|li|tr|h\d|dd|dt|section|form|ul|ol|table)>)(?!\n)/g, '$1\n');

export async function readRecords(season: Season, day: number): Promise<void> {
  const named: Record<string, string> = {
    '/api/tournaments/:slug': '/api/tournaments/second',
    '/api/identity/:slug': '/api/identity/bob',
    '/api/identities': '/api/identities?q=an',
    '/api/counters': '/api/counters?ids=bob',
  };
  for (const { path, bulk, lines } of resources) {
    const address = (named[path] ?? path).replace(':n', String(day));
    await text(season, 'records', address);
    if (lines) for (const form of ['ndjson', 'csv']) await text(season, 'records', `${path}.${form}`);
    if (bulk)
      for (const form of ['ndjson', 'csv'])
        for (const list of lists) await text(season, 'records', `${address}/${list}.${form}`);
  }
  for (const address of [
    `/api/day/${day}/night.json`,
    `/api/day/${day}?limit=3`,
    '/api/identity/bob/moves.ndjson',
    '/api/day/999',
    '/api/day/x',
    '/api/nothing',
  ])
    await text(season, 'records', address);
}

const documents = ['/openapi.json', '/llms.txt', '/errors', '/.well-known/agent-skills/index.json'];
const metadata = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/jwks.json',
  '/robots.txt',
];

export async function readPages(season: Season, day: number): Promise<void> {
  for (const address of [
    ...[
      '/',
      '/status',
      '/day',
      `/day/${day}`,
      '/day/999',
      '/nights',
      '/boards/points',
      '/boards/efficiency',
      '/boards/wall',
      '/boards/none',
      '/boards/efficiency?day=2',
    ],
    ...[
      '/identity/bob',
      '/identity/nobody',
      '/log',
      '/tournaments',
      '/tournaments/first',
      '/tournaments/second',
      '/tournaments/third',
    ],
    ...[
      '/nights.atom',
      '/identity/bob.atom',
      '/tournaments/second.atom',
      '/tournaments.ics',
      '/sitemap.xml',
      '/badge/bob.svg',
      '/share.png',
      '/rules',
    ],
  ])
    await text(season, 'pages', address);
  await text(season, 'pages', '/', { headers: { Accept: 'text/markdown' } });
}

export async function readDocuments(season: Season): Promise<void> {
  for (const address of [...documents, ...metadata]) await text(season, 'documents', address);
}

/** What a human sees of its account, signed in and not. */
export async function readHumans(season: Season): Promise<void> {
  const { baseUrl } = season.mcp;
  for (const address of ['/sign-in', '/account', '/claim', '/device', '/account/closed'])
    await text(season, 'humans', address);
  const human = new Visitor();
  const page = await human.go(`${baseUrl}/sign-in`);
  await human.send(page, '/sign-in/development', { email: 'claimed@example.com' });
  for (const address of ['/account', '/account?nights=30', '/claim', '/device'])
    season.recorder.keep('humans', `${address} of the newcomer`, mainOf((await human.go(baseUrl + address)).text));
  for (const account of season.cast.slice(0, 5)) {
    const answer = await season.hill
      .as('web')
      .query('select api_human.account(session => $1)::text as told', [account.session]);
    season.recorder.keep('humans', `api_human.account of ${account.name}`, answer.rows[0].told);
  }
}

/** The twenty usual questions. */
export async function readConsole(season: Season, staff: StaffConsole, day: number): Promise<void> {
  const cookie = await staff.signIn();
  const bob = season.cast[1] as Account;
  const example = { account: 'bob', day: day - 1, slot: 1, staff_name: 'Sam', text: 'Bob' };
  for (const question of questions) {
    const variables = { ...variablesFor(question, example, '2031-03-03'), accountId: bob.id, agentId: bob.agentId };
    const given = Object.fromEntries(Object.entries(variables).filter(([name]) => question.variables.includes(name)));
    season.recorder.keep('console', question.words, JSON.stringify(await staff.graphql(cookie, question.query, given)));
  }
  for (const address of [
    '/',
    '/money',
    '/reports',
    '/jobs',
    '/audit',
    '/account/bob',
    `/account/bob/night/${day - 1}`,
    `/night/${day - 1}/1`,
  ]) {
    const answer = await staff.fetch(address, { headers: { Cookie: cookie } });
    season.recorder.keep('console', `${address} · ${answer.status}`, mainOf(await answer.text()));
  }
}

/** A day in psql, as a DBA replays it. */
export async function readPsql(season: Season, url: string, day: number): Promise<void> {
  if (!hasPsql) return;
  const run = async (file: string, variables: Record<string, string | number> = {}) => {
    const { code, stdout, stderr } = await psql(url, file, variables);
    // the numbers of deposits have gaps of random width
    const told = (stdout + stderr).replace(/(?<= ) *\d+(?= \| (?:\d\d:\d\d:|PEACE|WAR|PASS))/g, '#');
    season.recorder.keep('psql', `${file} ${JSON.stringify(variables)}: ${code}`, told);
  };
  await run('sql/replay/replay_day.sql', { day });
  await run('sql/replay/account_day.sql', { day, account: 'bob' });
}

export async function checkPsql(season: Season, url: string): Promise<void> {
  if (!hasPsql) return;
  for (const file of ['sql/verify/ledger.sql', 'sql/verify/nights.sql']) {
    const { code, stdout, stderr } = await psql(url, file);
    season.recorder.keep('psql', `${file}: ${code}`, stdout + stderr);
  }
}
