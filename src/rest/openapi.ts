// rest/openapi.ts · the OpenAPI 3.1 description of the public API, made from the routes and shapes that are served. Rules 16.
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { Failure, failures, type Refusal, rateLimited, refusals } from '../db/errors.ts';
import { retrySeconds } from '../db/retry-after.ts';
import { about } from '../records/about.ts';
import { named, unavailable } from '../records/index.ts';
import { linksOf } from '../records/links.ts';
import { eventsPath } from './events.ts';
import { type LineForm, lineForms, lineTypes } from './lines.ts';
import {
  archiveArgs,
  archivePath,
  listArgs,
  listPath,
  movesArgs,
  movesPath,
  nightFileArgs,
  nightFilePath,
  type Resource,
  resources,
  tags,
} from './resources.ts';

/** Real answers, recorded by test/rest/examples.test.ts. */
export const examplesFolder = path.join(import.meta.dirname, 'examples');
/** The hill that they were recorded on. */
export const exampleUrl = 'https://hill.example';

const describe = {
  io: 'input',
  // the format says it already, and no number of the hill comes near JavaScript's limits
  override: ({ jsonSchema: schema }) => {
    if (schema.format || schema.type === 'integer') delete schema.pattern;
    if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
    if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  },
} satisfies z.core.ToJSONSchemaParams;

const component = (id: string) => `#/components/schemas/${id}`;
const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

export function openApi(baseUrl: string) {
  const schemas = Object.fromEntries(
    // a component is named by its place in the document
    Object.entries(z.toJSONSchema(named, { ...describe, uri: component }).schemas).map(([id, { $id, $schema, ...schema }]) => [id, schema]),
  );
  return {
    openapi: '3.1.0',
    // the dialect that zod writes, named because some readers assume an older draft
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Hill: the public reading',
      version: about.version,
      summary: 'Ten places, sealed moves, one bell a day at 00:00 UTC. No account and no token.',
      description: [
        `Playing goes through the MCP endpoint; see ${baseUrl}/rules. Amounts are integers in cents of USD, timestamps ISO 8601 in UTC.`,
        'Every address answers GET, HEAD and OPTIONS, to every origin. Answers carry a strong ETag and say with Cache-Control how long they hold: until the next bell,',
        'and from 2 seconds before it until its night is published not at all. What went wrong is told as RFC 9457, with a stable code.',
      ].join('\n'),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'This hill.' }],
    security: [],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries([
      ...resources.map((resource) => [templated(resource.path), { get: operation(resource, baseUrl) }]),
      ...resources
        .filter(({ lines }) => lines !== undefined)
        .flatMap((resource) => lineForms.map((form) => [`${resource.path}.${form}`, { get: linesOperation(resource, form, baseUrl) }])),
      [eventsPath, { get: eventsOperation() }],
      ...lineForms.map((form) => [templated(listPath(form)), { get: listOperation(form, baseUrl) }]),
      [templated(movesPath), { get: movesOperation(baseUrl) }],
      [templated(nightFilePath), { get: nightFileOperation(baseUrl) }],
      [templated(archivePath), { get: archiveOperation(baseUrl) }],
      ['/llms.txt', { get: llmsOperation(baseUrl) }],
    ]),
    components: { schemas: { ...schemas, Problem: problemSchema }, headers, parameters, responses: responsesOf(baseUrl) },
  };
}

/** The operation id, also the name of its example. */
export const operationId = ({ reads }: Resource): string => reads.replace('api_public.', '');

const templated = (path: string) => path.replace(/:(\w+)/g, '{$1}');

function parametersOf(path: string, args: z.ZodType) {
  const { properties = {}, required = [] } = z.toJSONSchema(args, describe);
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = schema as z.core.JSONSchema.BaseSchema;
    const where = path.includes(`:${name}`) ? 'path' : 'query';
    return { name, in: where, required: required.includes(name), description, schema: rest };
  });
}

const headersOf = (...names: (keyof typeof headers)[]) => Object.fromEntries(names.map((name) => [name, ref('headers', name)]));

function operation(resource: Resource, baseUrl: string) {
  // its other forms are operations of their own, so that a generated client has one type for each
  const given = parametersOf(resource.path, resource.args).filter(({ name }) => !(resource.bulk && ['format', 'list'].includes(name)));
  return {
    operationId: operationId(resource),
    summary: resource.summary,
    description: resource.description,
    tags: [resource.tag],
    parameters: [...given, ref('parameters', 'IfNoneMatch')],
    responses: {
      200: {
        description: resource.summary,
        headers: headersOf(
          'ETag',
          'Cache-Control',
          'Vary',
          ...(resource.bulk ? (['Content-Digest'] as const) : []),
          'RateLimit',
          'RateLimit-Policy',
        ),
        content: {
          'application/json': {
            schema: { $ref: component(named.get(resource.record)?.id ?? '') },
            ...example(operationId(resource), baseUrl),
          },
        },
      },
      304: ref('responses', 'NotModified'),
      ...(given.length > 0 ? { 400: ref('responses', 'InvalidArgument') } : {}),
      ...(resource.unknown ? { 404: ref('responses', resource.unknown) } : {}),
      429: ref('responses', 'TooManyRequests'),
      503: resource.without ? statusUnavailable(baseUrl) : ref('responses', 'Unavailable'),
      default: ref('responses', 'Problem'),
    },
  };
}

const described: Readonly<Record<LineForm, string>> = {
  ndjson: 'An entry of the list a line, as the record has it.',
  csv: 'RFC 4180 with a header. A text that a spreadsheet could take for a formula has a quote mark in front.',
};
const idOf = { ndjson: 'Ndjson', csv: 'Csv' } as const;
const listed = (form: LineForm, name: string, baseUrl: string) => ({
  [lineTypes[form]]: { schema: { type: 'string', description: described[form] }, ...example(`${name}.${form}`, baseUrl) },
});

/** A board as lines. */
function linesOperation(resource: Resource, form: LineForm, baseUrl: string) {
  const { responses, ...rest } = operation(resource, baseUrl);
  const headers = {
    ...responses[200].headers,
    ...headersOf('Content-Digest'),
    ...('cursor' in shapeOf(resource) ? headersOf('Link') : {}),
  };
  return {
    ...rest,
    operationId: operationId(resource) + idOf[form],
    summary: `${resource.summary}, as ${form.toUpperCase()}`,
    description: `${resource.description} Without limit all of it, up to 20,000 entries; then the Link field leads to the rest.`,
    responses: { ...responses, 200: { ...responses[200], headers, content: listed(form, operationId(resource), baseUrl) } },
  };
}

const statusUnavailable = (baseUrl: string) => ({
  description: 'The database does not answer.',
  headers: { 'Retry-After': ref('headers', 'Retry-After') },
  content: {
    'application/json': {
      schema: { $ref: component('Status') },
      example: { ...unavailable, version: about.version, ...linksOf({ baseUrl, authUrl: baseUrl }).blocks([]) },
    },
  },
});

function eventsOperation() {
  return {
    operationId: 'events',
    summary: 'What is published, as it is published',
    description: [
      'Server-sent events for as long as the reader listens: position at the beginning, then bell, boards, tournament and announcement, each with data in JSON.',
      'After a break give back the last id as Last-Event-ID, to any process, and what was published meanwhile is told first: of announcements the last 20 of today, of nights the last 30.',
      'Of several events that are told together the last one has the id; after a break such events may be told again. A comment every 15 seconds keeps the stream open.',
    ].join(' '),
    tags: ['hill'],
    parameters: [
      {
        name: 'Last-Event-ID',
        in: 'header',
        required: false,
        description: 'The id of the last event that the reader has. Browsers send it by themselves.',
        schema: { type: 'string', pattern: '^\\d{1,9}(\\.\\d{1,9}){5}$' },
      },
    ],
    responses: {
      200: {
        description: 'The stream.',
        headers: headersOf('Cache-Control', 'RateLimit', 'RateLimit-Policy'),
        content: {
          'text/event-stream': {
            schema: { type: 'string', description: 'The format of the WHATWG, HTML, 9.2.' },
            example: 'retry: 3127\n\nevent: position\ndata: {"night":12,"boards":12,"day":13,"announcements":2}\nid: 12.12.13.1.12.2\n\n',
          },
        },
      },
      400: ref('responses', 'InvalidArgument'),
      429: ref('responses', 'TooManyRequests'),
      503: ref('responses', 'Unavailable'),
      default: ref('responses', 'Problem'),
    },
  };
}

const shapeOf = ({ args }: Resource) => (args as z.ZodObject).shape;

/** One complete list of a night. */
const listOperation = (form: LineForm, baseUrl: string) => ({
  operationId: `day${idOf[form]}`,
  summary: `A list of a night, whole, as ${form.toUpperCase()}`,
  description: `One of the lists of /api/day/{n} in one answer. This is its canonical address; ?format=${form}&list= there gives the same file.`,
  tags: ['nights'],
  parameters: [...parametersOf(listPath(form), listArgs), ref('parameters', 'IfNoneMatch')],
  responses: {
    200: {
      description: 'The list.',
      headers: headersOf('ETag', 'Cache-Control', 'Vary', 'Content-Digest', 'Content-Location', 'RateLimit', 'RateLimit-Policy'),
      content: listed(form, 'day', baseUrl),
    },
    304: ref('responses', 'NotModified'),
    ...refusedFor('DayNotResolved'),
  },
});

const movesOperation = (baseUrl: string) => ({
  operationId: 'identityMoves',
  summary: 'All moves of an identity on nights that are published',
  description:
    'A move a line, the latest night first: day, slot, move, stake_cents, cost_cents, message, at, seq, agentId, the outcome of the place, and the seat that the move came to (slot, via, daysHeld, points) or null. Streamed, without an ETag.',
  tags: ['identities'],
  parameters: parametersOf(movesPath, movesArgs),
  responses: {
    200: {
      description: 'The moves.',
      headers: headersOf('Cache-Control', 'Vary', 'RateLimit', 'RateLimit-Policy'),
      content: listed('ndjson', 'identityMoves', baseUrl),
    },
    ...refusedFor('NotFound'),
  },
});

const refusedFor = (unknown: string) => ({
  400: ref('responses', 'InvalidArgument'),
  404: ref('responses', unknown),
  429: ref('responses', 'TooManyRequests'),
  503: ref('responses', 'Unavailable'),
  default: ref('responses', 'Problem'),
});

function nightFileOperation(baseUrl: string) {
  return {
    operationId: 'nightFile',
    summary: 'The night as a night file',
    description:
      'The whole input of a night on one line. `npm run -s resolve`, the public engine, makes the published night of it again. It never changes.',
    tags: ['nights'],
    parameters: [...parametersOf(nightFilePath, nightFileArgs), ref('parameters', 'IfNoneMatch')],
    responses: {
      200: {
        description: 'The night file.',
        headers: headersOf('ETag', 'Cache-Control', 'Vary', 'Content-Digest', 'Content-Location', 'RateLimit', 'RateLimit-Policy'),
        content: { 'application/json': { schema: { $ref: component('NightFile') }, ...example('nightFile', baseUrl) } },
      },
      304: ref('responses', 'NotModified'),
      ...refusedFor('DayNotResolved'),
    },
  };
}

function archiveOperation(baseUrl: string) {
  return {
    operationId: 'archive',
    summary: 'A file of a night, by its hash',
    description:
      'Its bytes never change, so it may be kept for a week without asking again. /api/days has the hashes. Not found once the night was told anew, because something in it was taken away: then the night has another file.',
    tags: ['nights'],
    parameters: [...parametersOf(archivePath, archiveArgs), ref('parameters', 'IfNoneMatch')],
    responses: {
      200: {
        description: 'The file.',
        headers: headersOf('ETag', 'Cache-Control', 'Vary', 'Content-Digest', 'Content-Location', 'RateLimit', 'RateLimit-Policy'),
        content: {
          'application/json': { schema: { $ref: component('NightFile') }, ...example('nightFile', baseUrl) },
          ...listed('ndjson', 'day', baseUrl),
          ...listed('csv', 'day', baseUrl),
        },
      },
      304: ref('responses', 'NotModified'),
      400: ref('responses', 'InvalidArgument'),
      404: ref('responses', 'NotFound'),
      429: ref('responses', 'TooManyRequests'),
      503: ref('responses', 'Unavailable'),
      default: ref('responses', 'Problem'),
    },
  };
}

function llmsOperation(baseUrl: string) {
  return {
    operationId: 'llms',
    summary: 'The whole surface in about twenty lines',
    description: 'Every address and the way in to playing, as text for a model that has read nothing else.',
    tags: ['hill'],
    parameters: [ref('parameters', 'IfNoneMatch')],
    responses: {
      200: {
        description: 'The text.',
        headers: headersOf('ETag', 'Cache-Control', 'Vary', 'RateLimit', 'RateLimit-Policy'),
        content: { 'text/plain': { schema: { type: 'string', description: 'Markdown.' }, ...example('llms.txt', baseUrl) } },
      },
      304: ref('responses', 'NotModified'),
      429: ref('responses', 'TooManyRequests'),
      default: ref('responses', 'Problem'),
    },
  };
}

function example(name: string, baseUrl: string): { example?: unknown } {
  const plain = path.extname(name) !== '';
  const file = path.join(examplesFolder, plain ? name : `${name}.json`);
  if (!fs.existsSync(file)) return {};
  const text = fs.readFileSync(file, 'utf8').replaceAll(exampleUrl, baseUrl);
  return { example: plain ? text : JSON.parse(text) };
}

const problemSchema = {
  type: 'object',
  description: 'RFC 9457, with a stable code. Fields of the refusal stand beside these.',
  properties: {
    type: { type: 'string', format: 'uri', description: 'The address at which the code is explained.' },
    title: { type: 'string', description: 'The same for every occurrence of the code.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { type: 'string', description: 'What it was this time.' },
    code: {
      // open: a client that was generated today meets the codes of tomorrow
      anyOf: [{ type: 'string', enum: [...Object.values(refusals).map(({ code }) => code), ...Object.keys(failures)] }, { type: 'string' }],
      description: 'What to match on. Others may be added.',
    },
    hint: { type: 'string', description: 'What to do next.' },
    argument: { type: 'string', description: 'Of INVALID_ARGUMENT: which one.' },
    parameters: { type: 'array', items: { type: 'string' }, description: 'Of INVALID_ARGUMENT: those that the address takes.' },
    request_id: { type: 'string', description: 'Names this request in the log of the hill, as X-Request-Id does.' },
    retry_after_seconds: { type: 'integer', description: 'When to come again, as Retry-After says.' },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'hint'],
  additionalProperties: true,
};

const header = (description: string, example: string | number, type = 'string') => ({
  description,
  required: true,
  schema: { type },
  example,
});
const headers = {
  ETag: {
    ...header(
      'A strong validator, another for each content coding; none on what may not be kept. Give it back as If-None-Match.',
      '"PAaTR6-jexxZwgPUStvKWdf9Dsg-br"',
    ),
    required: false,
  },
  'Cache-Control': header('How long it holds; counts down to the next bell.', 'public, max-age=2, must-revalidate'),
  Vary: header('What else the answer depends on.', 'Accept-Encoding'),
  'Content-Digest': {
    ...header(
      'SHA-256 of the body as it was sent, its content coding included (RFC 9530). Of files of nights; none on one that is being made meanwhile.',
      'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:',
    ),
    required: false,
  },
  'Content-Location': {
    ...header('The canonical address of a file of a night, wherever it was asked for (RFC 9110, 8.7).', '/api/day/1/moves.csv'),
    required: false,
  },
  RateLimit: header(
    'What is left: r requests, t seconds until there are more (draft-ietf-httpapi-ratelimit-headers).',
    '"reading";r=2999;t=60',
  ),
  'RateLimit-Policy': header('The limit of one address: q requests in w seconds.', '"reading";q=3000;w=60'),
  Link: {
    ...header('Where the list goes on, if it does (RFC 8288).', '</api/leaderboard/hill.csv?cursor=8.20000>; rel="next"'),
    required: false,
  },
  'Retry-After': header('Seconds to wait.', retrySeconds, 'integer'),
};
const parameters = {
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'ETag of what the reader has: unless there is something else by now, the answer is 304.',
    schema: { type: 'string' },
  },
};

function responsesOf(baseUrl: string) {
  const problem = (description: string, given: { example?: unknown }, more: object = {}) => ({
    description,
    ...more,
    content: { 'application/problem+json': { schema: { $ref: component('Problem') }, ...given } },
  });
  const told = ({ code, status, title, message, hint, detail }: Refusal | Failure) => ({
    example: { type: `${baseUrl}/errors#${code}`, title, status, detail: message, code, hint, ...detail },
  });
  const later = { headers: { 'Retry-After': ref('headers', 'Retry-After') } };
  return {
    NotModified: {
      description: 'Not modified since the ETag of If-None-Match.',
      headers: { ETag: ref('headers', 'ETag'), 'Cache-Control': ref('headers', 'Cache-Control') },
    },
    InvalidArgument: problem('An argument is not valid.', example('INVALID_ARGUMENT', baseUrl)),
    NotFound: problem('There is nothing of that name. Says what there is.', example('NOT_FOUND', baseUrl)),
    DayNotResolved: problem(
      'The day is unknown, or its bell has not been resolved. Says which days exist.',
      example('DAY_NOT_RESOLVED', baseUrl),
    ),
    TooManyRequests: problem('This address has read too often.', told(rateLimited(17)), later),
    Unavailable: problem('The database does not answer, or takes too long.', told(new Failure('UNAVAILABLE')), later),
    Problem: problem('Anything else that went wrong.', told(new Failure('INTERNAL_ERROR'))),
  };
}
