// The doors of a world: Hill's public server on its database, in this process. It is opened when something first comes
// to it, and closed with the world.
import { openApi } from '../../src/rest/openapi/index.ts';
import { type Described, describedBy } from '../support/doors/described.ts';
import { anMcp, type Mcp } from '../support/doors/mcp.ts';
import type { Hill } from '../support/hill/index.ts';
import type { Action } from './family.ts';
import { type Answer, Contradiction, type Deposit, momentOf } from './model.ts';
import type { World } from './world.ts';

interface Doors {
  readonly mcp: Mcp;
  /** The access token of an agent, as the token endpoint signs it. */
  token(agent: string): Promise<string>;
}

const opened = new WeakMap<Hill, Promise<Doors>>();

export function doorsOf(world: World): Promise<Doors> {
  const there = opened.get(world.hill) ?? openDoors(world);
  opened.set(world.hill, there);
  return there;
}

async function openDoors(world: World): Promise<Doors> {
  const never = '1000000/1';
  const mcp = anMcp(world.hill, { HILL_LIMIT_READS: never, HILL_LIMIT_CALLS: never, LOG_LEVEL: 'error' });
  await mcp.open();
  const tokens = new Map<string, Promise<string>>();
  const token = (agent: string) => {
    const keys = world.agents.get(agent);
    if (!keys) throw new Error(`${agent} is not there`);
    // another one each day: the key that signed it is not published for ever
    const today = `${agent} ${momentOf(world.now).today}`;
    const made = tokens.get(today) ?? mcp.token(keys);
    tokens.set(today, made);
    return made;
  };
  return { mcp, token };
}

/** Whoever takes a world's database away closes them before. */
export async function closeDoors({ hill }: Pick<World, 'hill'>): Promise<void> {
  const there = opened.get(hill);
  opened.delete(hill);
  await (await there)?.mcp.close();
}

/** What a tool answers, whose schema has been checked; a refusal says what to do. */
async function useTool<T>(world: World, agent: string, name: string, args: object): Promise<Answer<T>> {
  const { mcp, token } = await doorsOf(world);
  const { status, text, message } = await mcp.callTool<T>(await token(agent), name, args);
  if (status === 401) return { refused: 'INVALID_TOKEN' };
  const told = message?.result?.structuredContent as (T & { code?: string; hint?: string }) | undefined;
  if (status !== 200 || !told) throw new Contradiction(`${agent}, ${name}: ${status} ${text}`);
  if (!message.result?.isError) return { result: told };
  if (!told.code || !told.hint) throw new Contradiction(`${agent}, ${name}: a refusal without code or hint: ${text}`);
  return { refused: told.code };
}

type AsTool = (world: World, action: never) => readonly [agent: string, tool: string, args: object];

/** Calls that agents make of the play interface, as tools. */
const asTool: Readonly<Record<string, AsTool>> = {
  deposit: (world, { agent, slot, move, stake, message, day }: Deposit) => [
    agent,
    'play',
    { slot, move, stake_cents: stake, message, ...(day === undefined ? {} : { day: momentOf(world.now).today + day }) },
  ],
  announce: (_, { agent, slot, intention, message }: Action & { agent: string }) => [
    agent,
    'announce',
    { slot, intention, message },
  ],
  rename: (_, { agent, name }: Action & { agent: string }) => [agent, 'set_profile', { name }],
  status: (_, { agent }: { agent: string }) => [agent, 'status', {}],
  whoami: (_, { agent }: { agent: string }) => [agent, 'whoami', {}],
  seesNight: (_, { agent }: { agent: string }) => [agent, 'night', {}],
};
export const isTool = ({ do: name }: Action): boolean => name in asTool;

/** Makes a call over HTTP. Null where nobody is there for it, or its agent has no token any more. */
export async function overHttp(world: World, action: Action): Promise<Answer | null> {
  const [agent, tool, args] = asTool[action.do]?.(world, action as never) ?? [];
  if (agent === undefined || tool === undefined || !world.agents.has(agent)) return null;
  // tokens of those who signed in are made up: no process has signed them; and what has ended is not given anew
  const { token, over } = world.model.agents[agent] ?? {};
  if (token !== undefined || over) return null;
  return useTool(world, agent, tool, args ?? {});
}

export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly etag: string | null;
  readonly body: string;
}

let described: Promise<Described> | undefined;

/** Reads an address. `known`: what the reader has of it already. */
export async function readPage(world: World, path: string, known?: Page): Promise<Page> {
  const { mcp } = await doorsOf(world);
  const headers = known?.etag ? { 'If-None-Match': known.etag } : {};
  const { status, headers: fields, ...response } = await got(mcp.baseUrl + path, headers);
  if (status === 304 && known) return known;
  return { status, headers: fields, etag: fields.get('etag'), body: response.body };
}

async function got(url: string, headers: Record<string, string>) {
  const response = await fetch(url, { headers });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

/** What is answered is as /openapi.json has it. */
export async function asDescribed(path: string, page: Page): Promise<void> {
  if (!path.startsWith('/api/')) return;
  described ??= describedBy(openApi('https://hill.example'));
  const { answered } = await (await described).judge(path, page);
  if (answered.length > 0) throw new Contradiction(`${path}: ${page.status} ${answered.join('; ')}`);
}
