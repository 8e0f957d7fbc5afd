// A log that follows another counts only if that one says so; what each of its operators could try is named. Rules
// 20.2, 20.12, 20.38.
import { expect, test } from 'vitest';
import { openCheckpoint, parseCheckpoint } from '../../src/log/checkpoint.ts';
import { verifierKey } from '../../src/log/note.ts';
import { derivedSigner, signCheckpoint } from '../../src/log/signing.ts';
import { type Verification, verifyHill } from '../../src/verify/index.ts';
import { servedAt } from '../../src/verify/reading.ts';
import { publishLog } from '../../src/worker/log.ts';
import type { LogSettings } from '../../src/worker/log-head.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { useHill } from '../support/hill/index.ts';
import { secret } from '../support/hill/secret.ts';
import { heldBy, signing } from '../support/log/sign.ts';

const next = 'another secret of the tests, of more than thirty-two characters';

/** What `npm run verify -- --log` says that is wrong. */
async function wrongWith(baseUrl: string, change: Partial<Verification> = {}) {
  const wrong: string[] = [];
  const held: string[] = [];
  await verifyHill({
    ...{ hill: servedAt(baseUrl), days: [], held: { receipts: [], opened: [] } as never, seen: {}, logOnly: true },
    withEngine: () => Promise.reject(new Error('no night is looked at')),
    withRelease: () => Promise.reject(new Error('no night is looked at')),
    say: (holds, sentence) => void (holds ? held : wrong).push(sentence),
    note: () => {},
    ...change,
  });
  return { wrong, held };
}

function aHill() {
  const hill = useHill();
  const web = useWebDoor(hill);
  const origin = () => `${new URL(web.baseUrl).host}/log`;
  const sign = async (change: Partial<LogSettings> = {}) => {
    const worker = hill.as('worker');
    const note = await publishLog(
      worker,
      signing({ origin: origin(), witnessed: heldBy(worker), ask: async () => null, ...change }),
    );
    await web.get('/api/log'); // its memory hears of that first
    return note;
  };
  const more = async () => {
    await hill.root.query("insert into hill.log_waiting (at, entry) values (engine.now(), 'deposit 1 ab')");
    await hill.root.query("update hill.settings set shown_at = shown_at + interval '15 minutes'");
  };
  return { hill, web, origin, sign, more };
}

const kept = aHill();
test('the key of the first log hands it over: both hold, each is whole under its own prefix, and a key that was given is held against', async () => {
  const { web, origin, sign, more } = kept;
  await sign();
  await more();
  await sign();
  const seen = {};
  expect((await wrongWith(web.baseUrl, { seen })).wrong).toEqual([]);
  await more();
  await sign({ secret: next, formerSecrets: [secret] });

  const first = derivedSigner(secret, origin(), 'ed25519');
  const pinned = derivedSigner(secret, origin(), 'ed25519');
  for (const change of [{}, { seen }, { pinned }]) {
    const { wrong, held } = await wrongWith(web.baseUrl, change);
    expect(wrong).toEqual([]);
    expect(held).toContain(
      `The log ${origin()}/2 goes on in the place of ${origin()}: from its last checkpoint on, which has 1 entries, and by the word of its key.`,
    );
  }
  const another = derivedSigner(next, origin(), 'ed25519');
  expect((await wrongWith(web.baseUrl, { pinned: another })).wrong).toEqual([
    `The last checkpoint of ${origin()} is not signed by the key that was pinned.`,
  ]);
  expect((await wrongWith(web.baseUrl, { pinned: derivedSigner(next, 'other/log', 'ed25519') })).wrong).toEqual([
    'The log other/log, whose key was given, is not shown.',
  ]);

  // a client of C2SP finds all of the first log under one prefix, and the last one under its own
  const at = async (path: string) => (await web.get(path)).text();
  expect(openCheckpoint(await at('/log/checkpoint'), first)).toMatchObject({ origin: origin(), size: 1 });
  expect((await web.get('/log/tile/entries/000.p/1')).status).toBe(200);
  expect(parseCheckpoint(await at('/log/2/checkpoint')).origin).toBe(`${origin()}/2`);
  expect(await at('/log/last/checkpoint')).toBe(await at('/log/2/checkpoint'));
  expect(verifierKey(first)).toContain(origin());
});

const strange = aHill();
test('a log that somebody without that key began is named, until the reader accepts it', async () => {
  const { web, origin, sign, more } = strange;
  await sign();
  await more();
  await sign({ secret: next, adopt: true });
  const seen = {};
  expect((await wrongWith(web.baseUrl, { seen })).wrong).toEqual([
    expect.stringMatching(
      /^The log .*\/2 goes on in the place of .*: the key of .* has not named its key\. Ask the operator/,
    ),
  ]);
  const accepted = {};
  expect((await wrongWith(web.baseUrl, { seen: accepted, acceptGeneration: true })).wrong).toEqual([]);
  expect((await wrongWith(web.baseUrl, { seen: accepted })).wrong).toEqual([]);
  expect(Object.keys(accepted)).toContain(`${origin()}/2`);
});

const restored = aHill();
test('a log that goes on from more than is shown hides something, whoever signed the handover', async () => {
  const { web, origin, sign, more } = restored;
  await sign();
  await more();
  const lost = signCheckpoint(
    { origin: origin(), size: 7, root: Buffer.alloc(32, 7) },
    [derivedSigner(secret, origin(), 'ed25519')],
    0,
  );
  await sign({ ask: async () => lost, adopt: true });
  expect((await wrongWith(web.baseUrl)).wrong).toEqual([
    expect.stringContaining(`: 7 entries that ${origin()} had signed are not shown any more.`),
  ]);
});
