// What strategies are given and give is told three times, each made from the schemas of src/strategies/strategy.ts: as
// JSON Schema, as types of TypeScript for whoever copies the starter, and in the tables of docs/strategies.md.
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { checkout } from '../../src/process/config.ts';
import { decision, header, sight, view } from '../../src/strategies/strategy.ts';
import { read } from '../support/documents.ts';

const schemas = Object.entries({ header, view, decision }).map(([name, schema]): [string, Schema] => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema);
  return [name, rest as Schema];
});

/** The part of JSON Schema of which those schemas are. */
interface Schema {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const fieldsOf = ({ properties = {}, required = [] }: Schema) =>
  Object.entries(properties).map(([name, field]) => ({ name, field, optional: !required.includes(name) }));

/** As a type of TypeScript. */
function typed(schema: Schema, indent = ''): string {
  if (schema.anyOf) return schema.anyOf.map((one) => typed(one, indent)).join(' | ');
  if (schema.enum) return schema.enum.map((value) => `'${value}'`).join(' | ');
  if (schema.items) {
    const item = typed(schema.items, indent);
    return `${/ \| /.test(item) && !item.startsWith('{') ? `(${item})` : item}[]`;
  }
  if (schema.type !== 'object')
    return [schema.type ?? 'unknown']
      .flat()
      .map((type) => (type === 'integer' ? 'number' : type))
      .join(' | ');
  const lines = fieldsOf(schema).flatMap(({ name, field, optional }) => {
    const type = typed(field, `${indent}  `);
    const left = optional && !type.startsWith('{') ? ' | undefined' : '';
    return [
      ...(field.description ? [`${indent}  /** ${field.description} */`] : []),
      `${indent}  ${name}${optional ? '?' : ''}: ${type}${left};`,
    ];
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

/** One of the names, with a capital letter. */
const titled = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** Rows of a table: each field, by its path. */
function rows(schema: Schema, above = ''): string[] {
  return fieldsOf(schema).flatMap(({ name, field, optional }) => {
    const item = field.items ?? field;
    const at = `${above}${name}${field.items ? '[]' : ''}`;
    const kind = item.properties ? (field.items ? 'list' : 'object') : typed(field).replaceAll('|', '\\|');
    return [
      `| \`${at}\` | ${kind}${optional ? ', or left out' : ''} | ${field.description ?? item.description ?? ''} |`,
      ...rows(item, `${at}.`),
    ];
  });
}

test('as JSON Schema', async () => {
  const told = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'What a strategy on Hill says of itself, is given, and gives',
    $defs: Object.fromEntries(schemas),
  };
  await expect(`${JSON.stringify(told, null, 2)}\n`).toMatchFileSnapshot(
    path.join(checkout, 'docs/strategy.schema.json'),
  );
});

test('as types of TypeScript', async () => {
  const types = schemas.map(
    ([name, schema]) => `/** ${schema.description} */\nexport interface ${titled(name)} ${typed(schema)}\n`,
  );
  const told = `// starters/typescript/view.ts · the types of strategies, made from their schema: ../../strategy.schema.json says the same.

${types.join('\n')}
/** The one export of a strategy's file, as its default. */
export interface Strategy extends Readonly<Header> {
  decide(view: View): Decision | Promise<Decision>;
}

/** How many nights a strategy sees, and how much of each. */
export const sight = ${JSON.stringify(sight).replaceAll('"', '').replaceAll(/[:,{]/g, '$& ').replace('}', ' }')};
`;
  await expect(told).toMatchFileSnapshot(path.join(checkout, 'docs/starters/typescript/view.ts'));
});

test('in the tables of the page', async () => {
  const page = 'docs/strategies.md';
  const told = schemas.reduce((text, [name, schema]) => {
    const table = ['| Field | Is | Means |', '|---|---|---|', ...rows(schema)].join('\n');
    return text.replace(
      new RegExp(`(<!-- ${name} -->\n).*?(<!-- end -->)`, 's'),
      (_, begin, end) => `${begin}\n${table}\n\n${end}`,
    );
  }, read(page));
  expect(told.match(/<!-- end -->/g)).toHaveLength(schemas.length);
  await expect(told).toMatchFileSnapshot(path.join(checkout, page));
});
