// sql/verify/payments.sql: the ledger beside Stripe's report, and every way in which the two can differ. Rules 5.7,
// 5.8.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anAccount, useHill } from '../../support/hill/index.ts';
import { usePayments } from '../../support/hill/payments.ts';
import { hasPsql, psql } from '../../support/hill/psql.ts';

const hill = useHill();
const payments = usePayments(hill);
const { stripe } = payments;
let folder: string;
let report: string;
let paid: string;
let disputed: { payment: string; id: string };

beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), "hill's report "));
  const ann = await anAccount(hill);
  paid = await payments.topUp(ann, 2000);
  const [won, lost] = [await payments.topUp(ann, 3000), await payments.topUp(ann, 4000)];
  const [part, unrefunded] = [await payments.topUp(ann, 5000), await payments.topUp(ann, 6000)];
  const tell = async ({ id, event }: Awaited<ReturnType<typeof stripe.dispute>>) => {
    await payments.tell(event);
    return id;
  };
  const a = await tell(await stripe.dispute(won, 3000));
  await tell(
    await stripe.dispute(won, 3000, { id: a, type: 'closed', status: 'won', at: Math.floor(Date.now() / 1000) + 1 }),
  );
  disputed = { payment: lost, id: await tell(await stripe.dispute(lost, 4000)) };
  await tell(await stripe.refund(part, 1200));
  const b = await tell(await stripe.refund(unrefunded, 6000, { status: 'pending' }));
  await tell(
    await stripe.refund(unrefunded, 6000, {
      id: b,
      type: 'failed',
      status: 'failed',
      at: Math.floor(Date.now() / 1000) + 1,
    }),
  );
  await tell(await stripe.dispute(paid, 2000, { status: 'warning_needs_response' }));
  stripe.balance.push({ id: 'txn_1', category: 'payout', payment: '', source: 'po_1', gross: -9000 });
  await hill.clock.ringBell();
  report = stripe.report();
});
afterAll(() => fs.rm(folder, { recursive: true, force: true }));

const verify = async (csv: string, variables: Record<string, string> = {}) => {
  const file = path.join(folder, 'balance.csv');
  await fs.writeFile(file, csv);
  return psql(hill.ownerUrl, 'sql/verify/payments.sql', { report: file, ...variables });
};

describe.skipIf(!hasPsql)('the report', () => {
  test('that says what the ledger says agrees', async () => {
    expect(await verify(report)).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('All 10 payments, disputes and refunds agree.'),
    });
    // as spreadsheets write it
    expect(
      (await verify(`\uFEFF${report.replaceAll('\n', '\r\n').replaceAll('on the hill', 'on ""the""\r\nhill')}`)).code,
    ).toBe(0);
  });

  test.each<[string, (csv: string) => string, RegExp]>([
    [
      'lacks a payment',
      (csv) => csv.replace(new RegExp(`^.*charge,.*${paid}\\n`, 'm'), ''),
      /payment \| pi_\w+ +\| +2000 \| +\| not in the report/,
    ],
    [
      'has a payment that was never credited',
      (csv) => `${csv}txn_9,,,usd,20.00,0,20.00,charge,ch_9,x,pi_9\n`,
      /payment \| pi_9 +\| +\| +2000 \| not in the ledger/,
    ],
    [
      'has another amount',
      (csv) => csv.replace('20.00,0.00,20.00', '20.01,0.00,20.01'),
      /2000 \| +2001 \| another amount/,
    ],
    ['has a payment twice', (csv) => csv.replace(/^.*,20\.00,.*\n/m, '$&$&'), /2000 \| +4000 \| another amount/],
    ['has another currency', (csv) => csv.replace(/usd,20\.00/, 'eur,20.00'), /not in US dollars/],
    [
      'lacks a dispute',
      (csv) => csv.replace(new RegExp(`^.*,dispute,${disputed.id}.*\\n`, 'm'), ''),
      /dispute \| dp_\w+ +\| +-4000 \| +\| not in the report/,
    ],
    [
      'has a dispute that was never told',
      (csv) => `${csv}txn_9,,,usd,-20.00,0,-20.00,dispute,dp_9,x,${paid}\n`,
      /dispute \| dp_9 +\| +\| +-2000 \| not in the ledger/,
    ],
    [
      'has a dispute that was won, and the hill does not know',
      (csv) => `${csv}txn_9,,,usd,40.00,0,40.00,dispute_reversal,${disputed.id},x,${disputed.payment}\n`,
      /-4000 \| +0 \| another amount/,
    ],
    [
      'has a refund of another amount',
      (csv) => csv.replace('-12.00,0.00,-12.00', '-13.00,0.00,-13.00'),
      /-1200 \| +-1300 \| another amount/,
    ],
  ])('that %s differs', async (_, spoil, told) => {
    const spoilt = spoil(report);
    expect(spoilt).not.toBe(report);
    const { code, stdout, stderr } = await verify(spoilt);
    expect(stdout).toMatch(told);
    expect(stderr).toContain('1 of ');
    expect(code).toBe(3);
  });

  test('may have what was paid, never credited, and given back', async () => {
    const back = 'txn_8,,,usd,20.00,0,20.00,charge,ch_9,x,pi_9\ntxn_9,,,usd,-20.00,0,-20.00,refund,re_9,x,pi_9\n';
    expect((await verify(report + back)).code).toBe(0);
  });

  test('of an earlier time leaves out what came later', async () => {
    const [head = ''] = report.split('\n');
    expect(await verify(`${head}\n`, { until: '2020-01-01' })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('All 0 '),
    });
    expect((await verify(`${head}\n`)).code).toBe(3);
  });

  test('that is not there, or is something else, is refused', async () => {
    for (const [csv, variables] of [
      ['', {}],
      ['a,b\n1,2\n', {}],
      ['x', { report: '/nowhere' }],
    ] as const) {
      const { code, stderr } = await verify(csv, variables);
      expect([code, stderr]).toEqual([3, expect.stringContaining('report is no CSV')]);
    }
  });
});
