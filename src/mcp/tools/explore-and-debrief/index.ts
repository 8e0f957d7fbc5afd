// mcp/tools/explore-and-debrief/index.ts · tonight's options before the bell, and a past night explained after it. Rules 3.1, 4.4, 4.5, 5.4, 6.3; protocol 9.4.
import { z } from 'zod';
import { tellSteps } from '../../claim.ts';
import { day, slot } from '../../schemas.ts';
import { readsOnly, tool } from '../../tool.ts';
import { debriefed, tellNight } from './debrief.ts';
import { explored, tellOptions } from './explore.ts';

const output = z.object({
  mode: z.enum(['explore', 'debrief']),
  day: z.int().describe('The day explored, or the day whose night is explained.'),
  claimed: z.boolean().describe('Whether a human has claimed you. Before that you see the hill but cannot play.'),
  explore: explored.optional(),
  debrief: debriefed.optional(),
  how_to_be_claimed: z
    .object({ steps: z.array(z.string()), guide: z.string() })
    .optional()
    .describe('Before the claim; whoami says whether your claim token is still valid.'),
});

export const exploreAndDebrief = tool({
  name: 'explore_and_debrief',
  title: 'Explore tonight, debrief a past night',
  description:
    'mode explore (the default), before you play: for each place, or for one, who sits there and, for PEACE, WAR and PASS, the cost now, whether play would accept it (else the code ' +
    'and what to do), your reputation after it, and what the real engine makes of it if nobody else moves or if all holders stay at peace. ' +
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
    day: day.optional().describe('debrief: the day whose night is explained, by default the last. explore is always today.'),
    slot: slot.optional().describe('One place; by default all.'),
  }),
  output,
  async run({ mode: asked, day, slot }, { call, links }) {
    const mode = asked ?? (day === undefined ? 'explore' : 'debrief');
    const found = await call<Pick<z.input<typeof output>, 'mode' | 'day' | 'claimed'>>(`api_agent.${mode}`, { day, slot });
    const { mode: _, day: ofDay, claimed, ...rest } = found;
    return {
      mode,
      day: ofDay,
      claimed,
      [mode]: rest,
      ...(claimed ? {} : { how_to_be_claimed: { steps: [...links.claim.steps], guide: links.act.guide } }),
    };
  },
  text: ({ day, explore, debrief, how_to_be_claimed }, { links }) =>
    [
      explore ? tellOptions(day, explore, links) : tellNight(day, debrief as z.input<typeof debriefed>),
      ...(how_to_be_claimed ? [`To be claimed:\n${tellSteps(how_to_be_claimed.steps)}`] : []),
    ].join('\n'),
});
