// What agents miss, as staff read and answer it in the console. Rules 18.3.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { useConsole } from '../support/doors/console.ts';
import { type Account, anAccount, call, useHill } from '../support/hill/index.ts';

const hill = useHill();
const staff = useConsole(hill);

let ann: Account;
let cookie: string;
let id: string;

const answer = `mutation ($id: UUID!, $answer: String!, $reason: String!) {
  answerReport(input: {reportId: $id, answer: $answer, reason: $reason}) { report { answer answeredBy account { name } } }
}`;
const good = () => ({ id, answer: 'It is there:\ncall night.', reason: 'Ann asked' });
const refused = async (variables: object, as = cookie) => {
  const { errors } = await staff.graphql(as, answer, { ...good(), ...variables });
  expect(await hill.rows('select answer from hill.reports')).toEqual([{ answer: null }]);
  return errors?.[0];
};

beforeAll(async () => {
  ann = await anAccount(hill, { name: 'Ann' });
  const made = await call<{ report_id: string }>(hill.as('web'), 'api_agent.report_missing_capability', {
    token: ann.token,
    what: 'A look at past nights <script>',
    tool: 'night',
  });
  id = made.report_id;
  cookie = await staff.signIn('Sam');
});

test('an answer wants a session, a reason, a report that is there, and words', async () => {
  expect(await refused({}, '')).toMatchObject({ extensions: { code: 'INVALID_TOKEN' } });
  expect(await refused({ reason: ' ' })).toMatchObject({ extensions: { code: 'REASON_REQUIRED' } });
  expect((await refused({ answer: null }))?.message).toMatch(/^Variable "\$answer"/);
  expect(await refused({ id: randomUUID() })).toMatchObject({
    extensions: { code: 'NOT_FOUND', detail: { argument: 'report_id' } },
  });
  for (const words of ['', ' \n ', 'x'.repeat(1001)])
    expect(await refused({ answer: words })).toMatchObject({
      extensions: { code: 'INVALID_ARGUMENT', detail: { argument: 'answer', max_length: 1000 } },
    });
});

test('reaches the agent, with a trace of who gave it and why', async () => {
  const open = await staff.data(
    cookie,
    '{ reports { nodes { reporter what why tool answer account { name } agent { name } } } }',
  );
  expect(open).toEqual({
    reports: {
      nodes: [
        {
          reporter: 'Ann',
          what: 'A look at past nights <script>',
          why: null,
          tool: 'night',
          answer: null,
          account: { name: 'Ann' },
          agent: { name: 'Ann' },
        },
      ],
    },
  });

  expect(await staff.data(cookie, answer, good())).toEqual({
    answerReport: { report: { answer: 'It is there:\ncall night.', answeredBy: 'Sam', account: { name: 'Ann' } } },
  });
  const mine = await call<{ reports: object[] }>(hill.as('web'), 'api_agent.list_my_reports', { token: ann.token });
  expect(mine).toMatchObject({
    open: 0,
    answered: 1,
    reports: [{ report_id: id, status: 'answered', answer: 'It is there:\ncall night.' }],
  });
  expect(
    await hill.rows(
      'select staff_name, action, account_id, details, reason from hill.audit_log order by id desc limit 1',
    ),
  ).toEqual([
    {
      staff_name: 'Sam',
      action: 'answer_report',
      account_id: ann.id,
      details: { report_id: id, was_answered: false },
      reason: 'Ann asked',
    },
  ]);
});

test('no one else writes there: not the console’s login, not the functions’ owner under another name', async () => {
  for (const change of ["update hill.reports set answer = 'no'", 'delete from hill.reports'])
    await expect(hill.asStaff().query(change)).rejects.toMatchObject({ code: '42501' });
  const written = await hill.asOwnerOf(
    'hill_api_staff',
    async (client) => (await client.query("update hill.reports set answer = 'no'")).rowCount,
  );
  expect(written).toBe(0);
});
