// What is known outside the database of a world of what was signed of its log: a file, the worker's own memory, and the
// hill's own address.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { call } from '../../src/db/call.ts';
import { parseCheckpoint, type TreeHead } from '../../src/log/checkpoint.ts';
import { type Memory, readKept } from '../../src/worker/known.ts';
import { publishLog } from '../../src/worker/log.ts';
import { type LogSettings, NotVouched } from '../../src/worker/log-head.ts';
import type { Hill } from '../support/hill/index.ts';
import { signing } from '../support/log/sign.ts';
import { Contradiction } from './model.ts';
import type { World } from './world.ts';

export interface Outside {
  readonly folder: string;
  readonly file: string;
  /** Of the worker's process, until that ends. */
  memory: Memory;
  /** Whether the hill's own address shows what its database has signed, or is away. */
  address: 'shows' | 'away';
  /** What the file had when it was newest, and when it was copied. */
  last: string | null;
  copy: string | null;
}

export function outsideOf(name: string): Outside {
  const folder = path.join(os.tmpdir(), `hill-${name}`);
  return {
    folder,
    file: path.join(folder, 'checkpoint'),
    memory: { signed: null },
    address: 'shows',
    last: null,
    copy: null,
  };
}

export const settingsOf = (hill: Hill, { file, memory, address }: Outside, adopt = false): LogSettings =>
  signing({
    ...{ file, memory, adopt },
    ask: async () => {
      if (address === 'away') throw new Error('away');
      const head = await call<{ checkpoint: string | null } | null>(hill.as('worker'), 'api_worker.log_head');
      return head?.checkpoint ?? null;
    },
  });

/** Another process: it knows what the file shows, and no more. */
export const restarted = ({ outside }: World): void => {
  outside.memory = { signed: null };
};

/** `hill.example/log` is 1, `hill.example/log/2` is 2. */
const numberOf = (origin: string) => Number(/\d+$/.exec(origin)?.[0] ?? 1);
const isBefore = (one: TreeHead, other: TreeHead): boolean =>
  (numberOf(one.origin) - numberOf(other.origin) || one.size - other.size) < 0;

/**
 * Whether this machine has signed for this database, by its file, and nothing shows that the database has more; or
 * whether the worker's process has seen the log grow that the database has.
 */
export async function isVouchedFor({ hill, outside }: World): Promise<boolean> {
  const [last] = await hill.rows<{ note: string }>(
    'select note from hill.log_checkpoints order by generation desc, size desc limit 1',
  );
  if (!last) return true;
  const database = await call<string>(hill.as('worker'), 'api_worker.database_identity');
  const kept = await readKept(outside.file);
  const end = parseCheckpoint(last.note);
  const { signed, found } = outside.memory;
  if (signed?.database === database) return true;
  if (found?.database === database && isBefore(found.checkpoint, end)) return true;
  const mine = kept.says === 'checkpoint' && (kept.database ?? database) === database ? kept.checkpoint : null;
  return mine !== null && !isBefore(mine, end);
}

/** Signs if somebody vouches for the database, and does not where nobody does. */
export async function signWorld(world: World, pool: pg.Pool = world.hill.as('worker')): Promise<string> {
  const vouched = await isVouchedFor(world);
  try {
    await publishLog(pool, settingsOf(world.hill, world.outside));
  } catch (error) {
    if (vouched || !(error instanceof NotVouched)) throw error;
    return error.reason;
  }
  if (!vouched) throw new Contradiction('The log was signed, and nobody vouched for its database');
  return 'signed';
}

/** What the file has. Whatever was newest is remembered for an operator who puts it back. */
export function keptFile({ outside }: World): string | null {
  if (!fs.existsSync(outside.file)) return null;
  const text = fs.readFileSync(outside.file, 'utf8');
  if (!outside.last || !isBefore(parseCheckpoint(text), parseCheckpoint(outside.last))) outside.last = text;
  return text;
}

export function putFile({ outside }: World, text: string | null): void {
  if (text === null) fs.rmSync(outside.file, { force: true });
  else fs.writeFileSync(outside.file, text);
}
