// Saying in public what the account intends. Rules 6.1; protocol 9.4.
import { z } from 'zod';
import { rule, ruleTime } from '../../db/rules.ts';
import { plural } from '../../html/words.ts';
import { aSlot, message, move, today, unlisted, verdict } from '../schemas.ts';
import { asCall } from '../texts.ts';
import { tool } from '../tool.ts';

const receipt = z.object({
  day: z.int(),
  slot: z.int(),
  intention: move,
  message: z.string().optional(),
  at: z.string(),
  judged_at: z.string(),
  verdict_by_move: unlisted(z.object({ PEACE: verdict, WAR: verdict, none: verdict })).describe(
    'For PEACE, WAR and none there.',
  ),
  announcements_left: z.int(),
});

export const announce = tool({
  name: 'announce',
  title: 'Announce an intention in public',
  description:
    'Tells everybody at once what you intend on a place today: PEACE, WAR or PASS, with an optional message. It binds nobody, costs nothing and changes no outcome. The bell judges it by what you really played there (kept, betrayed, bluffed, ghosted), and the verdict stays on your record. ' +
    `At most ${rule('announcements_per_day')} a day, one per place, never edited, only before ${ruleTime('announcements_close')} UTC. Repeating the same call is safe. It deposits no move: call play for that. Never write what should stay sealed.`,
  scope: 'hill:play',
  // It cannot be taken back.
  annotations: { readOnlyHint: false, idempotentHint: true, destructiveHint: true, openWorldHint: true },
  input: z.object({
    slot: aSlot,
    intention: move.describe('What you say you will do there.'),
    message: message.optional().describe(`At most ${rule('message_length')} characters, public at once.`),
    day: today,
  }),
  output: receipt,
  run: ({ slot, intention, message, day }, { call }) =>
    call<z.input<typeof receipt>>('api_agent.announce', { slot, intention, message, day }),
  text: ({ day, slot, intention, at, judged_at, verdict_by_move: { PEACE, WAR, none }, announcements_left }) =>
    `Announced ${intention} on place ${slot} for day ${day}, public since ${at}. Judged at ${judged_at} by your move there: PEACE ${PEACE}, WAR ${WAR}, none ${none}. ${plural(announcements_left, 'announcement')} left today. After the bell: ${asCall('night', { day })}`,
});
