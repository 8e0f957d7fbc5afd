// How many of which witnesses are enough, as a C2SP tlog-policy says it. Rules 20.33.
import { expect, test } from 'vitest';
import { type Verifier, verifierKey } from '../../src/log/note.ts';
import { derivedSigner, witnessSigners } from '../../src/log/signing.ts';
import { parsePolicy } from '../../src/verify/policy.ts';

const secret = 'a secret of the tests, of more than thirty-two characters';
const keys = ['a', 'b', 'c', 'd'].map((name) =>
  verifierKey(witnessSigners(secret, `${name}.example/witness`)[0] as never),
);
const log = verifierKey(derivedSigner(secret, 'hill.example/log', 'ed25519'));
const witnesses = keys.map((key, n) => `witness w${n} ${key} https://w${n}.example`);

test('a quorum of groups within groups', () => {
  const policy = parsePolicy(
    [
      '# whom we trust',
      `log ${log}`,
      ...witnesses,
      'group two 2 w0 w1 w2',
      'group all-of all two w3',
      '',
      'quorum all-of',
    ].join('\n'),
  );
  expect(policy.logs.map(({ name }) => name)).toEqual(['hill.example/log']);
  const enough = (...signed: number[]) => policy.enough(new Set(signed.map((n) => policy.witnesses[n] as Verifier)));
  expect(enough(0, 1, 3)).toBe(true);
  expect(enough(1, 2, 3)).toBe(true);
  expect(enough(0, 1, 2)).toBe(false);
  expect(enough(0, 3)).toBe(false);
  expect(parsePolicy(`${witnesses[0]}\nquorum none`).enough(new Set())).toBe(true);
  expect(parsePolicy(`${witnesses.join('\n')}\ngroup g any w0 w1\nquorum g`).enough(new Set())).toBe(false);
});

test.for([
  ['no quorum', witnesses.join('\n')],
  ['two quorums', `${witnesses[0]}\nquorum w0\nquorum w0`],
  ['a name that is not there', 'quorum w9'],
  ['a group that names itself', `${witnesses[0]}\ngroup g 1 g\nquorum g`],
  ['a name twice', `${witnesses[0]}\n${witnesses[0]}\nquorum w0`],
  ['more members than there are', `${witnesses[0]}\ngroup g 2 w0\nquorum g`],
  ['the key of a log as a witness', `witness w ${log}\nquorum w`],
  ['another word', 'quorums w0'],
] as const)('is refused with %s', ([, text], { expect }) => {
  expect(() => parsePolicy(text)).toThrow('The policy');
});
