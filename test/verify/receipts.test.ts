// Receipts of a key that waits for the log, as every new one does until the next quarter hour. Rules 20.18.
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Served } from '../../src/verify/reading.ts';
import { checkReceipts, receiptsIn } from '../../src/verify/receipts.ts';
import { checked } from '../../src/verify/report.ts';

const origin = 'hill.example/log';
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const { crv, kty, x } = publicKey.export({ format: 'jwk' });
const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

const head = encoded({ alg: 'EdDSA', typ: 'hill-receipt+jwt', kid });
const promise = { iss: origin, day: 3, deposited_at: '2027-01-03T12:00:00Z', commitment: 'a'.repeat(64) };
const signed = `${head}.${encoded(promise)}`;
const receipt = `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;

/** What is said of it by a hill that shows these keys, while its log has none, and the night or not. */
async function said(keys: object[], night?: { night: number }): Promise<string[]> {
  const found: string[] = [];
  await checkReceipts(
    checked(
      { json: async () => ({ keys }) } as unknown as Served,
      (right, sentence) => void found.push(`${right ? 'right' : 'wrong'}: ${sentence}`),
      (sentence) => void found.push(`noted: ${sentence}`),
    ),
    receiptsIn([receipt]),
    {
      ...{ origins: [origin], keys: new Set<string>(), deposits: () => undefined, openings: () => undefined },
      night: () => night as never,
    },
  );
  return found;
}

test('one that the hill shows is not wrong before the log has the night', async () => {
  expect(await said([{ kid, kty, crv, x }])).toEqual([
    expect.stringMatching(/^noted: .* is signed by a key that the hill shows/),
  ]);
});

test('it is wrong once the log has the night, and so is one that the hill does not show', async () => {
  const wrong = [expect.stringMatching(/^wrong: .* is not signed by a key that the log has/)];
  expect(await said([{ kid, kty, crv, x }], { night: 9 })).toEqual(wrong);
  expect(await said([])).toEqual(wrong);
});
