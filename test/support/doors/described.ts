// Real answers held against /openapi.json by a public validator of answers: Prism, which finds the operation by the
// address and judges status, content type, header fields and body.
import { createInstance, getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { pino } from 'pino';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** What is wrong, one line each: empty lists are agreement. */
interface Judgement {
  /** With what was asked: arguments that the description does not allow. */
  readonly asked: string[];
  /** With what was answered. */
  readonly answered: string[];
}

export interface Described {
  /**
   * A GET of an address and its answer. What answers HEAD, or a method that is not served, is judged as if GET had been
   * asked.
   */
  judge(address: string, answer: Answer): Promise<Judgement>;
}

type Operations = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>;
type Instance = ReturnType<typeof createInstance>;
type Operation = Operations[number];
type Asked = Parameters<Instance['request']>[0];

export async function describedBy(description: object): Promise<Described> {
  const open = await getHttpOperationsFromSpec(description);
  const closed = await getHttpOperationsFromSpec(closedTo(description));
  return {
    async judge(address, { status, headers, body }) {
      const { pathname, searchParams } = new URL(address, 'http://hill');
      const asked: Asked = {
        method: 'get',
        url: { path: pathname, query: Object.fromEntries(searchParams) },
        headers: {},
      };
      const type = headers.get('content-type')?.split(';')[0] ?? '';
      const parsed = read(type, body);
      const complaints = new Set<string>();
      const answered = { statusCode: status, headers: Object.fromEntries(headers), body: parsed };
      const first = await judged(open, asked, answered);
      for (const one of first.answered) complaints.add(one);
      if (first.operation) for (const one of overlooked(first.operation, status, type, body)) complaints.add(one);
      for (const one of (await judged(closed, asked, answered)).answered) complaints.add(one);
      return { asked: first.asked, answered: [...complaints] };
    },
  };
}

/** Not JSON where it says so, it is a text; nothing of no type is nothing; a list without lines is a text. */
function read(type: string, body: string): unknown {
  if (body === '' && type === '') return undefined;
  if (!/[/+]json$/.test(type)) return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

const logger = pino({ level: 'silent' }) as never; // of another generation than Prism's, which asks the same of it

/**
 * What Prism says of an answer that we have got already: it is given to Prism in the place of what it would have
 * fetched.
 */
async function judged(
  operations: Operations,
  asked: Asked,
  answer: { statusCode: number; headers: Record<string, string>; body: unknown },
): Promise<Judgement & { operation?: Operation }> {
  let operation: Operation | undefined;
  const instance = createInstance(
    {
      ...{ isProxy: true, upstream: new URL('http://hill'), upstreamProxy: undefined, mock: { dynamic: false } },
      ...{ checkSecurity: false, validateRequest: true, validateResponse: true, errors: true },
    },
    {
      logger,
      forward: (_input, _upstream, _proxy, resource) => () => async () => {
        operation = resource;
        return { _tag: 'Right', right: answer };
      },
    },
  );
  const result = await instance.request(asked, operations)();
  if (result._tag === 'Left') return { asked: [], answered: [result.left.message] };
  const { input, output } = result.right.validations;
  const told = ({ message }: { message: string }) => message;
  return { asked: input.map(told), answered: output.map(told), ...(operation ? { operation } : {}) };
}

/**
 * What Prism does not look at: it takes types for the same that differ before a "+" (application/problem+json), and any
 * body where none is described.
 */
function overlooked({ responses }: Operation, status: number, type: string, body: string): string[] {
  const response =
    responses.find(({ code }) => code === String(status)) ?? responses.find(({ code }) => code === 'default');
  const types = response?.contents?.map(({ mediaType }) => mediaType) ?? [];
  if (types.length === 0) return body === '' && type === '' ? [] : ['a body where none is described'];
  return types.includes(type) ? [] : [`${type} where ${types.join(', ')} is described`];
}

/** The same description, taken at its word: what it does not name is not there. */
function closedTo(description: object): object {
  const copy = structuredClone(description) as { components: { schemas: Record<string, unknown> } };
  const close = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    for (const inner of Object.values(schema)) close(inner);
    if ('properties' in schema && 'type' in schema && !('additionalProperties' in schema))
      Object.assign(schema, { unevaluatedProperties: false });
  };
  for (const schema of Object.values(copy.components.schemas)) close(schema);
  return copy;
}
