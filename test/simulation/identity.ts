// What the model knows of humans and of what clients hold: who signs in to which account, and which tokens live until
// when. Names stand for secrets: what a name is the secret of is never drawn.
import { createHash } from 'node:crypto';
import type { Model } from './model.ts';

/** No table may have it as it is. */
export const secretOf = (name: string): string => `${name}: a secret of a world, which is nowhere in plain text`;

export const uuidOf = (name: string): string =>
  createHash('md5')
    .update(name)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
export const clientId = (client: string): string => `client-${client}`;

export const seconds = (n: number): number => n * 1_000;
export const hours = (n: number): number => n * 3_600_000;
const days = (n: number): number => hours(24 * n);

/** One client's hold on one account; before a claim, on none. A grant of an account is named like its agent. */
interface Grant {
  readonly client: string;
  scopes: readonly string[];
  usedAt: number;
  member?: string;
  agent?: string;
  over?: true;
}

/** Whatever a client can show: by its name. */
interface Key {
  readonly kind: 'access' | 'refresh' | 'assertion' | 'claim' | 'code';
  readonly grant: string;
  readonly until: number;
  readonly scopes: readonly string[];
  /** The code or the device with which it began: all that came of it ends together. */
  readonly chain?: string;
  /** What a refresh token replaced. */
  readonly parent?: string;
  /** It was given before the claim. */
  readonly first?: true;
  usedAt?: number;
  over?: true;
}

export interface Pace {
  readonly until: number;
  interval: number;
  polledAt?: number;
}
interface Attempt extends Pace {
  readonly client: string;
  readonly address: string;
  status: 'initiated' | 'approved' | 'refused' | 'locked';
  wrong: number;
}
interface Device extends Pace {
  readonly client: string;
  readonly scopes: readonly string[];
  status: 'pending' | 'approved' | 'refused';
  grant?: string;
  issued?: true;
}

interface Session {
  readonly member: string;
  ended?: true;
  age?: 'stale' | 'expired';
  /** Its row is deleted. */
  forgotten?: true;
}

export interface Identity {
  /** By provider and human: `google:h1`. In the order in which they were added. */
  signIns: Record<string, { readonly member: string; readonly addedAt: number; address: string | null }>;
  sessions: Record<string, Session>;
  /** The session of each human's first sign-in, with which mandates are set. */
  first: Record<string, string>;
  /** Who has chosen a name for the account. */
  named: Record<string, true>;
  /** When the account typed a code. */
  typed: Record<string, number[]>;
  /** When they registered. */
  clients: Record<string, number>;
  /** Of those without a browser, by client: the name of its claim token is `${client}!`. */
  claims: Record<string, { claimed?: true; issued?: true }>;
  attempts: Record<string, Attempt>;
  devices: Record<string, Device>;
  grants: Record<string, Grant>;
  keys: Record<string, Key>;
  endedChains: Record<string, true>;
  /** What had ended then may be deleted. */
  forgotten: number;
}

export const noIdentity = (): Identity => ({
  ...{ signIns: {}, sessions: {}, first: {}, named: {}, typed: {}, clients: {}, claims: {}, attempts: {}, devices: {} },
  ...{ grants: {}, keys: {}, endedChains: {}, forgotten: 0 },
});

export const both: readonly string[] = ['hill:read', 'hill:play'];

// Humans

/** The account that an address means. Protocol 5.2. */
export const meant = ({ identity: { signIns } }: Model, address: string): string | undefined =>
  Object.values(signIns).find((one) => one.address === address)?.member;

/** A provider vouches for an address: nobody else has it any more. */
export function takeAddress({ identity: { signIns } }: Model, member: string, address: string): void {
  for (const one of Object.values(signIns)) if (one.member !== member && one.address === address) one.address = null;
}

export const endSessions = ({ identity: { sessions } }: Model, member: string, but?: string): void => {
  for (const [name, one] of Object.entries(sessions)) if (one.member === member && name !== but) one.ended = true;
};

/** How many it ends: what has expired is over already, whether its row is there still or not. */
export const signOutEverywhere = ({ identity: { sessions } }: Model, member: string): number => {
  const live = Object.values(sessions).filter((one) => one.member === member && !one.ended && one.age !== 'expired');
  for (const session of live) session.ended = true;
  return live.length;
};

/** What an account loses that is closed. Rules 19.4. */
export function forgetHuman(model: Model, member: string): void {
  const { signIns, attempts, grants } = model.identity;
  for (const [name, { address, client }] of Object.entries(attempts))
    if (meant(model, address) === member || grants[client]?.member === member) delete attempts[name];
  for (const [name, one] of Object.entries(signIns)) if (one.member === member) delete signIns[name];
  endSessions(model, member);
}

/** A session by its name; that of an account that others made, which never ends, is named like the member. */
export const sessionOf = ({ identity: { sessions, first }, members }: Model, name: string): Session | undefined =>
  sessions[name] ?? (members[name] && first[name] === undefined ? { member: name } : undefined);

/** Why a session does not let its human in. */
export function shutOut(model: Model, name: string): { INVALID_TOKEN: boolean; ACCOUNT_CLOSED: boolean } {
  const session = sessionOf(model, name);
  const closed = (session && !session.forgotten && model.members[session.member]?.closed) ?? false;
  return { INVALID_TOKEN: !closed && (!session || session.ended || session.age === 'expired'), ACCOUNT_CLOSED: closed };
}

/** Whether the session is over with which the mandate of a member is set. */
export const signedOut = (model: Model, member: string): boolean => {
  const first = model.identity.first[member];
  return first !== undefined && shutOut(model, first).INVALID_TOKEN;
};

/** What bars a human who calls with the first session of an account. */
export const barredBySession = (model: Model, member: string) => {
  const closed = model.members[member]?.closed ?? true;
  return { INVALID_TOKEN: closed || signedOut(model, member), ACCOUNT_CLOSED: closed };
};

// Grants

export const isOver = (model: Model, name: string): boolean => {
  const grant = model.identity.grants[name];
  return !grant || grant.over === true || (grant.agent !== undefined && model.agents[grant.agent]?.cut === true);
};
const hasLapsed = (model: Model, name: string, now: number): boolean =>
  (model.identity.grants[name]?.usedAt ?? 0) + days(30) < now;
export const isHeld = (model: Model, name: string, now: number): boolean =>
  !isOver(model, name) && !hasLapsed(model, name, now);

/** Ends a grant with all that was issued under it, and cuts its agent. */
export function endGrant(model: Model, name: string): void {
  const grant = model.identity.grants[name] as Grant;
  grant.over = true;
  const agent = model.agents[grant.agent ?? ''];
  if (agent) agent.cut = true;
}

/** Ends what an agent holds, for good: staff let it in no more. */
export function endAgent(model: Model, agent: string): void {
  Object.assign(model.agents[agent] as object, { cut: true, over: true });
  for (const [name, grant] of Object.entries(model.identity.grants)) if (grant.agent === agent) endGrant(model, name);
}

export const isLive = (model: Model, name: string, now: number): boolean => {
  const { keys, endedChains } = model.identity;
  const key = keys[name];
  return (
    key !== undefined && !key.over && !endedChains[key.chain ?? ''] && !isOver(model, key.grant) && key.until > now
  );
};

/** Why an agent may not play with the token that it has. Those that others made have one that never ends. */
export function barredByToken(model: Model, agent: string, now: number) {
  const { cut = true, over, token } = model.agents[agent] ?? {};
  const live = !cut && (token === undefined ? !over : isLive(model, token, now));
  const plays = token === undefined || model.identity.keys[token]?.scopes.includes('hill:play') === true;
  return { INVALID_TOKEN: !live, INSUFFICIENT_SCOPE: live && !plays };
}

/** Where reading is enough. */
export const barredFromReading = (model: Model, agent: string, now: number) => ({
  INVALID_TOKEN: barredByToken(model, agent, now).INVALID_TOKEN,
  ACCOUNT_CLOSED: model.members[model.agents[agent]?.of ?? '']?.closed ?? true,
});

/** What is issued under a grant; an agent plays with what it was given last. */
export function issue(model: Model, now: number, name: string, key: Omit<Key, 'grant' | 'until'>, grantName: string) {
  const life = { access: seconds(900), refresh: days(30), assertion: hours(24), claim: hours(24), code: seconds(60) };
  const grant = model.identity.grants[grantName] as Grant;
  model.identity.keys[name] = { ...key, grant: grantName, until: now + life[key.kind] };
  grant.usedAt = now;
  const agent = model.agents[grant.agent ?? ''];
  if (agent && key.kind === 'access') agent.token = name;
}

/** The first tokens of a code or a device. */
export function beginChain(
  model: Model,
  now: number,
  { grant, scopes, chain }: { grant: string; scopes: readonly string[]; chain: string },
  { token, refresh }: { token: string; refresh: string },
): void {
  issue(model, now, refresh, { kind: 'refresh', scopes, chain }, grant);
  issue(model, now, token, { kind: 'access', scopes, chain }, grant);
}

/** The account's next agent of a client. */
export function newAgent(model: Model, client: string, member: string): string {
  const before = Object.keys(model.agents).filter((name) => name.startsWith(`${client}/${member}/`)).length;
  const name = `${client}/${member}/${before + 1}`;
  if (!Object.values(model.agents).some(({ of }) => of === member)) model.identity.named[member] = true;
  model.agents[name] = { of: member, cut: false, token: 'none' };
  return name;
}

/** A human approves a client: the grant that it has then. */
export function approve(model: Model, now: number, client: string, member: string, scopes: readonly string[]): string {
  const { grants } = model.identity;
  const [name] = Object.entries(grants).find(
    ([, grant]) => grant.client === client && grant.member === member && !grant.over,
  ) ?? [undefined];
  if (name !== undefined && isHeld(model, name, now)) {
    const grant = grants[name] as Grant;
    grant.scopes = both.filter((scope) => grant.scopes.includes(scope) || scopes.includes(scope));
    grant.usedAt = now;
    return name;
  }
  if (name !== undefined) endGrant(model, name);
  const agent = newAgent(model, client, member);
  grants[agent] = { client, member, agent, scopes, usedAt: now };
  return agent;
}

/** What a poll that has to wait is told. Protocol 3.5. */
export function pace(one: Pace, now: number): { readonly outcome: string; readonly interval: number } {
  const fast = one.polledAt !== undefined && one.polledAt + one.interval - 500 > now;
  one.polledAt = now;
  if (fast) one.interval += seconds(5);
  return { outcome: fast ? 'slow_down' : 'authorization_pending', interval: one.interval / 1_000 };
}

const perHour = 20;
/** Whether the limit of codes that an account may type lets it be admitted, or be refused. Protocol 4.6. */
export function fitsLimit({ identity: { typed } }: Model, member: string, now: number, refused: boolean): boolean {
  const recent = (typed[member] ?? []).filter((at) => at > now - hours(2));
  if (refused) return recent.length >= perHour;
  typed[member] = [...recent, now];
  return recent.filter((at) => Math.floor(at / hours(1)) === Math.floor(now / hours(1))).length < perHour;
}
