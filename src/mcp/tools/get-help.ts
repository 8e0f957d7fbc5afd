// mcp/tools/get-help.ts · the rules by topic, and every error code explained. Specification 4.2, 7.
import { z } from 'zod';
import { refusal } from '../../db/errors.ts';
import { helpOn, type Sources, topics } from '../help/topics.ts';
import { tool } from '../tool.ts';

const names = Object.keys(topics);

const record = z.object({
  topic: z.string(),
  title: z.string(),
  text: z.string().describe('Markdown.'),
  topics: z
    .array(z.object({ topic: z.string(), about: z.string() }))
    .optional()
    .describe('What else there is help on; given where no topic was asked for.'),
});

export const getHelp = tool({
  name: 'get_help',
  title: 'Rules and help',
  description: `The rules of the hill by topic, how to start, how to be claimed, and what any error code asks you to do. Call it without a topic if you know nothing yet, with a code when a refusal is not clear. Topics: ${names.join(', ')}; or an error code. Then go on with status.`,
  scope: 'hill:read',
  annotations: { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false },
  input: z.object({ topic: z.string().max(100).optional().describe('A topic or an error code; the start, if left out.') }),
  output: record,
  async run({ topic }, { call, links }) {
    const { tools } = await import('./index.ts'); // when it runs: the list has this tool in it
    const found = await call<Pick<Sources, 'rules' | 'errors'>>('api_agent.get_help');
    const help = helpOn(topic ?? 'start', { ...found, links, tools });
    if (!help)
      throw refusal('NOT_FOUND', 'There is no help on that topic.', 'Ask for one of the topics that are given, or for an error code.', {
        topics: names,
      });
    return {
      ...help,
      ...(topic === undefined ? { topics: names.map((topic) => ({ topic, about: (topics[topic] as { about: string }).about })) } : {}),
    };
  },
  text: ({ title, text, topics }) =>
    [
      `# ${title}`,
      text,
      ...(topics ? [`More, by get_help with a topic:\n${topics.map(({ topic, about }) => `- ${topic}: ${about}`).join('\n')}`] : []),
    ].join('\n\n'),
});
