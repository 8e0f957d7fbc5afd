// What a tool is: schemas, words, and a function of api_agent. It knows nothing of HTTP. Protocol 9.4.
import type { z } from 'zod';
import type { Args } from '../db/call.ts';
import type { Move } from '../db/deposits.ts';
import type { Webhooks } from '../outside/webhooks.ts';
import type { TopUps } from '../process/config.ts';
import type { Links } from '../records/links.ts';
import type { Receipts } from './receipts.ts';

type Scope = 'hill:read' | 'hill:play';

/**
 * What the human of a caller did with a page that it offered to open: opened it, refused, or neither. Protocol 9.10.
 */
export type PageAnswer = 'accept' | 'decline' | 'cancel';

/** The name of that question in the protocol. */
export const pageKey = 'page';

/** What the program of a caller can do for its human. */
export interface Human {
  readonly opensPages: boolean;
  /** What became of the page that the tool asked to open; absent before it has asked. */
  readonly page?: PageAnswer | undefined;
}

/** What a tool may use while it serves a call. */
export interface Caller {
  /**
   * Calls a function of the agents' schema with the caller's access token, which SQL checks first. Throws a Refusal or
   * a Failure.
   */
  call<T>(name: `api_agent.${string}`, args?: Args): Promise<T>;
  /** Deposits a move with that token, together with what others deposit at the same time. Throws likewise. */
  deposit<T>(move: Move): Promise<T>;
  readonly receipts: Receipts;
  readonly links: Links;
  readonly webhooks: Webhooks;
  /** What a human can do on the account page. */
  readonly topUps: TopUps;
  /** Every tool that is served. */
  readonly tools: readonly Tool[];
  readonly page?: PageAnswer | undefined;
}

export interface Tool<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
  Found = z.input<Output>,
> {
  readonly name: string;
  readonly title: string;
  /** Written for a model that has to choose: what the tool gives, when to call it, what to call next. */
  readonly description: string;
  readonly scope: Scope;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly idempotentHint: boolean;
    readonly destructiveHint: boolean;
    readonly openWorldHint: boolean;
  };
  /** Its answers tell nothing sealed, so they may be compressed. */
  readonly open?: true;
  readonly input: Input;
  readonly output: Output;
  /** The address of the view that draws the result in hosts that can. Protocol 9.11. */
  readonly view?: string;
  /**
   * The page that the human should be offered before the tool runs, by programs that can open one. It changes nothing:
   * the call is sent again with the human's answer. Its first act is a call of SQL, as that of `run`.
   */
  page?(
    input: z.output<Input>,
    caller: Caller,
  ): Promise<{ readonly message: string; readonly url: string } | undefined>;
  /**
   * Its first act is a call of SQL: that call checks the token, and nothing else does. What can be refused without SQL
   * belongs in `input`.
   */
  run(input: z.output<Input>, caller: Caller): Promise<Found>;
  /** What of it goes into the structured content; without this function all does. The text may tell more. */
  brief?(found: Found): z.input<Output>;
  /**
   * The slugs of the identities that hold a place in the result: each counts as read. They include the caller's own, or
   * the count would tell whose agent made the call. Rules 9.1.
   */
  shows?(result: z.input<Output>): readonly string[];
  /** The result in a few words, for a model that reads text only. */
  text(found: Found, caller: Caller): string;
}

export const readsOnly = {
  readOnlyHint: true,
  idempotentHint: true,
  destructiveHint: false,
  openWorldHint: false,
} as const;

/** Infers the types of a tool's input and output from its schemas. */
export const tool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: Tool<Input, Output>,
): Tool<Input, Output> => definition;

/** The same for a tool that finds more than its structured content tells. */
export const briefTool = <Input extends z.ZodObject, Output extends z.ZodObject, Found>(
  definition: Tool<Input, Output, Found> & Required<Pick<Tool<Input, Output, Found>, 'brief'>>,
): Tool<Input, Output, Found> => definition;
