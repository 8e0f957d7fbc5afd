// What operations share: header fields, the problem, the answers that are no record.
import { Failure, failures, type Refusal, rateLimited, refusals } from '../../db/errors.ts';
import { retrySeconds } from '../../db/retry-after.ts';
import { example } from './examples.ts';
import { component } from './schemas.ts';

export const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
export const headersOf = (...names: (keyof typeof headers)[]) =>
  Object.fromEntries(names.map((name) => [name, ref('headers', name)]));

export const refusedFor = (unknown: string) => ({
  400: ref('responses', 'InvalidArgument'),
  404: ref('responses', unknown),
  429: ref('responses', 'TooManyRequests'),
  503: ref('responses', 'Unavailable'),
  default: ref('responses', 'Problem'),
});

export const problemSchema = {
  type: 'object',
  description: 'RFC 9457, with a stable code. Fields of the refusal stand beside these.',
  properties: {
    type: { type: 'string', format: 'uri', description: 'The address at which the code is explained.' },
    title: { type: 'string', description: 'The same for every occurrence of the code.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { type: 'string', description: 'What it was this time.' },
    code: {
      // open: a client that was generated today meets the codes of tomorrow
      anyOf: [
        { type: 'string', enum: [...Object.values(refusals).map(({ code }) => code), ...Object.keys(failures)] },
        { type: 'string' },
      ],
      description: 'What to match on. Others may be added.',
    },
    hint: { type: 'string', description: 'What to do next.' },
    argument: { type: 'string', description: 'Of INVALID_ARGUMENT: which one.' },
    parameters: {
      type: 'array',
      items: { type: 'string' },
      description: 'Of INVALID_ARGUMENT: those that the address takes.',
    },
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
export const headers = {
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
    ...header(
      'The canonical address of a file of a night, wherever it was asked for (RFC 9110, 8.7).',
      '/api/day/1/moves.csv',
    ),
    required: false,
  },
  RateLimit: header(
    'What is left: r requests, t seconds until there are more (draft-ietf-httpapi-ratelimit-headers).',
    '"reading";r=2999;t=60',
  ),
  'RateLimit-Policy': header('The limit of one address: q requests in w seconds.', '"reading";q=3000;w=60'),
  Link: {
    ...header(
      'Where the list goes on, if it does (RFC 8288).',
      '</api/leaderboard/hill.csv?cursor=8.20000>; rel="next"',
    ),
    required: false,
  },
  'Retry-After': header('Seconds to wait.', retrySeconds, 'integer'),
};

export const parameters = {
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'ETag of what the reader has: unless there is something else by now, the answer is 304.',
    schema: { type: 'string' },
  },
};

export function responsesOf(baseUrl: string) {
  const problem = (description: string, given: { example?: unknown }, more: object = {}) => ({
    description,
    ...more,
    content: { 'application/problem+json': { schema: { $ref: component('Problem') }, ...given } },
  });
  const exampleOf = ({ code, status, title, message, hint, detail }: Refusal | Failure) => ({
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
    TooManyRequests: problem('This address has read too often.', exampleOf(rateLimited(17)), later),
    Unavailable: problem(
      'The database does not answer, takes too long, or does not see the whole of a night yet.',
      exampleOf(new Failure('UNAVAILABLE')),
      later,
    ),
    Problem: problem('Anything else that went wrong.', exampleOf(new Failure('INTERNAL_ERROR'))),
  };
}
