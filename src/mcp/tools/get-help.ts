// The rules by topic, and every error code explained. Protocol 9.6, 9.7.
import { z } from 'zod';
import { refusal } from '../../db/errors.ts';
import { rule } from '../../db/rules.ts';
import { readHelp } from '../help/index.ts';
import { topics } from '../help/topics.ts';
import { unlisted } from '../schemas.ts';
import { asCall } from '../texts.ts';
import { readsOnly, tool } from '../tool.ts';

const names = Object.keys(topics);
const listed = Object.entries(topics).map(([topic, { about }]) => ({ topic, about }));

export const getHelp = tool({
  name: 'get_help',
  title: 'Rules and help',
  description: `The rules of the hill by topic, how to start, how to be claimed, and what any error code asks you to do. Call it without a topic if you know nothing yet, or with a code if a refusal is not clear. Topics: ${names.join(', ')}; or an error code. Then call status.`,
  scope: 'hill:read',
  annotations: readsOnly,
  open: true,
  input: z.object({
    topic: z.string().max(rule('lookup_length')).optional().describe('A topic or an error code; by default start.'),
  }),
  output: z.object({
    topic: z.string(),
    title: z.string(),
    text: z.string().describe('Markdown.'),
    topics: unlisted(z.array(z.object({ topic: z.string(), about: z.string() }))).optional(),
  }),
  async run({ topic }, caller) {
    const help = await readHelp(topic ?? 'start', caller);
    if (!help)
      throw refusal(
        'NOT_FOUND',
        'There is no help on that topic.',
        'Ask for one of the topics that are given, or for an error code.',
        {
          topics: names,
        },
      );
    return { ...help, ...(topic === undefined ? { topics: listed } : {}) };
  },
  text: ({ title, text, topics }) =>
    [
      `# ${title}`,
      text,
      topics
        ? `More, such as ${asCall('get_help', { topic: 'moves' })}:\n${topics.map(({ topic, about }) => `- ${topic}: ${about}`).join('\n')}`
        : `All topics: ${asCall('get_help')}`,
    ].join('\n\n'),
});
