// npm run verify as its user types it: with a policy, with another hour, and with what was seen before. Rules 20.33,
// 20.45.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseCheckpoint } from '../../src/log/checkpoint.ts';
import { signatureLine, verifierKey } from '../../src/log/note.ts';
import { cosign, type Signer, witnessSigners } from '../../src/log/signing.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { hill as hillCommand } from '../support/hill/hill-process.ts';
import { useHill } from '../support/hill/index.ts';
import { secret } from '../support/hill/secret.ts';
import { aSealedSeason } from '../support/log/a-sealed-season.ts';

const hill = useHill();
const web = useWebDoor(hill);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-verify-command-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
const at = (file: string): string => path.join(folder, file);
const archive = at('archive');
const [seen, policy, strict] = [at('seen.json'), at('policy'), at('strict')];

const inArchive = (file: string, change: (text: string) => string): void => {
  const before = fs.readFileSync(path.join(archive, file), 'utf8');
  const after = change(before);
  expect(after, file).not.toBe(before);
  fs.writeFileSync(path.join(archive, file), after);
};
interface Night {
  readonly day: number;
  readonly resolvedAt: string;
  readonly closed: { readonly at: string } | null;
  readonly unsealed: string | null;
}
/** Changes what is said of the first night. */
const inNight = (change: (night: Night) => Night): void =>
  inArchive('api/days.json', (text) => {
    const page = JSON.parse(text) as { days: Night[] };
    return JSON.stringify({ ...page, days: page.days.map((night) => (night.day === 1 ? change(night) : night)) });
  });
const verify = (...args: string[]) => hillCommand(['verify', ...args, '--seen', seen], { NO_COLOR: '1' });
const offline = (...args: string[]) => verify('--archive', archive, '1', ...args);

const [witness, other] = ['witness.example', 'other.example'].map((name) => witnessSigners(secret, name)[0]) as [
  Signer,
  Signer,
];
beforeAll(async () => {
  await aSealedSeason(hill);
  const named = [`witness first ${verifierKey(witness)}`, `witness second ${verifierKey(other)}`];
  fs.writeFileSync(policy, [...named, 'group one any first second', 'quorum one'].join('\n'));
  fs.writeFileSync(strict, [...named, 'group both all first second', 'quorum both'].join('\n'));
});

test('--policy names those of whom enough must have signed, and --save keeps what they signed', async () => {
  const saved = await verify(web.baseUrl, '1', '--policy', policy, '--save', archive);
  expect(saved.output).toContain(
    'ok     Enough of the witnesses of the policy have signed the closing of day 1: witness.example.',
  );
  expect(saved.code).toBe(0);
  // as of a hill with a clock of the world, on which that witness saw the closing 70 s after midnight
  inArchive('api/log.json', (text) => text.replace(/"simulated": ?true/, '"simulated":false'));
  let midnight = 0;
  inNight((night) => {
    midnight = Date.parse(night.closed?.at ?? '') / 1_000;
    return { ...night, resolvedAt: new Date(1_000 * (midnight + 75)).toISOString() };
  });
  inArchive('log/closing/1', (text) => {
    const own = text.replace(/\n\u2014 witness\.example .*\n/g, '\n');
    return own + signatureLine(cosign(parseCheckpoint(own), witness, midnight + 70));
  });
});

test('--policy and --late say how many must have seen a closing, and how soon', async () => {
  const soon = await offline('--policy', policy);
  expect(soon.output).toContain(
    'ok     Enough of the witnesses of the policy have signed the closing of day 1 within 120 seconds of midnight: witness.example.',
  );
  expect(soon.code).toBe(0);
  const late = await offline('--policy', policy, '--late', '60');
  expect(late.output).toContain(
    'WRONG  Not enough of the witnesses of the policy have signed the closing of day 1 within 60 seconds of midnight: nobody, and not witness.example, other.example.',
  );
  expect(late.code).toBe(1);
});

test('a policy that nobody meets is not met by the log alone either', async () => {
  const { output, code } = await offline('--log', '--policy', strict);
  expect(output).toMatch(/^WRONG {2}Not enough of the witnesses of the policy have signed the last checkpoint of /m);
  expect(code).toBe(1);
});

test('a closing that was seen and is taken away is named by who kept what was seen', async () => {
  const kept = JSON.parse(fs.readFileSync(seen, 'utf8')) as Record<string, { nights?: Record<string, string> }>;
  const how = kept['old.localhost/log']?.nights?.['1'];
  expect(how).toMatch(/^closed old\.localhost\/log \d+$/);
  inNight((night) => ({ ...night, closed: null, unsealed: 'It burned.' }));
  const { output, code } = await offline();
  expect(output).toContain('WRONG  How night 1 was sealed is not what the log says: closed old.localhost/log ');
  expect(output).toContain(`WRONG  Night 1 was ${how} when it was seen before, and is unsealed now.`);
  expect(code).toBe(1);
});
