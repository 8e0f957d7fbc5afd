// rest/openapi.ts · the description of the public reading: OpenAPI 3.1, made from the routes and shapes that are served. Specification 9.
import { z } from 'zod';
import { failures, refusals } from '../db/errors.ts';
import { named } from '../records.ts';
import { resources } from './resources.ts';

const describe = {
  io: 'input',
  // a format says it already, and no number of the hill comes near the bounds of JavaScript's
  override: ({ jsonSchema: schema }) => {
    if (schema.format || schema.type === 'integer') delete schema.pattern;
    if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
    if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  },
} satisfies z.core.ToJSONSchemaParams;

const component = (id: string) => `#/components/schemas/${id}`;

export function openApi(baseUrl: string) {
  const schemas = Object.fromEntries(
    // a component goes by its place in the document
    Object.entries(z.toJSONSchema(named, { ...describe, uri: component }).schemas).map(([id, { $id, $schema, ...schema }]) => [id, schema]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hill: the public reading',
      version: '0.1.0',
      summary: 'Ten places, sealed moves, one bell a day at 00:00 UTC. No account and no token.',
      description: `Playing goes through the MCP endpoint; see ${baseUrl}/rules. Amounts are integers in cents of USD, timestamps ISO 8601 in UTC.`,
    },
    servers: [{ url: baseUrl }],
    paths: Object.fromEntries(resources.map((resource) => [resource.path.replace(/:(\w+)/g, '{$1}'), { get: operation(resource) }])),
    components: { schemas: { ...schemas, Problem: problemSchema }, responses: { Problem: problemResponse } },
  };
}

function operation({ path, summary, args, reads, record }: (typeof resources)[number]) {
  const { properties = {} } = z.toJSONSchema(args, describe);
  const parameters = Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = schema as z.core.JSONSchema.BaseSchema;
    const inPath = path.includes(`:${name}`);
    return { name, in: inPath ? 'path' : 'query', required: inPath, description, schema: rest };
  });
  return {
    operationId: reads.replace('api_public.', ''),
    summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    responses: {
      200: {
        description: 'The record. ETag is strong; Cache-Control says how long it holds.',
        content: { 'application/json': { schema: { $ref: component(named.get(record)?.id ?? '') } } },
      },
      304: { description: 'Not modified since the ETag of If-None-Match.' },
      default: { $ref: '#/components/responses/Problem' },
    },
  };
}

const problemSchema = {
  type: 'object',
  description: 'RFC 9457, with a stable code. Fields of the refusal stand beside these.',
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { enum: [...Object.values(refusals).map(({ code }) => code), ...Object.keys(failures)] },
    hint: { type: 'string' },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'hint'],
};

const problemResponse = {
  description: 'A refusal, or something that went wrong.',
  content: { 'application/problem+json': { schema: { $ref: component('Problem') } } },
};
