// The tools report_missing_capability and list_my_reports: a word to the staff, and the answer. Rules 18.3.
import { beforeAll, expect, test } from 'vitest';
import { useMcp } from '../support/doors/mcp.ts';
import { attemptOf, succeeded } from '../support/doors/oauth.ts';
import { type Account, anAccount, anotherAgent, useHill } from '../support/hill/index.ts';

const hill = useHill();
const mcp = useMcp(hill);

interface Report {
  report_id: string;
  day: number;
  what: string;
  why: string | null;
  tool: string | null;
  status: string;
  answer: string | null;
  reports_left?: number;
}
interface Reports {
  reports: Report[];
  open: number;
  answered: number;
  reports_left: number;
}

let ann: Account;
let token: string;

beforeAll(async () => {
  ann = await anAccount(hill, { name: 'Ann', credits: 5000 });
  token = await mcp.token(ann);
});

const report = (args: object, as = token) => mcp.call<Report>(as, 'report_missing_capability', args);
const list = (as = token) => mcp.call<Reports>(as, 'list_my_reports');
const answer = (id: string, words: string) =>
  hill.asStaff().call<object>('api_staff.answer_report', { report_id: id, answer: words, reason: 'It was asked' });

test('what an agent reports is read by its account and by staff, and by nobody else', async () => {
  const made = await report({ what: '  A chart of\r\n\r\npast nights ', why: 'to see trends', tool: 'night' });

  expect(made).toMatchObject({
    day: 1,
    what: 'A chart of\npast nights',
    why: 'to see trends',
    tool: 'night',
    status: 'open',
    answer: null,
    reports_left: 9,
  });
  const { reports_left, ...kept } = made;
  expect(await list()).toEqual({ reports: [kept], open: 1, answered: 0, reports_left });
  // another agent of the account reads it, and has a day of its own
  expect(await list(await mcp.token(await anotherAgent(hill, ann)))).toEqual({
    reports: [kept],
    open: 1,
    answered: 0,
    reports_left: 10,
  });
  expect(await list(await mcp.token(await anAccount(hill)))).toMatchObject({ reports: [], open: 0 });
  expect(await hill.asStaff().query('select reporter, what from hill.reports')).toEqual([
    { reporter: 'Ann', what: 'A chart of\npast nights' },
  ]);
});

test('the answer of staff reaches the agent, and a better one takes its place', async () => {
  const { report_id } = await report({ what: 'An undo button' });
  await answer(report_id, 'play with PASS withdraws a move.');

  const found = await list();
  expect(found).toMatchObject({ answered: 1 });
  expect(found.reports[0]).toMatchObject({ report_id, status: 'answered', answer: 'play with PASS withdraws a move.' });
  expect(JSON.stringify(found)).not.toContain('Sam');
  await answer(report_id, 'PASS withdraws a move, free of charge.');
  expect((await list()).reports[0]).toMatchObject({ answer: 'PASS withdraws a move, free of charge.' });
});

test('the same again is the same report, while it is open; ten a day are all', async () => {
  const zoe = await anAccount(hill, { name: 'Zoe' });
  const hers = await mcp.token(zoe);
  const [first, second] = await Promise.all([report({ what: 'Thing 0' }, hers), report({ what: 'Thing 0' }, hers)]);
  expect(second.report_id).toBe(first.report_id);
  for (let i = 1; i < 10; i++)
    expect(await report({ what: `Thing ${i}` }, hers)).toMatchObject({ reports_left: 9 - i });

  expect(await mcp.refusal(hers, 'report_missing_capability', { what: 'One more' })).toMatchObject({
    code: 'NO_REPORTS_LEFT',
    hint: expect.stringContaining('list_my_reports'),
    reports_per_day: 10,
    next_day_at: '2026-03-02T00:00:00.000000Z',
  });
  expect(await report({ what: 'Thing 3' }, hers)).toMatchObject({ reports_left: 0 });
  expect((await list(hers)).reports.map(({ what }) => what)[0]).toBe('Thing 9');
  expect(
    await report({ what: 'Another agent, another day' }, await mcp.token(await anotherAgent(hill, zoe))),
  ).toMatchObject({
    reports_left: 9,
  });
  await hill.clock.ringBell();
  expect(await report({ what: 'One more' }, hers)).toMatchObject({ day: 2, reports_left: 9 });
});

test.each<[string, object, string]>([
  ['nothing', {}, 'what'],
  ['blanks', { what: ' \n\t ' }, 'what'],
  ['a book', { what: 'x'.repeat(1001) }, 'what'],
  ['a book of reasons', { what: 'A thing', why: 'x'.repeat(1001) }, 'why'],
  ['a tool of too many letters', { what: 'A thing', tool: 'x'.repeat(61) }, 'tool'],
  ['something else', { what: 'A thing', who: 'me' }, 'who'],
])('%s is refused', async (_, args, argument) => {
  expect(await mcp.refusal(token, 'report_missing_capability', args)).toMatchObject({
    code: 'INVALID_ARGUMENT',
    argument,
  });
});

test('before a claim reports are the client’s, and they stay its own after the claim', async () => {
  const registration = await mcp.register('Newcomer');
  const { access_token: before } = succeeded(await mcp.exchange(registration.identity_assertion));
  const { report_id } = await report({ what: 'A way in without my human' }, before);
  const { access_token: stranger } = succeeded(await mcp.exchange((await mcp.register('Stranger')).identity_assertion));
  await report({ what: 'Something else' }, stranger);

  expect((await list(before)).reports).toMatchObject([{ report_id }]);
  expect(
    await hill.asStaff().query('select reporter, account_id from hill.reports where id = $1', [report_id]),
  ).toEqual([{ reporter: 'Newcomer', account_id: null }]);
  await answer(report_id, 'There is none.');

  const claim = succeeded(await mcp.claim(registration.claim_token, 'nell@example.com'));
  await mcp.approve(await mcp.human('nell@example.com'), attemptOf(claim), claim.claim_attempt.user_code);
  const { access_token: after } = succeeded(await mcp.poll(registration.claim_token));
  expect(await list(after)).toMatchObject({
    reports: [{ report_id, status: 'answered', answer: 'There is none.' }],
    reports_left: 9,
  });
  expect(await report({ what: 'More' }, after)).toMatchObject({ reports_left: 8 });
  expect((await list(stranger)).reports).toMatchObject([{ what: 'Something else' }]);
});

test('a client that never came back is forgotten, and what it said is not', async () => {
  const { access_token } = succeeded(await mcp.exchange((await mcp.register('Passer-by')).identity_assertion));
  await report({ what: 'Goodbye' }, access_token);
  const { now } = await hill.asWorker().readClock();
  await hill.asWorker().setClock(new Date(Date.parse(now) + 40 * 86_400_000).toISOString());
  for (let batch = 0; batch < 4; batch++) await hill.rows('select trusted.forget_ended(1000)');

  expect(await hill.rows("select count(*)::integer as clients from oauth.clients where name = 'Passer-by'")).toEqual([
    { clients: 0 },
  ]);
  expect(await hill.asStaff().query("select grant_id, what from hill.reports where reporter = 'Passer-by'")).toEqual([
    { grant_id: null, what: 'Goodbye' },
  ]);
});

test('the SDK’s client reads both, against the schemas that the tools give', async () => {
  const client = await mcp.client(token);
  await client.listTools();
  const made = await client.callTool({ name: 'report_missing_capability', arguments: { what: 'A last thing' } });
  const found = await client.callTool({ name: 'list_my_reports', arguments: {} });

  expect((made.content as { text: string }[])[0]?.text).toMatch(
    /^Reported as [0-9a-f-]{36}\. .* 9 reports left today\.$/,
  );
  expect((found.content as { text: string }[])[0]?.text).toMatch(
    /^\d+ open, 1 answered; 9 left today\.\nDay \d+: "A last thing": open\./,
  );
});
