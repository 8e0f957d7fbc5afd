// The twenty usual questions, each a file of questions/: tabs of GraphiQL, and links of the pages.
import fs from 'node:fs';
import path from 'node:path';
import { Kind, parse } from 'postgraphile/graphql';

export interface Question {
  /** The name of its file, without its number. */
  readonly name: string;
  /** In words: the first sentence of the file. */
  readonly words: string;
  readonly operation: string;
  readonly variables: readonly string[];
  readonly query: string;
}

const folder = path.join(import.meta.dirname, 'questions');

export const questions: readonly Question[] = fs
  .readdirSync(folder)
  .filter((file) => file.endsWith('.graphql'))
  .sort()
  .map((file) => read(file, fs.readFileSync(path.join(folder, file), 'utf8')));

function read(file: string, query: string): Question {
  const operation = parse(query).definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const words = /^# (.+?[?.])( |$)/m.exec(query)?.[1];
  if (!operation?.name || !words)
    throw new Error(`${file} needs a first line with its question, and an operation with a name`);
  return {
    name: file.replace(/^\d+-|\.graphql$/g, ''),
    words,
    operation: operation.name.value,
    variables: (operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value),
    query,
  };
}

/** What a question is tried with: values that exist, of api_staff.example. */
export type Example = {
  readonly account: string;
  readonly day: number;
  readonly slot: number;
  readonly staff_name: string;
  readonly text: string;
};

/** What a link may fill in: whom or what a tab is about. */
const given: Readonly<Record<string, (text: string) => unknown>> = {
  account: String,
  day: Number,
  slot: Number,
};

/**
 * The variables of a question as the editor has them: values that exist, and instead of them those that the link to it
 * has.
 */
export function variablesFor(
  { variables }: Question,
  example: Example,
  today: string,
  link = new URLSearchParams(),
): Record<string, unknown> {
  const values: Readonly<Record<string, unknown>> = {
    account: example.account,
    day: example.day,
    slot: example.slot,
    text: example.text,
    address: 'somebody@example.com',
    staffName: example.staff_name,
    firstDate: today,
    lastDate: today,
    firstDay: Math.max(1, example.day - 5),
    lastDay: example.day + 1,
    days: 7,
  };
  const told = (name: string) => (link.has(name) ? given[name]?.(link.get(name) as string) : undefined);
  return Object.fromEntries(variables.map((name) => [name, told(name) ?? values[name]]));
}
