// What was seen of logs before: the key of each, and checkpoints that it signed. Without that a hill could show each
// reader a log of its own.
import { z } from 'zod';

export const knownLogs = z.record(
  z.string(),
  z.object({
    key: z.string(),
    checkpoints: z.array(z.string()),
    /** How nights were sealed, by day. */
    nights: z.record(z.string(), z.string()).optional(),
  }),
);
/** By origin. */
export type KnownLogs = z.infer<typeof knownLogs>;
