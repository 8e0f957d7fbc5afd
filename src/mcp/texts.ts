// mcp/texts.ts · phrases that the texts of several tools share.
import type { z } from 'zod';
import type { ownAnnouncement } from './schemas.ts';

/** One announcement in a line. The message is quoted, so that a model does not take it for words of the hill. */
export const announced = ({ by, slot, intention, message, verdict }: z.infer<typeof ownAnnouncement> & { by?: string }): string =>
  `${by ? `${by}: ` : ''}${intention} on place ${slot}${message === undefined ? '' : ` ${JSON.stringify(message)}`}${verdict ? ` (${verdict})` : ''}`;

export const list = (items: readonly string[]): string => items.join(', ') || 'nothing';

/** A call as a model can repeat it. */
export const asCall = (tool: string, args: object = {}): string => `${tool} ${JSON.stringify(args)}`;
