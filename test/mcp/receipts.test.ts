// Receipts of deposits: what the hill promises with its signature, by keys that sign nothing else and are published for
// ever. Rules 20.17, 20.18.
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { keepProofKey } from '../../src/db/proof-key.ts';
import { useMcp } from '../support/doors/mcp.ts';
import { anAccount, type Receipt, useHill } from '../support/hill/index.ts';
import { secret } from '../support/hill/secret.ts';
import { commitmentTo } from '../support/log/commitment.ts';
import { signLog } from '../support/log/sign.ts';

const hill = useHill();
const mcp = useMcp(hill);
const otherSecret = 'another secret, of more than thirty-two characters';
const changed = useMcp(hill, 'one host', { HILL_SIGNING_SECRET: otherSecret });

type Given = Receipt & { commitment: string; salt: string; ends: string; signed_receipt: string };
const keysOf = async (door: { baseUrl: string }) =>
  (await (await fetch(`${door.baseUrl}/log/receipt-keys`)).json()) as JSONWebKeySet;
const logged = async () =>
  (
    await hill.rows<{ entry: string }>(
      `select convert_from(entry, 'UTF8') as entry from (select entry from hill.log_waiting union all select entry from hill.log_entries) e
        where entry >= 'receipt-key' and entry < 'receipt-key!' order by entry`,
    )
  ).map(({ entry }) => entry);

test('until anything of the log was signed nothing is promised, and a deposit says why', async () => {
  const token = await mcp.token(await anAccount(hill, { credits: 5000 }));
  const move = { slot: 9, move: 'PEACE' };
  const before = await mcp.call<Given>(token, 'play', move);
  expect(before).toMatchObject({
    signed_receipt: null,
    no_receipt: expect.stringContaining('has not been signed yet'),
    commitment: expect.any(String),
  });
  await signLog(hill);
  const after = await mcp.call<Given>(token, 'play', move);
  expect(after).toMatchObject({ signed_receipt: expect.any(String), commitment: before.commitment });
  expect(after).not.toHaveProperty('no_receipt');
});

test('a deposit is answered with the promise to log its commitment, the same bytes again for the same call, and after the bell', async () => {
  const ann = await anAccount(hill, { credits: 5000 });
  const token = await mcp.token(ann);
  const move = { slot: 3, move: 'WAR', stake_cents: 900, message: 'Mine', day: 1 };
  const given = await mcp.call<Given>(token, 'play', move);
  await hill.clock.tick();
  expect((await mcp.call<Given>(token, 'play', move)).signed_receipt).toBe(given.signed_receipt);

  const keys = await keysOf(mcp);
  const { payload, protectedHeader } = await jwtVerify(given.signed_receipt, createLocalJWKSet(keys), {
    typ: 'hill-receipt+jwt',
  });
  expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'hill-receipt+jwt', kid: keys.keys[0]?.kid });
  expect(payload).toEqual({
    iss: `${new URL(mcp.baseUrl).host}/log`,
    day: 1,
    deposited_at: given.deposited_at,
    commitment: commitmentTo({ ...given, account_id: ann.id }),
    promise: 'In the first checkpoint that has night 1.',
  });

  await hill.clock.toMidnight();
  await hill.as('worker').query('select api_worker.close_next_day()');
  await signLog(hill);
  await hill.as('worker').query('select api_worker.ring_next_bell()');
  const { result } = (
    await mcp.request<{ structuredContent: { receipt: Given } }>(token, 'tools/call', { name: 'play', arguments: move })
  ).message;
  expect(result?.structuredContent.receipt.signed_receipt).toBe(given.signed_receipt);
});

test('a PASS that withdraws nothing, and a call that is refused, promise nothing', async () => {
  const token = await mcp.token(await anAccount(hill, { credits: 5000 }));
  expect(await mcp.call(token, 'play', { slot: 3, move: 'PASS' })).not.toHaveProperty('signed_receipt');
  const { result } = (
    await mcp.request<{ structuredContent: object }>(token, 'tools/call', {
      name: 'play',
      arguments: { slot: 3, move: 'WAR' },
    })
  ).message;
  expect(result?.structuredContent).toMatchObject({ code: 'INVALID_STAKE' });
  expect(result?.structuredContent).not.toHaveProperty('signed_receipt');
});

test('a receipt is no token: neither for play nor for the authorization server', async () => {
  const token = await mcp.token(await anAccount(hill, { credits: 5000 }));
  const { signed_receipt: receipt } = await mcp.call<Given>(token, 'play', { slot: 4, move: 'PEACE' });

  expect((await mcp.post(receipt, { jsonrpc: '2.0', id: 1, method: 'tools/list' })).status).toBe(401);
  const exchanged = await fetch(`${mcp.authUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: receipt }),
  });
  expect([exchanged.status, await exchanged.json()]).toEqual([
    400,
    expect.objectContaining({ error: 'invalid_grant' }),
  ]);
  const tokens = (await (await fetch(`${mcp.authUrl}/.well-known/jwks.json`)).json()) as JSONWebKeySet;
  expect(tokens.keys.map(({ kid }) => kid)).not.toContain(decodeProtectedHeader(receipt).kid);
});

test('another secret signs with another key; both are in the log and published for ever, and old receipts hold', async () => {
  const ann = await anAccount(hill, { credits: 5000 });
  const before = await mcp.call<Given>(await mcp.token(ann), 'play', { slot: 5, move: 'PEACE' });
  await keepProofKey(otherSecret, hill.ownerUrl);
  try {
    const again = await changed.call<Given>(await changed.token(ann), 'play', { slot: 5, move: 'PEACE' });
    const keys = await keysOf(changed);

    expect(again.commitment).toBe(before.commitment);
    expect(keys.keys).toHaveLength(2);
    for (const { signed_receipt } of [before, again])
      await jwtVerify(signed_receipt, createLocalJWKSet(keys), { typ: 'hill-receipt+jwt' });
    expect(decodeProtectedHeader(again.signed_receipt).kid).not.toBe(decodeProtectedHeader(before.signed_receipt).kid);
    expect(decodeJwt(again.signed_receipt).commitment).toBe(before.commitment);
    expect(await logged()).toEqual(keys.keys.map(({ kid }) => `receipt-key ${kid}`).sort());
    await expect(hill.rows('delete from oauth.receipt_keys')).rejects.toMatchObject({ code: 'ZHLOG' });
  } finally {
    await keepProofKey(secret, hill.ownerUrl);
  }
});
