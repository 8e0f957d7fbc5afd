// commands/verify.ts · npm run verify: holds any hill against its public log. Rules 20.14.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parseVerifierKey, type Verifier } from '../log/note.ts';
import type { Config } from '../process/config.ts';
import { makeLog } from '../process/log.ts';
import { StartError } from '../process/start-error.ts';
import { withEngineOf } from '../verify/engines.ts';
import { verifyHill } from '../verify/index.ts';
import { servedAt } from '../verify/reading.ts';
import { receiptsIn } from '../verify/receipts.ts';
import { readSeen, writeSeen } from '../verify/seen.ts';

const usage =
  'Say which hill, and which nights if not all: npm run verify -- https://hill.example 7 8 (--seen <file> says where what was seen before is kept; --receipts <file> has receipts to check, or what play told; --witness <key> that a witness must have signed; --log looks at the log alone)';

export async function run(config: Config, args: string[]): Promise<number> {
  const { url, days, file, witnesses, logOnly, receipts } = parse(args);
  const seen = readSeen(file);
  const log = makeLog({ logLevel: 'error', logFormat: config.logFormat });
  let wrong = 0;
  await verifyHill(
    servedAt(url),
    days,
    receiptsIn(receipts),
    seen,
    (source, use) => withEngineOf(source, log, use),
    (holds, sentence) => {
      if (!holds) wrong += 1;
      console.log(`${holds ? 'ok    ' : 'WRONG '} ${sentence}`);
    },
    (sentence) => console.log(`       ${sentence}`),
    { witnesses, logOnly },
  );
  if (wrong === 0) writeSeen(file, seen);
  console.log(wrong === 0 ? `All of it holds. What was seen is in ${file}: keep it.` : `${wrong} of these checks failed.`);
  return wrong === 0 ? 0 : 1;
}

interface Asked {
  readonly url: string;
  readonly days: number[];
  readonly file: string;
  readonly witnesses: Verifier[];
  readonly logOnly: boolean;
  readonly receipts: string[];
}

const several = { type: 'string', multiple: true } as const;
const options = { seen: { type: 'string' }, witness: several, receipts: several, log: { type: 'boolean' } } as const;

function parse(args: string[]): Asked {
  let parsed: { values: { seen?: string; witness?: string[]; receipts?: string[]; log?: boolean }; positionals: string[] };
  let witnesses: Verifier[];
  try {
    parsed = parseArgs({ args, options, allowPositionals: true });
    witnesses = (parsed.values.witness ?? []).map(parseVerifierKey);
  } catch {
    throw new StartError(usage);
  }
  const [address = '', ...days] = parsed.positionals;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    !days.every((day) => /^[1-9]\d{0,8}$/.test(day)) ||
    witnesses.some(({ type }) => type === 'ed25519')
  )
    throw new StartError(usage);
  return {
    url: url.origin,
    days: days.map(Number),
    file: path.resolve(parsed.values.seen ?? `${url.host.replace(':', '-')}.seen.json`),
    witnesses,
    logOnly: parsed.values.log ?? false,
    receipts: (parsed.values.receipts ?? []).map(textOf),
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
