// Limits the length, depth and width of a query before PostGraphile sees it: GraphQL's parser is recursive, and each
// field may become a statement. What is measured was read by GraphQL's own lexer and parser, so comments and strings
// are what they are to it.
import type Koa from 'koa';
import {
  type DocumentNode,
  GraphQLError,
  Kind,
  Lexer,
  parse,
  type SelectionSetNode,
  Source,
  TokenKind,
} from 'postgraphile/graphql';
import { parseJson } from '../../http/json.ts';
import { readBody } from '../../http/read-body.ts';

/** PostGraphile's own limit. */
const most = 100_000;
/**
 * Several times what the console's own questions need, and GraphiQL when it asks for the schema. Fragments count
 * wherever they are spread.
 */
const limits = { tokens: 5_000, brackets: 64, levels: 20, fields: 500, branches: 100 };

export const bounded =
  (path: string): Koa.Middleware =>
  async (ctx, next) => {
    if (ctx.path !== path) return next();
    // PostGraphile's parser of Accept throws on a malformed field; Koa's does not.
    ctx.req.headers.accept = ctx.accepts('application/graphql-response+json', 'application/json') || 'application/json';
    const refuse = (status: number, message: string) => {
      ctx.status = status;
      ctx.body = { errors: [{ message, extensions: { code: 'INVALID_ARGUMENT', hint: 'Correct the query.' } }] };
    };
    if (ctx.method !== 'POST') {
      ctx.set('Allow', 'POST');
      return refuse(405, 'Queries are sent with POST.');
    }
    const text = await readBody(ctx.req, most);
    const wrong = objection(text);
    if (wrong !== null) return refuse(400, wrong);
    // where PostGraphile looks for a body that was read already
    (ctx.request as Koa.Request & { body?: unknown }).body = text;
    await next();
  };

function objection(text: string): string | null {
  let body: unknown;
  try {
    body = parseJson(text);
  } catch {
    return 'The body is not JSON, or is nested too deep.';
  }
  if (Array.isArray(body)) return 'Queries are sent one at a time.';
  const { query } = (body ?? {}) as { query?: unknown };
  if (typeof query !== 'string') return null; // PostGraphile says what is missing
  try {
    return tooLong(query) ?? tooWide(parse(query, { noLocation: true }));
  } catch (error) {
    if (error instanceof GraphQLError) return null; // of its syntax: PostGraphile says where
    throw error;
  }
}

function tooLong(query: string): string | null {
  const lexer = new Lexer(new Source(query));
  let depth = 0;
  for (let tokens = 0; ; tokens++) {
    const { kind } = lexer.advance();
    if (kind === TokenKind.EOF) return null;
    if (kind === TokenKind.BRACE_L || kind === TokenKind.BRACKET_L || kind === TokenKind.PAREN_L) depth += 1;
    else if (kind === TokenKind.BRACE_R || kind === TokenKind.BRACKET_R || kind === TokenKind.PAREN_R) depth -= 1;
    if (depth > limits.brackets) return `The query is nested too deep: ${limits.brackets} brackets at most.`;
    if (tokens >= limits.tokens) return `The query is too long: ${limits.tokens} words and signs at most.`;
  }
}

/** Of a selection, with what is spread in it. `branches` are fields that have fields. */
interface Size {
  levels: number;
  fields: number;
  branches: number;
}

function tooWide({ definitions }: DocumentNode): string | null {
  const fragments = new Map(
    definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one.selectionSet] as const] : [],
    ),
  );
  const known = new Map<string, Size | null>();
  const sizeOfFragment = (name: string): Size => {
    const found = known.get(name);
    if (found === null) return { levels: Infinity, fields: Infinity, branches: Infinity }; // it leads to itself
    if (found) return found;
    known.set(name, null);
    const size = sizeOf(fragments.get(name));
    known.set(name, size);
    return size;
  };
  const sizeOf = (set: SelectionSetNode | undefined): Size => {
    const all: Size = { levels: 0, fields: 0, branches: 0 };
    for (const one of set?.selections ?? []) {
      const inner = one.kind === Kind.FRAGMENT_SPREAD ? sizeOfFragment(one.name.value) : sizeOf(one.selectionSet);
      const itself = Number(one.kind === Kind.FIELD);
      all.levels = Math.max(all.levels, inner.levels + itself);
      all.fields += inner.fields + itself;
      all.branches += inner.branches + (inner.fields > 0 ? itself : 0);
    }
    return all;
  };
  const sizes = definitions.map((one) => sizeOf('selectionSet' in one ? one.selectionSet : undefined));
  const largest = (of: keyof Size) => Math.max(0, ...sizes.map((size) => size[of]));
  if (largest('fields') === Infinity) return 'A fragment leads to itself.';
  if (largest('levels') > limits.levels)
    return `The query is nested too deep: ${limits.levels} levels of fields at most.`;
  if (largest('fields') > limits.fields)
    return `The query asks for too much: ${limits.fields} fields at most, each counted wherever it is asked for.`;
  if (largest('branches') > limits.branches)
    return `The query asks for too much: ${limits.branches} fields with fields of their own at most, each counted wherever it is asked for.`;
  return null;
}
