// Agents without a browser: they register, name their human, and poll until the code is typed.
import type { Random } from '../../support/random.ts';
import { type CallKind, type Family, refusedFor, unexpected } from '../family.ts';
import {
  both,
  clientId,
  fitsLimit,
  hours,
  type Identity,
  isHeld,
  isLive,
  issue,
  meant,
  newAgent,
  pace,
  seconds,
  secretOf,
  shutOut,
  uuidOf,
} from '../identity.ts';
import type { Answer, Model } from '../model.ts';
import type { World } from '../world.ts';
import { addresses, aName, type OfSession, ownerOf, someSession } from './people.ts';

export const audience = 'https://hill.example';
export const resultOf = <T = unknown>(about: string, answer: Answer): T =>
  'refused' in answer ? unexpected(about, answer) : (answer.result as T);
export const expected = (about: string, answer: Answer, value: unknown): void => {
  if (resultOf(about, answer) !== value) unexpected(`${about}, and ${value} is right`, answer);
};
interface Told {
  readonly outcome: string;
  readonly interval?: number;
  readonly tries_left?: number;
  readonly expires_in?: number;
}
/** One of the outcomes for which there is a reason, if there is one: null; otherwise the answer. */
export function outcomeOf(about: string, answer: Answer, reasons: Readonly<Record<string, boolean>>): Told | null {
  const told = resultOf<Told>(about, answer);
  const holds = Object.keys(reasons).filter((outcome) => reasons[outcome]);
  if (holds.length === 0 ? told.outcome in reasons : !holds.includes(told.outcome))
    unexpected(`${about}; what holds is [${holds}]`, answer);
  return holds.length > 0 ? null : told;
}
/** Mostly one of the last that fit, so that somebody is done with before the next. */
export function lately(random: Random, names: readonly string[], fits: (name: string) => boolean = () => true) {
  const from = random.chance(0.95) ? names.filter(fits) : names;
  return from.length > 0 ? random.pick(from.slice(random.chance(0.8) ? -2 : -8)) : null;
}

/** Gives the agents of a client the names that the model has for them. */
export async function keepAgents({ hill, members, agents }: World, client: string): Promise<void> {
  const rows = await hill.rows<{ id: string; account: string }>(
    'select g.agent_id as id, g.account_id as account from oauth.grants g where g.client_id = $1 and g.agent_id is not null order by g.id',
    [clientId(client)],
  );
  const before = new Map<string, number>();
  for (const { id, account } of rows) {
    const n = (before.get(account) ?? 0) + 1;
    before.set(account, n);
    const name = `${client}/${members.get(account)}/${n}`;
    members.set(id, name);
    agents.set(name, { id: account, agentId: id, name, token: '', session: '' });
  }
}

const claimOf = (client: string) => `${client}!`;
const untilOf = ({ identity: { keys } }: Model, client: string) => keys[claimOf(client)]?.until ?? 0;
type Attempt = Identity['attempts'][string];
const lastAttempt = ({ identity: { attempts } }: Model, client: string): Attempt | undefined =>
  Object.values(attempts).findLast((one) => one.client === client);
const isOpen = ({ identity: { claims } }: Model, now: number, { client, status, until }: Attempt) =>
  status === 'initiated' && until > now && !claims[client]?.claimed;

interface OfClient {
  readonly client: string;
}
const register: CallKind<OfClient & { assertion: string }> = {
  odds: 1.2,
  needed: true,
  draw: (_, random) => ({ client: aName('q', random), assertion: aName('i', random) }),
  call: (_, { client, assertion }) => ({
    ...{ as: 'web', name: 'api_oauth.register_anonymous' },
    args: {
      ...{ registration_id: uuidOf(client), client_id: clientId(client), client_name: 'A bot' },
      ...{ claim_token: secretOf(claimOf(client)), assertion: secretOf(assertion) },
    },
  }),
  learn: (model, { now }, { client, assertion }, answer) => {
    refusedFor(answer, `${client} registers`, {});
    const { grants, claims } = model.identity;
    grants[client] = { client, scopes: ['hill:read'], usedAt: now };
    claims[client] = {};
    issue(model, now, claimOf(client), { kind: 'claim', scopes: [] }, client);
    issue(model, now, assertion, { kind: 'assertion', scopes: [], first: true }, client);
  },
};

const beginClaim: CallKind<OfClient & { address: string; attempt: string }> = {
  odds: 3,
  needed: true,
  draw: ({ model, now }, random) => {
    const { claims } = model.identity;
    const client = lately(random, Object.keys(claims), (name) => !claims[name]?.issued && untilOf(model, name) > now);
    const signedIn = addresses.filter((address) => meant(model, address));
    const address = random.pick(signedIn.length > 0 && random.chance(0.9) ? signedIn : addresses);
    return client ? { client, address, attempt: aName('x', random) } : null;
  },
  call: ({ model }, { client, address, attempt }) =>
    client in model.identity.claims
      ? {
          ...{ as: 'web', name: 'api_oauth.begin_claim' },
          args: {
            ...{ claim_token: secretOf(claimOf(client)), email: address, attempt_token: secretOf(attempt) },
            ...{ user_code: '123456', at_most: 1_000_000, seconds: 3_600 },
          },
        }
      : null,
  learn: (model, { now }, { client, address, attempt }, answer) => {
    const { claims, attempts, grants } = model.identity;
    const last = lastAttempt(model, client);
    const over = !isHeld(model, client, now);
    const told = outcomeOf(`${client} asks for a code`, answer, {
      claim_expired: untilOf(model, client) <= now,
      invalid_claim_token: over || claims[client]?.issued === true,
      claimed_or_in_flight:
        untilOf(model, client) > now &&
        !over &&
        (claims[client]?.claimed === true || (last ? isOpen(model, now, last) : false)),
    });
    if (!told) return;
    const until = Math.min(now + seconds(600), untilOf(model, client));
    if (told.outcome !== 'initiated' || told.expires_in !== Math.floor((until - now) / 1_000))
      unexpected(`${client} asks for a code until ${until}`, answer);
    attempts[attempt] = { client, address, until, interval: seconds(5), status: 'initiated', wrong: 0 };
    (grants[client] as { usedAt: number }).usedAt = now;
  },
};

const pollClaim: CallKind<OfClient> = {
  odds: 3,
  draw: ({ model, now }, random) => {
    const { attempts } = model.identity;
    const client = lately(
      random,
      Object.values(attempts).flatMap((one) => (one.until > now - hours(1) ? [one.client] : [])),
    );
    return client ? { client } : null;
  },
  call: ({ model }, { client }) =>
    client in model.identity.claims
      ? { as: 'web', name: 'api_oauth.poll_claim', args: { claim_token: secretOf(claimOf(client)) } }
      : null,
  learn: (model, { now }, { client }, answer) => {
    const claim = model.identity.claims[client];
    const last = lastAttempt(model, client);
    const over = untilOf(model, client) <= now;
    const ended = !isHeld(model, client, now) || claim?.issued === true;
    const undecided = !over && !ended && !claim?.claimed;
    const told = outcomeOf(`${client} polls`, answer, {
      claim_expired: over,
      invalid_grant: ended,
      approved: !over && !ended && claim?.claimed === true,
      expired_token:
        undecided && (!last || last.status === 'locked' || (last.status === 'initiated' && last.until <= now)),
      access_denied: undecided && last?.status === 'refused',
    });
    if (told) expectedPace(`${client} polls`, answer, told, pace(last as Attempt, now));
  },
};
export function expectedPace(about: string, answer: Answer, told: Told, right: ReturnType<typeof pace>): void {
  if (told.outcome !== right.outcome || told.interval !== right.interval)
    unexpected(`${about}, and ${JSON.stringify(right)} is right`, answer);
}

interface Decides extends OfSession {
  readonly attempt: string;
  /** What the human types; without one the claim is refused. */
  readonly code?: string;
}
const decideClaim: CallKind<Decides> = {
  odds: 7,
  needed: true,
  draw: (world, random) => {
    const { model, now } = world;
    const { attempts, sessions } = model.identity;
    const attempt = lately(random, Object.keys(attempts), (name) => isOpen(model, now, attempts[name] as Attempt));
    if (!attempt) return null;
    const member = meant(model, attempts[attempt]?.address ?? '');
    const own = Object.keys(sessions).filter(
      (name) => sessions[name]?.member === member && !shutOut(model, name).INVALID_TOKEN,
    );
    const session = own.length > 0 && random.chance(0.9) ? random.pick(own) : someSession(world, random);
    if (!session) return null;
    // some mistype it until it is locked
    const wrong = (attempts[attempt]?.wrong ?? 0) > 0 ? 0.9 : 0.25;
    return {
      ...{ session, attempt },
      ...(random.chance(0.05) ? {} : { code: random.chance(wrong) ? '000000' : '123456' }),
    };
  },
  call: ({ model }, { session, attempt, code }) => {
    if (!(session in model.identity.sessions)) return null;
    const args = { session: secretOf(session), attempt_token: secretOf(attempt) };
    if (code === undefined) return { as: 'web', name: 'api_human.refuse_claim', args };
    const account_name = `Account ${ownerOf(model, session)}`;
    return { as: 'web', name: 'api_human.approve_claim', args: { ...args, user_code: code, account_name } };
  },
  hear: async (world, { attempt }, answer) => {
    const { model, reached } = world;
    const client = model.identity.attempts[attempt]?.client;
    if (!client || 'refused' in answer) return;
    const { outcome } = answer.result as Told;
    if (outcome === 'wrong_account') reached.add('a claim that another account saw');
    if (outcome === 'approved') await keepAgents(world, client);
  },
  learn: (model, { now, racing }, { session, attempt, code }, answer) => {
    const about = `${session} types ${code} for ${attempt}`;
    const { attempts, claims } = model.identity;
    const [member, known] = [ownerOf(model, session), attempts[attempt]];
    const out = shutOut(model, session);
    // who was let in before the account was closed is a stranger when the claim is looked at
    const late = racing && out.ACCOUNT_CLOSED && 'result' in answer;
    if (!late && refusedFor(answer, about, out)) return;
    const stranger = known !== undefined && meant(model, known.address) !== member;
    const own = known !== undefined && !stranger;
    const claim = claims[known?.client ?? ''];
    const over = own && untilOf(model, known.client) <= now && !claim?.issued && known.status !== 'refused';
    const decided = own && !over && known.status !== 'initiated';
    const open = own && !over && isOpen(model, now, known) && isHeld(model, known.client, now);
    const told = outcomeOf(about, answer, {
      ...{
        unknown: !known,
        wrong_account: stranger || (late === true && !known),
        claim_expired: over,
        expired: own && !over && !decided && !open,
      },
      ...{ refused: open && code === undefined, ...(decided ? { [known.status]: true } : {}) },
    });
    if (open && code === undefined) known.status = 'refused';
    else if (told && known)
      typed(model, now, { member, known, right: code === '123456' }, told, () => unexpected(about, answer));
  },
};

/** A code for a claim that is open. */
function typed(
  model: Model,
  now: number,
  { member, known, right }: { member: string; known: Attempt; right: boolean },
  { outcome, tries_left }: Told,
  wrongly: () => never,
): void {
  const limited = outcome === 'rate_limited';
  if (!fitsLimit(model, member, now, limited)) wrongly();
  if (limited) return;
  if (!right) {
    known.wrong += 1;
    if (known.wrong === 5) known.status = 'locked';
    const fits = known.wrong === 5 ? outcome === 'locked' : outcome === 'wrong_code' && tries_left === 5 - known.wrong;
    if (!fits) wrongly();
    return;
  }
  if (outcome !== 'approved') wrongly();
  const { keys, claims, grants } = model.identity;
  for (const key of Object.values(keys)) if (key.grant === known.client && key.kind !== 'claim') key.over = true;
  const agent = newAgent(model, known.client, member);
  Object.assign(grants[known.client] as object, { member, agent, scopes: both, usedAt: now });
  claims[known.client] = { claimed: true };
  known.status = 'approved';
}

const redeemClaim: CallKind<OfClient & { token: string; assertion: string }> = {
  odds: 8,
  needed: true,
  draw: ({ model, now }, random) => {
    const { claims } = model.identity;
    const client = lately(random, Object.keys(claims), (name) => {
      const { claimed, issued } = claims[name] as { claimed?: true; issued?: true };
      return claimed === true && !issued && isHeld(model, name, now) && untilOf(model, name) > now;
    });
    return client ? { client, token: aName('t', random), assertion: aName('i', random) } : null;
  },
  call: ({ model }, { client, token, assertion }) => {
    const args = { claim_token: secretOf(claimOf(client)), access_token: secretOf(token), audience };
    return client in model.identity.claims
      ? { as: 'web', name: 'api_oauth.redeem_claim', args: { ...args, assertion: secretOf(assertion) } }
      : null;
  },
  learn: (model, { now }, { client, token, assertion }, answer) => {
    const claim = model.identity.claims[client] as { claimed?: true; issued?: true };
    const gives = claim.claimed === true && !claim.issued && isHeld(model, client, now) && untilOf(model, client) > now;
    expected(`${client} fetches its tokens`, answer, gives);
    if (!gives) return;
    claim.issued = true;
    issue(model, now, token, { kind: 'access', scopes: both }, client);
    issue(model, now, assertion, { kind: 'assertion', scopes: both }, client);
  },
};

const exchange: CallKind<{ assertion: string; scopes: readonly string[]; token: string; next?: string }> = {
  odds: 5,
  draw: (world, random) => {
    const { model, now } = world;
    const { keys } = model.identity;
    const assertion = lately(
      random,
      Object.keys(keys).filter((name) => keys[name]?.kind === 'assertion'),
      (name) => isLive(model, name, now),
    );
    if (!assertion) return null;
    const { first } = keys[assertion] as { first?: true };
    const scopes = random.chance(first ? 0.9 : 0.1) ? ['hill:read'] : both;
    return { assertion, scopes, token: aName('t', random), ...(first ? {} : { next: aName('i', random) }) };
  },
  call: ({ model }, { assertion, scopes, token, next }) => ({
    ...{ as: 'web', name: 'api_oauth.exchange_assertion' },
    args: {
      ...{ assertion: secretOf(assertion), access_token: secretOf(token), scopes, audience },
      next_assertion: next === undefined || !(assertion in model.identity.keys) ? null : secretOf(next),
    },
  }),
  learn: (model, { now }, { assertion, scopes, token, next }, answer) => {
    const key = model.identity.keys[assertion];
    const gives =
      key !== undefined &&
      isLive(model, assertion, now) &&
      isHeld(model, key.grant, now) &&
      scopes.every((scope) => model.identity.grants[key.grant]?.scopes.includes(scope));
    expected(`${assertion} is exchanged`, answer, gives);
    if (!gives) return;
    issue(model, now, token, { kind: 'access', scopes }, key.grant);
    if (next) issue(model, now, next, { kind: 'assertion', scopes: both }, key.grant);
  },
};

export const claims: Family = { calls: { register, beginClaim, pollClaim, decideClaim, redeemClaim, exchange } };
