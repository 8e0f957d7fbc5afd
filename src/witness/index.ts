// A witness of others' logs: it signs what a log has become if that goes on from what it signed before. C2SP
// tlog-witness; rules 20.32.
import { createHash } from 'node:crypto';
import type http from 'node:http';
import getRawBody from 'raw-body';
import { equal } from '../log/bytes.ts';
import { type Checkpoint, isDecimal, parseCheckpoint } from '../log/checkpoint.ts';
import {
  isSignedBy,
  NotSigned,
  parseVerifierKey,
  signatureLine,
  strictBase64,
  type Verifier,
  verifierKey,
} from '../log/note.ts';
import { growsFrom } from '../log/proof.ts';
import { cosign, type Signer } from '../log/signing.ts';
import type { Logger } from '../process/log.ts';
import { StartError } from '../process/start-error.ts';
import { openMemory } from './held.ts';

export interface WitnessSettings {
  /** Verifier keys of logs; a key's name is the origin of its log. */
  readonly logs: readonly string[];
  /** Ed25519 first. */
  readonly signers: readonly Signer[];
  /** What it holds. */
  readonly file: string;
}

/** Of a request: 63 hashes, and a note with some dozen signatures. */
const mostBytes = 65_536;
const mostHashes = 63;
const emptyRoot = createHash('sha256').digest();

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
}

/** What somebody asks to be signed. */
interface Added {
  readonly oldSize: number;
  readonly proof: readonly Uint8Array[];
  readonly checkpoint: Checkpoint;
}

/** Throws a StartError if one of the keys is not a log's. */
export function openWitness({ logs, signers, file }: WitnessSettings, log: Logger) {
  const known = new Map(logs.map((text) => [logKey(text).name, logKey(text)]));
  const shown = new Map([...known.keys()].map((origin) => [createHash('sha256').update(origin).digest('hex'), origin]));
  const memory = openMemory(file, emptyRoot);
  const keys = signers.map((signer) => `${verifierKey(signer)}\n`).join('');

  /** In one turn from what is held to what is kept; another process at the same file is seen when it is kept. */
  function add(body: string): Answer {
    const added = parse(body);
    if (!added)
      return no(400, 'The body is not "old" and a size, at most 63 hashes in base64, an empty line, and a checkpoint.');
    const { oldSize, proof, checkpoint } = added;
    const { origin, size, root } = checkpoint;
    const key = known.get(origin);
    if (!key) return no(404, `This witness does not know a log ${origin}.`);
    if (!isSigned(checkpoint, key))
      return no(403, `The checkpoint is not signed by the key of ${origin} that this witness knows.`);
    if (oldSize > size) return no(400, 'The old size is above that of the checkpoint.');
    const held = memory.of(origin);
    if (oldSize !== held.size) return conflict(held.size);
    if (!(size === 0 ? equal(root, emptyRoot) && proof.length === 0 : growsFrom(held, checkpoint, proof))) {
      // worth keeping: with what is held it shows that the log has two histories, or that its proof is wrong
      log.warn(
        { checkpoint: checkpoint.note.text, held: held.note },
        `${origin} does not go on from what was signed of it`,
      );
      return no(
        422,
        `The proof does not show that the checkpoint goes on from size ${held.size} as this witness signed it.`,
      );
    }
    const at = Math.floor(Date.now() / 1_000);
    const lines = signers.map((signer) => signatureLine(cosign(checkpoint, signer, at, checkpoint.note.text))).join('');
    const ofLog = checkpoint.note.signatures
      .filter(({ name, id }) => name === key.name && id === key.id)
      .map(signatureLine);
    if (!memory.move(held, checkpoint, `${checkpoint.note.text}\n${ofLog.join('')}${lines}`))
      return conflict(memory.of(origin).size);
    log.debug(`signed ${origin} at size ${size}`);
    return { status: 200, body: lines };
  }

  async function answer(req: http.IncomingMessage): Promise<Answer> {
    // a proxy may leave a path of its own in front
    const path = (req.url ?? '').replace(/^\/witness(?=\/|$)/, '') || '/';
    if (path === '/add-checkpoint') {
      if (req.method !== 'POST') return no(405, 'Only POST.');
      try {
        return add(
          await getRawBody(req, { limit: mostBytes, length: req.headers['content-length'] ?? null, encoding: 'utf8' }),
        );
      } catch (error) {
        if ((error as { type?: string }).type !== 'entity.too.large') throw error;
        return no(413, `At most ${mostBytes} bytes.`);
      }
    }
    if (req.method !== 'GET' && req.method !== 'HEAD') return no(405, 'Only GET.');
    if (path === '/') return { status: 200, body: keys };
    const [, hash = ''] = /^\/([0-9a-f]{64})\/checkpoint$/.exec(path) ?? [];
    const origin = shown.get(hash);
    const note = origin === undefined ? null : memory.of(origin).note;
    return note === null ? no(404, 'There is nothing at that address.') : { status: 200, body: note };
  }

  const handler: http.RequestListener = async (req, res) => {
    const { status, body, type } = await answer(req).catch((error: Error): Answer => {
      if (res.destroyed) return no(400, 'The request broke off.');
      log.error(`a request failed: ${error.message}`);
      return no(500, 'The witness failed. Nothing was signed.');
    });
    // what was not read of a request that is too long is not for the next one
    if (status === 413) res.shouldKeepAlive = false;
    res
      .writeHead(status, { 'Content-Type': type ?? 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' })
      .end(body);
  };
  return { handler, close: () => memory.close() };
}

const no = (status: number, why: string): Answer => ({ status, body: `${why}\n` });
const conflict = (size: number): Answer => ({ status: 409, body: `${size}\n`, type: 'text/x.tlog.size' });

function logKey(text: string): Verifier {
  try {
    const key = parseVerifierKey(text);
    if (key.type === 'ed25519') return key;
  } catch {
    // said below
  }
  throw new StartError(`HILL_WITNESS_LOGS: ${text} is not the Ed25519 verifier key of a log (C2SP tlog-checkpoint).`);
}

/** Null for what is not of the form. */
function parse(body: string): Added | null {
  const end = body.indexOf('\n\n');
  const [old = '', ...hashes] = body.slice(0, Math.max(0, end)).split('\n');
  const size = old.startsWith('old ') ? old.slice(4) : '';
  const proof = hashes.map(strictBase64);
  if (!isDecimal(size) || proof.length > mostHashes || !proof.every((hash) => hash?.length === 32)) return null;
  try {
    return { oldSize: Number(size), proof: proof as Uint8Array[], checkpoint: parseCheckpoint(body.slice(end + 2)) };
  } catch (error) {
    if (error instanceof NotSigned) return null;
    throw error;
  }
}

/** A note that has a wrong signature of a known key is not signed. */
function isSigned({ note }: Checkpoint, key: Verifier): boolean {
  try {
    return isSignedBy(note, key);
  } catch {
    return false;
  }
}
