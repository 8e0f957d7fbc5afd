// Offers what was signed of the log to witnesses, and asks them what they hold. C2SP tlog-witness; rules 20.30, 20.31.
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { call } from '../db/call.ts';
import { viewOf } from '../log/bytes.ts';
import { cosignedAt, parseCheckpoint } from '../log/checkpoint.ts';
import { parseVerifierKey, type Signature, signatureLine, type Verifier } from '../log/note.ts';
import { type GuardedFetch, guardedFetcher } from '../outside/fetcher/index.ts';
import { fetcherSettings } from '../outside/fetcher/settings.ts';
import type { Config } from '../process/config.ts';
import type { Logger } from '../process/log.ts';
import { prover } from '../process/proofs.ts';
import { signingSecret } from '../process/secret.ts';
import { messageOf, StartError } from '../process/start-error.ts';

export type WitnessedSettings = Pick<Config, 'witnesses' | 'env' | 'signingSecret' | 'dataDir'>;

export interface Witnesses {
  /**
   * The checkpoints of a log that they hold, as far as they say so in time: one that was silent the last time has as
   * long as the others take, so it costs none of them its time. Whether its key signed them is for the caller to see.
   */
  held(origin: string): Promise<string[]>;
  /**
   * Offers the last checkpoint to each that has not signed it. Never throws: whoever is slow or gone is asked again
   * with the next quarter hour. Each has two seconds, or less.
   */
  offer(withinMs?: number): Promise<void>;
  /** Whether each had signed the last checkpoint when it was last offered, by the operator's name for it. */
  state(): readonly (readonly [string, boolean])[];
}

/** See trusted.log_offer. */
interface Offer {
  readonly generation: number;
  readonly size: number;
  readonly note: string;
  readonly old_size: number;
  readonly proof: readonly string[] | null;
}

/** One that never answers leaves the others this much less of a closing. */
const askMs = 700;
/** For a second try, too. */
const offerMs = 2_000;

/** As many as there may be, though all of them are on one host: each is asked for two logs at once. */
const atOncePerHost = 64;

/** Their own, so that whatever else is fetched leaves room for them. */
export const witnessFetcher = (config: Parameters<typeof fetcherSettings>[0]): GuardedFetch =>
  guardedFetcher({ ...fetcherSettings(config), atOncePerHost });

/** Throws a StartError if a key is not a witness's. */
export function witnessesOf(config: WitnessedSettings, db: pg.Pool, fetch: GuardedFetch, log: Logger): Witnesses {
  const all = config.witnesses.map((witness) => ({ ...witness, verifier: witnessKey(witness) }));
  const prove = prover(() => signingSecret(config));
  const signed = new Map<string, boolean>();
  /** Of each log, those that did not answer when they were last asked what they hold. */
  const silent = new Map<string, Set<string>>();

  async function offerTo({ key, url, verifier }: (typeof all)[number], withinMs: number): Promise<void> {
    const until = performance.now() + Math.min(withinMs, offerMs);
    for (let old: number | undefined, tries = 0; tries < 2; tries++) {
      const offer = await call<Offer | null>(db, 'api_worker.log_offer', {
        witness: key,
        ...(old === undefined ? {} : { old_size: old }),
      });
      if (!offer) return;
      const { generation, size, note, old_size, proof } = offer;
      if (!proof)
        throw new Error(
          `it says that it holds ${old_size} entries, and ${size} were signed here. Was a database restored, or does another sign?`,
        );
      const answer = await fetch(`${url}/add-checkpoint`, {
        method: 'POST',
        body: `old ${old_size}\n${proof.map((hash) => `${hash}\n`).join('')}\n${note}`,
        timeoutMs: Math.max(1, Math.ceil(until - performance.now())),
      });
      if (answer.status === 200) {
        const { at, signature } = cosignature(note, answer.body.toString(), verifier);
        const line = signatureLine(signature).slice(0, -1);
        const seen_at = new Date(at * 1_000).toISOString();
        const proof = prove('cosignature', String(generation), String(size), key, line, seen_at);
        await call(db, 'api_worker.keep_cosignature', {
          generation,
          size,
          witness: key,
          signature: line,
          seen_at,
          ...proof,
        });
        return;
      }
      old = answer.status === 409 ? sizeIn(answer.body.toString()) : undefined;
      if (old === undefined)
        throw new Error(
          `it answers with ${answer.status}${answer.status === 422 ? ', since what it holds is not the beginning of this log' : ''}`,
        );
    }
    throw new Error('it says another size each time');
  }

  return {
    async held(origin) {
      const hash = createHash('sha256').update(origin).digest('hex');
      const quiet = silent.get(origin) ?? new Set();
      silent.set(origin, quiet);
      const held: string[] = [];
      const asked = all.map(({ url }) => {
        const awaited = !quiet.has(url);
        const answer = fetch(`${url}/${hash}/checkpoint`, { timeoutMs: askMs }).then(
          ({ status, body }) => {
            quiet.delete(url);
            if (status === 200) held.push(body.toString());
          },
          () => void quiet.add(url),
        );
        return { awaited, answer };
      });
      const awaited = asked.filter((one) => one.awaited);
      await Promise.all((awaited.length > 0 ? awaited : asked).map(({ answer }) => answer));
      return [...held]; // and not what comes later
    },
    async offer(withinMs = offerMs) {
      await Promise.all(
        all.map(async (witness) => {
          const before = signed.get(witness.name);
          try {
            await offerTo(witness, withinMs);
            signed.set(witness.name, true);
            if (before === false) log.info(`the witness ${witness.name} signs again`);
          } catch (error) {
            signed.set(witness.name, false);
            if (before !== false) log.warn(`the witness ${witness.name} has not signed the log: ${messageOf(error)}`);
          }
        }),
      );
    },
    state: () => all.map(({ name }) => [name, signed.get(name) ?? false]),
  };
}

function witnessKey({ name, key }: Config['witnesses'][number]): Verifier {
  try {
    const verifier = parseVerifierKey(key);
    if (verifier.type !== 'ed25519') return verifier;
  } catch {
    // said below
  }
  throw new StartError(
    `HILL_WITNESSES: the key of ${name} is not the verifier key of a witness (C2SP tlog-cosignature).`,
  );
}

/**
 * The latest signature of a witness among those that it answers with, and when it says that it signed (seconds since
 * 1970).
 */
function cosignature(note: string, answer: string, verifier: Verifier): { at: number; signature: Signature } {
  const checkpoint = parseCheckpoint(note + answer);
  const [at] = cosignedAt(checkpoint, verifier);
  const signature = checkpoint.note.signatures.find(
    ({ name, id, bytes }) =>
      name === verifier.name && id === verifier.id && Number(viewOf(bytes).getBigUint64(0)) === at,
  );
  if (!at || !signature) throw new Error('its answer has no signature of its key with a time');
  return { at, signature };
}

const sizeIn = (body: string): number | undefined => (/^(0|[1-9]\d{0,14})\n$/.test(body) ? Number(body) : undefined);
