// The public log: where it is, how far it has come, and what it signs with; and the engines that it names. Rules 20.9,
// 20.12.
import { z } from 'zod';
import { count, dayNumber, instant, linkFields } from './fields.ts';

export const aWitness = z.object({
  name: z.string().describe('The name of its key.'),
  key: z.string().describe('Its key, as C2SP signed-note writes it. Whose it is, ask them.'),
  seenAt: instant.describe('When it says that it saw that checkpoint, by its own clock.'),
});

const aLog = z.object({
  origin: z.string().describe('The name that its checkpoints and keys carry (C2SP tlog-checkpoint).'),
  checkpoint: z.string().describe('Address of its last checkpoint.'),
  tiles: z.string().describe('What stands before the paths of its tiles and bundles (C2SP tlog-tiles).'),
  keys: z.array(z.string()).describe('Keys to pin, as C2SP signed-note writes them: Ed25519 first, then ML-DSA-44.'),
  handover: z
    .string()
    .nullable()
    .describe(
      'The note in which the key of the log before names the first of these keys (C2SP signed-note). Null of the first log, and where that key was lost: then ask the operator why another log began.',
    ),
  beganAt: instant.describe('When it began.'),
  signedAt: instant.describe('When its last checkpoint was signed, by the clock of the hill.'),
  size: count.describe('How many entries its last checkpoint has.'),
  root: z.string().describe('The root of their tree (RFC 6962, 2.1), in base64.'),
  witnesses: z
    .array(aWitness)
    .describe(
      'Who signed its last checkpoint too (C2SP tlog-cosignature), the first one first. None: it is the word of the hill.',
    ),
});

export const logRecord = z.object({
  simulated: z
    .boolean()
    .describe('Whether the clock of the hill is simulated: then its instants say nothing about those of the world.'),
  logs: z
    .array(aLog)
    .describe(
      'The one that grows first. Another one begins only where the hill could not continue the last. None before the first checkpoint.',
    ),
  ...linkFields,
});
/** As the database gives it: the door adds the addresses. */
export interface Log {
  readonly simulated: boolean;
  readonly logs: readonly (Omit<z.infer<typeof aLog>, 'checkpoint' | 'tiles'> & { readonly number: number })[];
}

const anEngine = z.object({
  sha256: z.string().describe('SHA-256 of its sources, by which the log names it.'),
  firstNight: dayNumber.describe('The first night that it resolved.'),
  lastNight: dayNumber.describe('The last one.'),
  nights: count.describe('How many it resolved.'),
  source: z.string().describe('Address of its sources: a tar file, for good.'),
  changes: z
    .string()
    .nullable()
    .describe('Address of what changed since the engine before it, as a unified diff. Null of the first one.'),
});

export const enginesRecord = z.object({
  running: z
    .string()
    .nullable()
    .describe(
      'SHA-256 of the engine that is loaded, which resolves the next night. npm run verify says that of a release.',
    ),
  engines: z.array(anEngine).describe('Those that resolved a night, the latest first.'),
  ...linkFields,
});
/** As the database gives it: the door adds the addresses. */
export interface Engines {
  readonly running: string | null;
  readonly engines: readonly Omit<z.infer<typeof anEngine>, 'source' | 'changes'>[];
}
