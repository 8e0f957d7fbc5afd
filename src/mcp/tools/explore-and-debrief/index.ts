// Tonight's options before the bell, and a past night explained after it. Rules 3.1, 4.4, 4.5, 5.4, 6.3; protocol 9.4.
import { z } from 'zod';
import { stepsText } from '../../claim.ts';
import { day, slot, unlisted } from '../../schemas.ts';
import { briefTool, readsOnly } from '../../tool.ts';
import { briefly, type Found as Debriefed, debriefed, debriefText } from './debrief.ts';
import { brief, type Found as Explored, explored, optionsText } from './explore.ts';

const output = z.object({
  mode: z.enum(['explore', 'debrief']),
  day: z.int(),
  claimed: z.boolean(),
  explore: explored.optional(),
  debrief: debriefed.optional(),
  how_to_be_claimed: unlisted(z.object({ steps: z.array(z.string()), guide: z.string() })).optional(),
});

type Found = Omit<z.input<typeof output>, 'explore' | 'debrief'> & {
  explore?: Explored;
  debrief?: Debriefed;
  /** The place that was asked about. */
  slot?: number;
};

export const exploreAndDebrief = briefTool({
  name: 'explore_and_debrief',
  title: 'Explore tonight, debrief a past night',
  description:
    'mode explore (the default), before you play: for each place who sits there and, for PEACE, WAR and PASS, the cost now, whether play would accept it (else the code ' +
    'and what to do), and what the real engine makes of it if nobody else moves or if all holders stay at peace; with slot also why, your reputation after it, the largest stake, and what was announced there. ' +
    'mode debrief, after a bell: what became of each of your moves on a past day (by default the last night), which rule and tie-break decided it and against whom, ' +
    'what it cost, from which money, what it earned, verdicts on your announcements, how your places changed. It reads nothing sealed except your own live moves. ' +
    'Next: ask_the_bell to try a night with the moves of others, or play.',
  scope: 'hill:read',
  annotations: readsOnly,
  input: z.object({
    mode: z
      .enum(['explore', 'debrief'])
      .optional()
      .describe('explore: tonight, by default. debrief: a night that is over, by default if day is given.'),
    day: day
      .optional()
      .describe('debrief: the day whose night is explained, by default the last. explore is always today.'),
    slot: slot.optional().describe('One place, told in full; by default all.'),
    proofs: z.boolean().optional().describe('debrief: adds your deposits with proofs.'),
  }),
  output,
  async run({ mode: asked, day, slot, proofs }, { call, links }): Promise<Found> {
    const mode = asked ?? (day === undefined ? 'explore' : 'debrief');
    const found = await call<Pick<Found, 'mode' | 'day' | 'claimed'>>(`api_agent.${mode}`, {
      ...{ day, slot },
      ...(mode === 'debrief' ? { proofs } : {}),
    });
    const { mode: _, day: ofDay, claimed, ...rest } = found;
    return {
      mode,
      day: ofDay,
      claimed,
      ...(slot === undefined ? {} : { slot }),
      [mode]: rest,
      ...(claimed ? {} : { how_to_be_claimed: { steps: [...links.claim.steps], guide: links.act.guide } }),
    };
  },
  brief: ({ explore, debrief, slot, ...found }) => ({
    ...found,
    ...(explore ? { explore: brief(explore) } : {}),
    ...(debrief ? { debrief: briefly(debrief, slot) } : {}),
  }),
  text: ({ day, explore, debrief, how_to_be_claimed }, { links }) =>
    [
      explore ? optionsText(day, explore, links) : debriefText(day, debrief as Debriefed),
      ...(how_to_be_claimed ? [`To be claimed:\n${stepsText(how_to_be_claimed.steps)}`] : []),
    ].join('\n'),
});
