// One call of a tool: arguments checked, the tool run, its result checked and put into words. Rules 14.2.
import { type CallToolResult, type InputRequiredResult, inputRequired } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { type Failure, Refusal, refusal, typed } from '../db/errors.ts';
import { retryAfter } from '../db/retry-after.ts';
import { unfitText } from '../db/text.ts';
import { type Caller, type Human, pageKey, type Tool } from './tool.ts';
import { type Unknown, unknownArguments } from './unknown-arguments.ts';

export interface Called {
  readonly result: CallToolResult | InputRequiredResult;
  /** The structured content; absent if there is none to read. */
  readonly given?: Record<string, unknown>;
  /** What went wrong, if something did. */
  readonly error?: Refusal | Failure;
}

/** Throws a refusal of the token, which the door answers with a challenge. Every other refusal is a result. */
export async function callTool(tool: Tool, args: unknown, caller: Caller, human: Human): Promise<Called> {
  const input = readArguments(tool, args);
  if (input instanceof Refusal) {
    await caller.call('api_agent.check_token'); // SQL has not seen the token yet
    return refused(input, caller);
  }
  try {
    const page = human.opensPages && human.page === undefined ? await tool.page?.(input, caller) : undefined;
    if (page) return { result: inputRequired({ inputRequests: { [pageKey]: inputRequired.elicitUrl(page) } }) };
    const answered = { ...caller, page: human.page };
    const found = await tool.run(input, answered);
    const given = tool.output.parse(tool.brief ? tool.brief(found) : found) as Record<string, unknown>;
    return {
      given,
      result: {
        content: [{ type: 'text', text: marked(tool.text(found, answered), caller) }],
        structuredContent: given,
      },
    };
  } catch (thrown) {
    const error = typed(thrown);
    if (error instanceof Refusal && error.oauth) throw error;
    return refused(error, caller);
  }
}

/** What a practice hill answers cannot be taken for the answer of another. */
const marked = (text: string, { links }: Caller): string => (links.practice ? `PRACTICE. ${text}` : text);

/**
 * `isError`, with the code in the structured content: a model reads what went wrong and what to do, a program matches
 * on the code.
 */
function refused(error: Refusal | Failure, caller: Caller): Called {
  const { links } = caller;
  const { code, message } = error;
  const link = links.lift(code);
  const hint = link ? `${error.hint} For your human: ${link}` : error.hint;
  const seconds = retryAfter(error);
  const detail = seconds === undefined ? error.detail : { retry_after_seconds: seconds, ...error.detail };
  const details = Object.keys(detail).length === 0 ? '' : ` ${JSON.stringify(detail)}`;
  return {
    error,
    result: {
      isError: true,
      content: [{ type: 'text', text: marked(`${code}: ${message} ${hint}${details}`, caller) }],
      structuredContent: { ...detail, code, message, hint, ...(link ? { link } : {}) },
    },
  };
}

function readArguments(tool: Tool, args: unknown): z.output<Tool['input']> | Refusal {
  const read = tool.input.safeParse(withoutNulls(tool, args ?? {}));
  // before what is missing: it is most often there under a name that is not known
  const unknown = read.error && unknownArguments(tool, read.error, args);
  if (unknown) return unknownArgument(tool, unknown);
  const wrong = read.error?.issues[0];
  if (wrong)
    return invalidArgument(wrong.path.join('.'), wrong.message, wrong.code === 'custom' ? wrong.params : undefined);
  const unfit = unfitText(args);
  if (unfit !== undefined) return invalidArgument(unfit, 'It contains a null character or half of a surrogate pair.');
  return read.data as z.output<Tool['input']>;
}

function unknownArgument({ name }: Tool, { names, meant, takes }: Unknown): Refusal {
  const instead = Object.entries(meant).map(([sent, known]) => `for ${sent} say ${known}`);
  return invalidArgument(
    names.join(', '),
    `There is no such argument${instead.length > 0 ? `: ${instead.join(', ')}` : ''}. ${name} takes ${takes.join(', ') || 'none'}.`,
    { meant },
  );
}

/** Many models send null for what they leave out. */
function withoutNulls({ input }: Tool, args: unknown): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  const left = (key: string, value: unknown) => {
    const schema = value === null && Object.hasOwn(input.shape, key) ? (input.shape[key] as z.ZodType) : undefined;
    return schema !== undefined && !schema.safeParse(null).success && schema.safeParse(undefined).success;
  };
  return Object.fromEntries(Object.entries(args).filter(([key, value]) => !left(key, value)));
}

const invalidArgument = (argument: string, problem: string, detail?: object): Refusal =>
  refusal(
    'INVALID_ARGUMENT',
    `${argument || 'arguments'}: ${problem.endsWith('.') ? problem : `${problem}.`}`,
    'Correct the argument that the message names and call again.',
    { argument: argument || 'arguments', ...detail },
  );
