// Shapes and arguments as JSON Schema.
import { z } from 'zod';
import { named } from '../../records/index.ts';

const describe = {
  io: 'input',
  // the format says it already, and no number of the hill comes near JavaScript's limits
  override: ({ jsonSchema: schema }) => {
    if (schema.format || schema.type === 'integer') delete schema.pattern;
    if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
    if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  },
} satisfies z.core.ToJSONSchemaParams;

/** Where a component stands in the document. */
export const component = (id: string) => `#/components/schemas/${id}`;

/** Every record that has a name: a component is named by its place in the document. */
export const recordSchemas = () =>
  Object.fromEntries(
    Object.entries(z.toJSONSchema(named, { ...describe, uri: component }).schemas).map(
      ([id, { $id, $schema, ...schema }]) => [id, schema],
    ),
  );

/** The arguments of an address; its path is written with :n. */
export function parametersOf(path: string, args: z.ZodType) {
  const { properties = {}, required = [] } = z.toJSONSchema(args, describe);
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = schema as z.core.JSONSchema.BaseSchema;
    const where = path.includes(`:${name}`) ? 'path' : 'query';
    return { name, in: where, required: required.includes(name), description, schema: rest };
  });
}
