// The help on a topic or an error code, rendered from the rules record. Protocol 9.6, 9.7.
import { failures, refusals } from '../../db/errors.ts';
import type { Caller } from '../tool.ts';
import { type Found, topics } from './topics.ts';

export interface Help {
  readonly topic: string;
  readonly title: string;
  readonly text: string;
}

const titles = new Map<string, string>([
  ...Object.values(refusals).map(({ code, title }) => [code, title] as const),
  ...Object.entries(failures).map(([code, { title }]) => [code, title] as const),
]);

/** Reads the help on a topic or a code, however it is written; undefined where there is none. */
export async function readHelp(asked: string, { call, links, tools }: Caller): Promise<Help | undefined> {
  const { rules, errors: registered } = await call<Found>('api_agent.get_help');
  const errors = [...registered, ...Object.entries(failures).map(([code, { hint }]) => ({ code, hint }))];
  const key = asked.trim().replaceAll(/[\s-]+/g, '_');
  const name = key.toLowerCase();
  const topic = Object.hasOwn(topics, name) ? topics[name] : undefined;
  if (topic) return { topic: name, title: topic.title, text: topic.text({ rules, errors, links, tools }) };
  const error = errors.find(({ code }) => code.toUpperCase() === key.toUpperCase());
  if (!error) return undefined;
  const title = titles.get(error.code) ?? error.code;
  return {
    topic: error.code,
    title,
    text: `${error.code}: ${title}. ${error.hint}${links.lift(error.code) ? ` For your human: ${links.lift(error.code)}` : ''}`,
  };
}
