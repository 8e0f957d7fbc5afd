// Receipts that somebody holds: signed by a key that the log has, in the log before the night, and opened by it or
// ended. Rules 20.14, 20.17.

import { base64urlnopad } from '@scure/base';
import { z } from 'zod';
import { isByEd25519 } from '#signatures';
import { sha256, text, utf8 } from '../log/bytes.ts';
import { endingOf } from '../log/commitment.ts';
import type { LoggedDay, Openings } from './openings.ts';
import type { Checked } from './report.ts';

const promised = z.object({
  iss: z.string(),
  day: z.int().min(1),
  deposited_at: z.string(),
  commitment: z.string().regex(/^[0-9a-f]{64}$/),
});
const headed = z.object({ alg: z.literal('EdDSA'), typ: z.literal('hill-receipt+jwt'), kid: z.string() });
const key = z.object({ kid: z.string(), kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() });
const ownDeposit = z.object({
  commitment: z.string().regex(/^[0-9a-f]{64}$/),
  salt: z.string().regex(/^([0-9a-f]{2})*$/),
  ends: z.string(),
  move: z.string(),
});

interface Receipt extends z.infer<typeof promised> {
  readonly kid: string;
  readonly signed: string;
  readonly signature: Uint8Array;
}

/** What an account knows of deposits of its own, as `status` and the debrief tell it. */
type Own = z.infer<typeof ownDeposit>;

export interface Held {
  readonly receipts: readonly Receipt[];
  /** What is signed and says that it is a receipt, or does not say what it is, and has not the form of one. */
  readonly malformed: readonly string[];
  readonly own: readonly Own[];
}

/** All receipts that stand in texts; and what else these say of deposits, where they are JSON or lines of JSON. */
export function receiptsIn(texts: readonly string[]): Held {
  const receipts = new Map<string, Receipt>();
  const malformed = new Set<string>();
  for (const [jws, head = '', body = '', signature = ''] of texts
    .join('\n')
    .matchAll(/\b(eyJ[\w-]+)\.(eyJ[\w-]+)\.([\w-]+)/g)) {
    const header = headed.safeParse(decoded(head));
    const payload = promised.safeParse(decoded(body));
    if (header.success && payload.success)
      receipts.set(jws, {
        ...payload.data,
        kid: header.data.kid,
        signed: `${head}.${body}`,
        signature: bytesOf(signature) ?? new Uint8Array(),
      });
    else if (isReceipt(decoded(head))) malformed.add(jws);
  }
  return {
    receipts: [...receipts.values()],
    malformed: [...malformed],
    own: depositsIn(texts.map((given) => parsed(given) ?? given.split('\n').map(parsed))),
  };
}

/** Not another token that stands in the same text. */
const isReceipt = (header: unknown): boolean => {
  const { data } = z.object({ typ: z.string() }).safeParse(header);
  return data === undefined || data.typ === 'hill-receipt+jwt';
};

function depositsIn(value: unknown): Own[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = ownDeposit.safeParse(value);
  return [...(own.success ? [own.data] : []), ...Object.values(value).flatMap(depositsIn)];
}

interface LoggedReceipts {
  readonly origins: readonly string[];
  readonly keys: ReadonlySet<string>;
  /** Undefined where the log has nothing of the day. */
  readonly deposits: (day: number) => ReadonlyMap<string, number> | undefined;
  /** Undefined of a night that the log does not have yet. */
  readonly night: (day: number) => LoggedDay | undefined;
  /** Of nights that were checked. */
  readonly openings: (day: number) => Openings | undefined;
}

export async function checkReceipts(
  { hill, check, note }: Checked,
  { receipts, malformed, own }: Held,
  logged: LoggedReceipts,
): Promise<void> {
  for (const jws of malformed)
    check(false, '', `${jws.slice(0, 12)}…${jws.slice(-12)} is not of the form of a receipt.`);
  if (receipts.length === 0) return;
  const { keys } = await hill.json<{ keys: unknown[] }>('/log/receipt-keys');
  const published = new Map(
    keys.flatMap((one) => {
      const { data } = key.safeParse(one);
      const by = data && isNamedBy(data) && bytesOf(data.x);
      return by ? [[data.kid, by]] : [];
    }),
  );
  // whoever keeps what all its agents were told has many
  const byCommitment = new Map(own.map((one) => [one.commitment, one]));
  const byEnds = Map.groupBy(own, ({ ends }) => ends);
  for (const receipt of receipts) {
    const { day, commitment, iss } = receipt;
    const which = `The receipt ${commitment.slice(0, 12)} of day ${day}`;
    const by = published.get(receipt.kid);
    const ours = logged.origins.some((origin) => origin.replace(/\/[1-9][0-9]*$/, '') === iss); // the first log of that host may have had another name
    const signed = by !== undefined && ours && isSigned(receipt, by);
    // A key waits for the next batch (rules 20.18). It has to be there with what it signed for.
    if (signed && !logged.keys.has(receipt.kid) && !logged.night(day)) {
      note(`${which} is signed by a key that the hill shows: the log has neither that nor the night yet.`);
      continue;
    }
    const right = signed && logged.keys.has(receipt.kid);
    const ofKey = 'signed by a key that the log has, for this hill.';
    check(right, `${which} is ${ofKey}`, `${which} is not ${ofKey}`);
    if (!right) continue;

    const number = logged.deposits(day)?.get(commitment);
    const night = logged.night(day);
    if (!night) {
      note(`${which} ${number === undefined ? 'is not in the log yet' : 'is in the log'}: the night is not.`);
      continue;
    }
    const kept = number !== undefined && number < night.night;
    check(
      kept,
      `${which} is in the log before the night.`,
      `${which} is not in the log before the night: the promise was not kept.`,
    );
    const openings = logged.openings(day);
    if (!kept || !openings) continue;
    const mine = byCommitment.get(commitment);
    const ending = mine && endingOf(mine.salt, commitment);
    const namedEnd =
      ending !== undefined && byEnds.get(ending)?.some(({ commitment: by }) => logged.deposits(day)?.has(by));
    const end = [
      openings.opened.has(commitment) && 'lived, and the night opened it.',
      mine?.move === 'PASS' && 'is a PASS, which a night does not open.',
      ending !== undefined && openings.ends.has(ending) && 'was ended by a deposit that the night opened.',
      namedEnd && 'was ended by another deposit that you named, which is in the log.',
    ].find(Boolean);
    check(
      end !== undefined,
      `${which} ${end}`,
      `${which} was not opened. If nothing replaced or withdrew it, it was hidden; if something did, give what play or the debrief told you of both.`,
    );
  }
}

/** RFC 7638. */
const isNamedBy = ({ kid, crv, kty, x }: z.infer<typeof key>): boolean =>
  base64urlnopad.encode(sha256(utf8(JSON.stringify({ crv, kty, x })))) === kid;

const isSigned = ({ signed, signature }: Receipt, by: Uint8Array): boolean => isByEd25519(by, utf8(signed), signature);

/** Null of what is not base64url. */
function bytesOf(coded: string): Uint8Array | null {
  try {
    return base64urlnopad.decode(coded);
  } catch {
    return null;
  }
}

function decoded(part: string): unknown {
  const bytes = bytesOf(part);
  return bytes && parsed(text(bytes));
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
