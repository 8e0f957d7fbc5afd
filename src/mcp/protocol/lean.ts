// The schemas of tools as tools/list gives them: what clients and models use of them, and no more. Decisions 140, 141.
import { z } from 'zod';

interface Schema {
  [keyword: string]: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/**
 * The dialect is the protocol's default. Zod bounds every integer by what JavaScript has exactly, the hill a day by
 * what PostgreSQL can keep; the pattern of a UUID says its format again.
 */
export const leanInput = (schema: z.ZodObject): object =>
  mapped(z.toJSONSchema(schema, { io: 'input' }) as Schema, ({ $schema, propertyNames, pattern, ...one }) =>
    kept(one, (_, value) => typeof value !== 'number' || Math.abs(value) < 2 ** 31 - 1),
  );

/**
 * A result or a refusal, in one list of properties: clients check refusals against this schema too, and one that meets
 * an anyOf at the root knows no field at all. So no field of the root is required.
 */
export function leanOutput(schema: z.ZodObject): object {
  const { required, properties, ...rest } = mapped(z.toJSONSchema(schema, { io: 'output' }) as Schema, leanResult);
  return {
    ...rest,
    properties: { ...properties, code: { type: 'string', description: 'Of a refusal.' } },
  };
}

/** Nobody computes with the bounds of a result, and the hill may tell more than it tells today. */
const used = new Set([
  'type',
  'properties',
  'required',
  'items',
  'enum',
  'const',
  'anyOf',
  '$ref',
  '$defs',
  'description',
]);

function leanResult(schema: Schema): Schema {
  const { listed, additionalProperties: values } = schema as {
    listed?: readonly string[];
    additionalProperties?: object | false;
  };
  const { type, properties, required, items, ...rest } = nullable(kept(schema, (keyword) => used.has(keyword)));
  const shown = (name: string) => listed === undefined || listed.includes(name);
  return {
    ...(rest.enum || type === undefined ? {} : { type }), // an enum says it
    ...rest,
    ...(values && Object.keys(values).length > 0 ? { additionalProperties: values } : {}),
    ...(items && !listed ? { items } : {}),
    ...(properties && listed?.length !== 0 ? { properties: kept(properties, shown) } : {}),
    ...(required?.some(shown) ? { required: required.filter(shown) } : {}),
  };
}

/** `{"anyOf": [{"type": "string"}, {"type": "null"}]}` in fewer words. */
function nullable({ anyOf, ...rest }: Schema): Schema {
  const [one, none] = anyOf ?? [];
  if (one?.enum) return { ...one, ...rest, enum: [...(one.enum as unknown[]), null] };
  if (one?.type && none?.type === 'null') return { ...one, ...rest, type: [one.type, 'null'] };
  return { ...rest, ...(anyOf ? { anyOf } : {}) };
}

const kept = <T>(fields: Readonly<Record<string, T>>, keep: (name: string, value: T) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => keep(name, value)));

/** Changes a schema and every schema in it, the inner ones first. */
function mapped(schema: Schema, change: (schema: Schema) => Schema): Schema {
  const each = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(each);
    return typeof value === 'object' && value !== null ? mapped(value as Schema, change) : value;
  };
  const inner = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (keyword === 'properties' || keyword === '$defs')
      return [keyword, Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, each(one)]))];
    return [keyword, ['items', 'anyOf', 'additionalProperties'].includes(keyword) ? each(value) : value];
  });
  return change(Object.fromEntries(inner));
}
