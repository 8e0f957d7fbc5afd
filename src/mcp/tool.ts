// mcp/tool.ts · what a tool of the play interface is made of. One file each in tools/; what it does is one function of api_agent. Specification 4.2.
import type { z } from 'zod';
import type { Args } from '../db/call.ts';
import type { Webhooks } from '../outside/webhooks.ts';
import type { Links } from '../records/links.ts';

type Scope = 'hill:read' | 'hill:play';

/** Whoever calls a tool. */
export interface Caller {
  /** Calls a function of the agents' schema with the caller's access token. Throws a Refusal or a Failure, which the door turns into an answer. */
  call<T>(name: `api_agent.${string}`, args?: Args): Promise<T>;
  readonly links: Links;
  /** Addresses and secrets of webhooks, which the database does not make. */
  readonly webhooks: Webhooks;
}

export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** Written for a model that must choose: what it gives, when to call it, what to call next. */
  readonly description: string;
  readonly scope: Scope;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly idempotentHint: boolean;
    readonly destructiveHint: boolean;
    readonly openWorldHint: boolean;
  };
  readonly input: Input;
  readonly output: Output;
  run(input: z.output<Input>, caller: Caller): Promise<z.input<Output>>;
  /**
   * The identities, by slug, that hold a place in the result: counted as reads of them. All of them, the caller's own too: whom a call leaves out would tell
   * whose agent has made it. Decisions 7.
   */
  shows?(result: z.input<Output>): readonly string[];
  /** The result in a few words, for a model that reads text only. */
  text(result: z.input<Output>): string;
}

/** Names the types of a tool's input and output once, from its schemas. */
export const tool = <Input extends z.ZodObject, Output extends z.ZodObject>(definition: Tool<Input, Output>): Tool<Input, Output> =>
  definition;
