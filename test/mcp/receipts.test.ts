// Receipts of deposits: what the hill promises with its signature, by keys that sign nothing else and are published for
// ever. Rules 20.17, 20.18.
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { keepProofKey } from '../../src/db/kept-settings.ts';
import { useMcp } from '../support/doors/mcp.ts';
import { anAccount, type Receipt, useHill } from '../support/hill/index.ts';
import { secret } from '../support/hill/secret.ts';
import { commitmentTo, endingOf } from '../support/log/commitment.ts';
import { signLog } from '../support/log/sign.ts';

const hill = useHill();
const mcp = useMcp(hill);
const otherSecret = 'another secret, of more than thirty-two characters';
const changed = useMcp(hill, 'one host', { HILL_SIGNING_SECRET: otherSecret });

type Given = Receipt & { signed_receipt: string };
interface Own {
  slot: number;
  move: Receipt['move'];
  stake_cents: number | null;
  message: string | null;
  deposited_at: string;
  ended: string | null;
  salt: string;
  ends: string;
  message_salt: string | null;
  commitment: string;
}
const proofs = async (token: string) =>
  (await mcp.call<{ deposits?: Own[] | null }>(token, 'status', { proofs: true })).deposits as Own[];
const ofLast = async (token: string) => {
  const { salt = '', ends = '', message_salt } = (await proofs(token)).at(-1) ?? {};
  return { salt, ends, message_salt };
};
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
  const unsigned = await mcp.call<Given>(token, 'play', move);
  expect(unsigned).toMatchObject({
    signed_receipt: null,
    no_receipt: expect.stringContaining('has not been signed yet'),
  });
  const [before] = await proofs(token);
  await signLog(hill);
  const after = await mcp.call<Given>(token, 'play', move);
  expect(decodeJwt(after.signed_receipt).commitment).toBe(before?.commitment);
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
    commitment: commitmentTo({ ...given, ...(await ofLast(token)), account_id: ann.id }),
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

test('status gives an account what opens its own deposits of today, whenever it asks, and no other anything of them', async () => {
  const [ann, bob] = [await anAccount(hill, { credits: 5000 }), await anAccount(hill, { credits: 5000 })];
  const [token, other] = [await mcp.token(ann), await mcp.token(bob)];
  const { day } = await mcp.call<Given>(token, 'play', { slot: 3, move: 'WAR', stake_cents: 900, message: 'Mine' });
  await mcp.call(other, 'play', { slot: 3, move: 'WAR', stake_cents: 905 });
  await hill.clock.tick();
  await mcp.call(token, 'play', { slot: 3, move: 'PEACE' });
  await hill.clock.tick();
  await hill.asHuman(ann).withdrawMove(3);
  await hill.clock.tick();
  await mcp.call(token, 'play', { slot: 5, move: 'PEACE' });

  const own = await proofs(token);
  expect(own.map(({ slot, move, ended }) => [slot, move, ended])).toEqual([
    [3, 'WAR', 'replaced'],
    [3, 'PEACE', 'withdrawn'],
    [3, 'PASS', 'pass'],
    [5, 'PEACE', null],
  ]);
  for (const deposit of own)
    expect(commitmentTo({ ...deposit, day, account_id: ann.id, stake_cents: deposit.stake_cents ?? 0 })).toBe(
      deposit.commitment,
    );
  expect(own[1]?.ends).toBe(endingOf(own[0] as Own));
  expect((await proofs(other)).map(({ stake_cents }) => stake_cents)).toEqual([905]);

  const { result } = (await mcp.callTool(token, 'status')).message;
  expect(result?.structuredContent).not.toHaveProperty('deposits');
  for (const { salt, commitment } of own) {
    expect(JSON.stringify(result)).not.toContain(salt);
    expect(JSON.stringify((await mcp.callTool(other, 'status', { proofs: true })).message)).not.toContain(commitment);
    // a model that reads text alone has them, too
    expect((await mcp.callTool(token, 'status', { proofs: true })).message.result?.content[0]?.text).toContain(salt);
  }
  await hill.clock.toMidnight();
  expect(await proofs(token)).toBeNull();
  await hill.clock.ringBell();
  expect(await proofs(token)).toEqual([]);
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

    expect(keys.keys).toHaveLength(2);
    for (const { signed_receipt } of [before, again])
      await jwtVerify(signed_receipt, createLocalJWKSet(keys), { typ: 'hill-receipt+jwt' });
    expect(decodeProtectedHeader(again.signed_receipt).kid).not.toBe(decodeProtectedHeader(before.signed_receipt).kid);
    expect(decodeJwt(again.signed_receipt).commitment).toBe(decodeJwt(before.signed_receipt).commitment);
    expect(await logged()).toEqual(keys.keys.map(({ kid }) => `receipt-key ${kid}`).sort());
    await expect(hill.rows('delete from oauth.receipt_keys')).rejects.toMatchObject({ code: 'ZHLOG' });
  } finally {
    await keepProofKey(secret, hill.ownerUrl);
  }
});
