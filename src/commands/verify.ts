// npm run verify: holds any hill against its public log. Rules 20.14.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { engineSource } from '../db/engine-source.ts';
import { ownSources } from '../db/migrate.ts';
import { parseVerifierKey, type Verifier } from '../log/note.ts';
import type { Config } from '../process/config.ts';
import { makeLog } from '../process/log.ts';
import { StartError } from '../process/start-error.ts';
import { verifyHill } from '../verify/index.ts';
import type { KnownLogs } from '../verify/known-logs.ts';
import { sha256 } from '../verify/nights.ts';
import { beginArchive, endArchive, openArchive, openServedArchive, savedTo } from '../verify/node/archive.ts';
import { readKnownLogs, writeKnownLogs } from '../verify/node/known-logs.ts';
import { followHill, mirrorHill, NotMirrored } from '../verify/node/mirror.ts';
import { inPostgres } from '../verify/node/release.ts';
import { type Policy, parsePolicy } from '../verify/policy.ts';
import { askAt, Missing, type Served, servedAt } from '../verify/reading.ts';
import { receiptsIn } from '../verify/receipts.ts';
import { concluded } from '../verify/report.ts';

const usage =
  'Say which hill, and which nights if not all: npm run verify -- https://hill.example 7 8 (--seen <file> says where what was seen before is kept; --receipts <file> has receipts to check, or what play told; --witness <key> that a witness must have signed; --policy <file> says how many of which (C2SP tlog-policy); --late <seconds> after midnight at which they may have seen a closing, 120 if not said; --key <key> of the log, as you got it elsewhere; --accept-generation takes a log that the one before it has not handed over; --log looks at the log alone; --save <folder> keeps all that was read, and npm run verify -- --archive <folder> 7 8 checks that without a network, as it does with the address of a mirror; --mirror <folder> copies all that is published for any web server to serve, and --follow <seconds> keeps it up to date)';

export async function run(config: Config, args: string[]): Promise<number> {
  const {
    url,
    hill,
    days,
    file,
    witnesses,
    pinned,
    policy,
    lateSeconds,
    acceptGeneration,
    logOnly,
    receipts,
    save,
    from,
    mirror,
    follow,
  } = await parse(args);
  const seen = readKnownLogs(file);
  if (mirror !== undefined) return copyTo(mirror, url, file, seen, follow);
  if (save !== undefined) beginArchive(save, url);
  if (from !== undefined) console.log(`       ${from}`);
  const log = makeLog({ logLevel: 'error', logFormat: config.logFormat });
  console.log(`       The engine of this release is ${sha256(engineSource(ownSources))}.`);
  let wrong = 0;
  const say = (holds: boolean, sentence: string): void => {
    if (!holds) wrong += 1;
    console.log(`${holds ? 'ok    ' : 'WRONG '} ${sentence}`);
  };
  await verifyHill({
    hill,
    days,
    held: receiptsIn(receipts),
    seen,
    ...inPostgres(log),
    say,
    note: (sentence) => console.log(`       ${sentence}`),
    witnesses,
    ...(pinned ? { pinned } : {}),
    ...(policy ? { policy } : {}),
    ...(lateSeconds === undefined ? {} : { lateSeconds }),
    acceptGeneration,
    logOnly,
  }).catch((error: Error) => {
    if (!(error instanceof Missing)) throw error;
    say(false, error.message);
  });
  if (save !== undefined) {
    await hill.bytes('/log/receipt-keys').catch(() => undefined); // for receipts that somebody brings later
    endArchive(save, url, logOnly ? 'none' : days.length === 0 ? 'all' : days);
    console.log(`What was read is in ${save}. To check it again: npm run verify -- --archive ${save}`);
  }
  if (wrong === 0) writeKnownLogs(file, seen);
  console.log(`${concluded(wrong)}${wrong === 0 ? ` What was seen is in ${file}: keep it.` : ''}`);
  return wrong === 0 ? 0 : 1;
}

/** Where something does not hold, the folder stays as it is. */
async function copyTo(folder: string, url: string, file: string, seen: KnownLogs, follow: number | undefined) {
  const mirror = {
    folder,
    url,
    ask: askAt(url),
    seen,
    say: (_: boolean, sentence: string) => console.log(`ok     ${sentence}`),
  };
  const done = (failure: string | null) => {
    if (failure === null) writeKnownLogs(file, seen);
    else console.log(`       ${failure}`);
  };
  try {
    await mirrorHill(mirror);
    done(null);
    console.log(`A mirror of ${url} is in ${folder}. What was seen is in ${file}: keep it.`);
    if (follow !== undefined) await followHill(mirror, follow, done);
    return 0;
  } catch (error) {
    if (!(error instanceof NotMirrored || error instanceof Missing)) throw error;
    console.log(`WRONG  ${error.message}`);
    return 1;
  }
}

interface Asked {
  readonly url: string;
  readonly hill: Served;
  readonly days: readonly number[];
  readonly file: string;
  readonly witnesses: Verifier[];
  readonly pinned: Verifier | undefined;
  readonly policy: Policy | undefined;
  readonly lateSeconds: number | undefined;
  readonly acceptGeneration: boolean;
  readonly logOnly: boolean;
  readonly receipts: string[];
  /** Where to keep what is read. */
  readonly save: string | undefined;
  /** Where it is read from, if not over the network. */
  readonly from: string | undefined;
  /** Where to copy all that is published, and after how many seconds again. */
  readonly mirror: string | undefined;
  readonly follow: number | undefined;
}

const one = { type: 'string' } as const;
const several = { type: 'string', multiple: true } as const;
const options = {
  seen: one,
  witness: several,
  key: one,
  policy: one,
  late: one,
  'accept-generation': { type: 'boolean' },
  receipts: several,
  log: { type: 'boolean' },
  save: one,
  archive: one,
  mirror: one,
  follow: one,
} as const;

async function parse(args: string[]): Promise<Asked> {
  let parsed: ReturnType<typeof parseArgs<{ args: string[]; options: typeof options; allowPositionals: true }>>;
  let witnesses: Verifier[];
  let pinned: Verifier | undefined;
  let policy: Policy | undefined;
  try {
    parsed = parseArgs({ args, options, allowPositionals: true });
    witnesses = (parsed.values.witness ?? []).map(parseVerifierKey);
    pinned = parsed.values.key === undefined ? undefined : parseVerifierKey(parsed.values.key);
  } catch {
    throw new StartError(usage);
  }
  const { values, positionals } = parsed;
  if (values.policy !== undefined) policy = parsePolicy(textOf(values.policy));
  const archive =
    values.archive === undefined
      ? undefined
      : /^https?:/.test(values.archive)
        ? await openServedArchive(values.archive)
        : openArchive(path.resolve(values.archive));
  const [address = '', ...words] = archive ? [archive.url, ...positionals] : positionals;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    !words.every((day) => /^[1-9]\d{0,8}$/.test(day)) ||
    witnesses.some(({ type }) => type === 'ed25519') ||
    (pinned && pinned.type !== 'ed25519') ||
    !/^\d{1,6}$/.test(values.late ?? '0') ||
    [archive, values.save, values.mirror].filter((given) => given !== undefined).length > 1 ||
    !/^[1-9]\d{0,5}$/.test(values.follow ?? '1') ||
    (values.follow !== undefined && values.mirror === undefined)
  )
    throw new StartError(usage);
  const save = values.save === undefined ? undefined : path.resolve(values.save);
  const named = words.map(Number);
  return {
    url: url.origin,
    hill: archive?.hill ?? (save === undefined ? servedAt(url.origin) : savedTo(save, url.origin, askAt(url.origin))),
    days: named.length === 0 && Array.isArray(archive?.nights) ? archive.nights : named,
    file: path.resolve(values.seen ?? `${url.host.replace(':', '-')}.seen.json`),
    witnesses,
    pinned: pinned ?? policy?.logs[0],
    policy,
    lateSeconds: values.late === undefined ? undefined : Number(values.late),
    acceptGeneration: values['accept-generation'] ?? false,
    logOnly: (values.log ?? false) || archive?.nights === 'none',
    receipts: (values.receipts ?? []).map(textOf),
    save,
    mirror: values.mirror === undefined ? undefined : path.resolve(values.mirror),
    follow: values.follow === undefined ? undefined : Number(values.follow),
    from:
      archive &&
      `Read from ${values.archive}, which was saved of ${archive.url} at ${archive.savedAt}. Nothing is asked of the hill.`,
  };
}

/** A receipt itself, or a file that has some. */
function textOf(receipt: string): string {
  if (receipt.startsWith('eyJ') && !fs.existsSync(receipt)) return receipt;
  try {
    return fs.readFileSync(receipt, 'utf8');
  } catch (error) {
    throw new StartError(`${receipt} is no receipt, and no file that can be read.`, { cause: error });
  }
}
