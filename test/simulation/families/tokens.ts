// Clients that a human approves, at the consent page or by the code of a device, and the tokens that they are given.
import type { Random } from '../../support/random.ts';
import {
  type CallKind,
  type Family,
  keysOf,
  type OfAgent,
  refusedFor,
  type StepKind,
  someAgent,
  unexpected,
} from '../family.ts';
import {
  approve,
  beginChain,
  both,
  clientId,
  endAgent,
  endGrant,
  fitsLimit,
  hours,
  type Identity,
  isHeld,
  isLive,
  isOver,
  issue,
  pace,
  seconds,
  secretOf,
  shutOut,
} from '../identity.ts';
import { Contradiction, type Model } from '../model.ts';
import { setNow, type World } from '../world.ts';
import { audience, expected, expectedPace, keepAgents, lately, outcomeOf, resultOf } from './claims.ts';
import { aName, type OfSession, ownerOf, sessionText, someSession } from './people.ts';

type Scopes = readonly string[];
interface OfClient {
  readonly client: string;
}
const mostly = (random: Random): Scopes => (random.chance(0.9) ? both : ['hill:read']);
/** Those whose agents are too many already are left alone. */
const approver = (world: World, random: Random): string | null => {
  const { members, agents } = world.model;
  const crowded = Object.values(agents).filter(({ cut, token }) => !cut && token !== undefined).length > 5;
  return crowded && random.chance(0.8)
    ? null
    : someSession(
        world,
        random,
        Object.keys(members).filter((one) => one in agents),
      );
};
const knows = ({ identity: { clients } }: Model, client: string) => client in clients;
const named = (model: Model, session: string) => `Account ${ownerOf(model, session)}`;

const client: CallKind<OfClient> = {
  odds: 0.4,
  needed: true,
  draw: ({ model }, random) => (Object.keys(model.identity.clients).length < 3 ? { client: aName('c', random) } : null),
  call: (_, { client: name }) => ({
    ...{ as: 'web', name: 'api_oauth.register_client' },
    args: {
      ...{ client_id: clientId(name), client_name: 'A program', redirect_uris: ['http://127.0.0.1/'] },
      ...{ scopes: both, details: '{}' },
    },
  }),
  learn: (model, { now }, { client: name }, answer) => {
    refusedFor(answer, `${name} registers`, {});
    model.identity.clients[name] = now;
  },
};

const consent: CallKind<OfSession & OfClient & { code: string; scopes: Scopes }> = {
  odds: 1.5,
  needed: true,
  draw: (world, random) => {
    const [session, name] = [approver(world, random), lately(random, Object.keys(world.model.identity.clients))];
    return session && name ? { session, client: name, code: aName('k', random), scopes: mostly(random) } : null;
  },
  call: (world, { session, client: name, code, scopes }) => {
    const text = sessionText(world, session);
    const args = {
      ...{ session: text, client_id: clientId(name), code: secretOf(code), redirect_uri: 'http://127.0.0.1/' },
      ...{ code_challenge: 'c'.repeat(43), scopes, audience, account_name: text && named(world.model, session) },
    };
    return text && knows(world.model, name) ? { as: 'web', name: 'api_human.approve_client', args } : null;
  },
  hear: async (world, { client: name }, answer) => {
    if ('result' in answer) await keepAgents(world, name);
  },
  learn: (model, { now }, { session, client: name, code, scopes }, answer) => {
    const reasons = { ...shutOut(model, session), NOT_FOUND: !knows(model, name) };
    if (refusedFor(answer, `${session} approves ${name}`, reasons)) return;
    const grant = approve(model, now, name, ownerOf(model, session), scopes);
    issue(model, now, code, { kind: 'code', scopes, chain: code }, grant);
  },
};

const exchangeCode: CallKind<{ code: string; token: string; refresh: string }> = {
  odds: 8,
  needed: true,
  draw: ({ model, now }, random) => {
    const { keys } = model.identity;
    const codes = Object.keys(keys).filter((name) => keys[name]?.kind === 'code');
    const fresh = codes.filter((name) => isLive(model, name, now) && keys[name]?.usedAt === undefined);
    const code = lately(random, random.chance(0.15) ? codes : fresh);
    return code ? { code, token: aName('t', random), refresh: aName('r', random) } : null;
  },
  call: (_, { code, token, refresh }) => ({
    ...{ as: 'web', name: 'api_oauth.exchange_code' },
    args: { code: secretOf(code), access_token: secretOf(token), refresh_token: secretOf(refresh) },
  }),
  hear: async ({ model, reached }, { code }, answer, beside) => {
    const again = beside.some((one) => one.do === 'exchangeCode' && one.code === code);
    const used = model.identity.keys[code]?.usedAt !== undefined;
    if ('result' in answer && (again || used)) reached.add('a code exchanged twice');
  },
  learn: (model, { now }, { code, token, refresh }, answer) => {
    const { keys, endedChains } = model.identity;
    const key = keys[code];
    const counts = key !== undefined && isHeld(model, key.grant, now);
    const gives = counts && key.usedAt === undefined && key.until > now;
    expected(`${code} is exchanged`, answer, gives);
    if (counts && key.usedAt !== undefined) endedChains[code] = true;
    if (!gives) return;
    key.usedAt = now;
    beginChain(model, now, { ...key, chain: code }, { token, refresh });
  },
};

const askDevice: CallKind<OfClient & { device: string; scopes: Scopes }> = {
  odds: 2.5,
  needed: true,
  draw: (world, random) => {
    const name = lately(random, Object.keys(world.model.identity.clients));
    return name ? { client: name, device: aName('d', random), scopes: mostly(random) } : null;
  },
  call: ({ model }, { client: name, device, scopes }) => {
    const codes = { device_code: secretOf(device), user_code: secretOf(`${device}!`) };
    return knows(model, name)
      ? { as: 'web', name: 'api_oauth.begin_device', args: { client_id: clientId(name), ...codes, scopes, audience } }
      : null;
  },
  learn: (model, { now }, { client: name, device, scopes }, answer) => {
    // the client may be forgotten meanwhile: then no row can name it
    if (refusedFor(answer, `${name} asks for a device`, { '23503': !knows(model, name) })) return;
    const until = now + seconds(600);
    model.identity.devices[device] = { client: name, scopes, until, interval: seconds(5), status: 'pending' };
  },
};

type Device = Identity['devices'][string];
const someDevice = ({ model, now }: World, random: Random, fits: (device: Device) => boolean) => {
  const { devices } = model.identity;
  return lately(random, Object.keys(devices), (name) => {
    const device = devices[name] as Device;
    return device.until > now && fits(device);
  });
};

const decideDevice: CallKind<OfSession & { device: string; approves: boolean }> = {
  odds: 6,
  needed: true,
  draw: (world, random) => {
    const device = someDevice(world, random, ({ status }) => status === 'pending' || random.chance(0.1));
    const session = approver(world, random);
    return device && session ? { session, device, approves: random.chance(0.9) } : null;
  },
  call: (world, { session, device, approves }) => {
    const text = sessionText(world, session);
    const args = { session: text, user_code: secretOf(`${device}!`) };
    if (!text || !world.model.identity.devices[device]) return null;
    return approves
      ? { as: 'web', name: 'api_human.approve_device', args: { ...args, account_name: named(world.model, session) } }
      : { as: 'web', name: 'api_human.refuse_device', args };
  },
  hear: async (world, { device }, answer) => {
    const known = world.model.identity.devices[device];
    if (!known || 'refused' in answer) return;
    await keepAgents(world, known.client);
  },
  learn: (model, { now }, { session, device, approves }, answer) => {
    const about = `${session} decides on ${device}`;
    if (refusedFor(answer, about, shutOut(model, session))) return;
    const [member, known] = [ownerOf(model, session), model.identity.devices[device]];
    const limited = resultOf<{ outcome: string }>(about, answer).outcome === 'rate_limited';
    if (!fitsLimit(model, member, now, limited)) unexpected(about, answer);
    if (limited) return;
    const open = known?.status === 'pending' && known.until > now;
    const right = approves ? 'approved' : 'refused';
    outcomeOf(about, answer, { unknown: !open, [right]: open });
    if (!open) return;
    known.status = right;
    if (approves) known.grant = approve(model, now, known.client, member, known.scopes);
  },
};

const pollDevice: CallKind<{ device: string }> = {
  odds: 3,
  draw: (world, random) => {
    const device = someDevice(world, random, ({ issued }) => !issued);
    return device ? { device } : null;
  },
  call: ({ model }, { device }) => {
    const known = model.identity.devices[device];
    const args = { device_code: secretOf(device), client_id: known && clientId(known.client) };
    return known ? { as: 'web', name: 'api_oauth.poll_device', args } : null;
  },
  learn: (model, { now }, { device }, answer) => {
    const known = model.identity.devices[device];
    const spent = !known || known.issued === true;
    const decided = (status: Device['status']) => !spent && known.status === status;
    const over = !spent && known.until <= now;
    const told = outcomeOf(`${device} polls`, answer, {
      ...{ invalid_grant: spent, access_denied: decided('refused') },
      ...{ expired_token: over && !decided('refused'), approved: decided('approved') && !over },
    });
    if (told) expectedPace(`${device} polls`, answer, told, pace(known as Device, now));
  },
};

const redeemDevice: CallKind<{ device: string; token: string; refresh: string }> = {
  odds: 8,
  needed: true,
  draw: (world, random) => {
    const { model, now } = world;
    const device = someDevice(world, random, ({ grant, issued }) => !issued && !!grant && isHeld(model, grant, now));
    return device ? { device, token: aName('t', random), refresh: aName('r', random) } : null;
  },
  call: ({ model }, { device, token, refresh }) => {
    const known = model.identity.devices[device];
    const args = { device_code: secretOf(device), access_token: secretOf(token), refresh_token: secretOf(refresh) };
    return known
      ? { as: 'web', name: 'api_oauth.redeem_device', args: { ...args, client_id: clientId(known.client) } }
      : null;
  },
  learn: (model, { now }, { device, token, refresh }, answer) => {
    const known = model.identity.devices[device];
    const grant = known && !known.issued && known.until > now && known.grant;
    const gives = grant !== undefined && grant !== false && isHeld(model, grant, now);
    expected(`${device} fetches its tokens`, answer, gives);
    if (!gives || !known) return;
    known.issued = true;
    beginChain(model, now, { grant, scopes: known.scopes, chain: device }, { token, refresh });
  },
};

interface Refreshes {
  readonly refresh: string;
  readonly token: string;
  readonly scopes: Scopes;
  readonly by?: string;
}
/** What replaces a refresh token is derived from it. */
const successor = (name: string) => `${name}+`;
const refresh: CallKind<Refreshes> = {
  odds: 7,
  needed: true,
  draw: ({ model, now }, random) => {
    const { keys, clients } = model.identity;
    const all = Object.keys(keys).filter((name) => keys[name]?.kind === 'refresh');
    const live = all.filter((name) => isLive(model, name, now));
    const used = live.filter((name) => (keys[name]?.usedAt ?? 0) > now - seconds(1_800));
    const open = live.filter((name) => keys[name]?.usedAt === undefined);
    /** The answer to whose use may have been lost: what replaces it was not used. */
    const last = used.filter((name) => keys[successor(name)]?.usedAt === undefined);
    const name = lately(
      random,
      random.pick([open, open, open, open, used, last, last, random.chance(0.3) ? all : open]),
    );
    if (!name) return null;
    const strangers = Object.keys(clients).filter(() => random.chance(0.02));
    const scopes = random.chance(0.9) ? (keys[name]?.scopes as Scopes) : mostly(random);
    return { refresh: name, token: aName('t', random), scopes, ...(strangers[0] ? { by: strangers[0] } : {}) };
  },
  call: ({ model }, { refresh: name, token, scopes, by }) => {
    const key = model.identity.keys[name];
    const args = {
      ...{ refresh_token: secretOf(name), access_token: secretOf(token), next_token: secretOf(successor(name)) },
      ...{
        scopes,
        grace_seconds: 10,
        client_id: clientId(by ?? model.identity.grants[key?.grant ?? '']?.client ?? ''),
      },
    };
    return key ? { as: 'web', name: 'api_oauth.refresh', args } : null;
  },
  hear: async ({ model, reached, now }, { refresh: name, by }, answer, beside) => {
    if ('refused' in answer || by) return;
    const key = model.identity.keys[name];
    if (beside.some((one) => one.do === 'refresh' && one.refresh === name)) reached.add('a refresh that raced another');
    const late = key?.usedAt !== undefined && key.usedAt + seconds(10) <= now;
    if (late && isLive(model, name, now)) reached.add('a refresh token used again after its grace');
    if (key?.usedAt !== undefined && answer.result === true) reached.add('a refresh answered again');
  },
  learn: (model, { now }, { refresh: name, token, scopes, by }, answer) => {
    const { keys, grants, endedChains } = model.identity;
    const key = keys[name];
    const counts =
      key !== undefined &&
      isLive(model, name, now) &&
      isHeld(model, key.grant, now) &&
      (by ?? grants[key.grant]?.client) === grants[key.grant]?.client;
    const next = successor(name);
    const again = key?.usedAt !== undefined;
    const reused = again && ((key.usedAt ?? 0) + seconds(10) <= now || keys[next]?.usedAt !== undefined);
    const gives = counts && !reused && scopes.every((scope) => key.scopes.includes(scope));
    expected(`${name} is refreshed`, answer, gives);
    if (counts && reused) endedChains[key.chain ?? ''] = true;
    if (!gives) return;
    if (!again) {
      key.usedAt = now;
      issue(model, now, next, { kind: 'refresh', scopes: key.scopes, chain: key.chain as string }, key.grant);
    }
    issue(model, now, token, { kind: 'access', scopes, chain: key.chain as string }, key.grant);
  },
};

/** A client gives up all that it holds, by whatever it has of it. */
const revoke: CallKind<{ key: string; by?: string }> = {
  odds: 0.6,
  draw: ({ model, now }, random) => {
    const { keys, clients } = model.identity;
    const all = Object.keys(keys).filter((name) => (keys[name]?.until ?? 0) > now - hours(12));
    const by = random.chance(0.2) ? lately(random, Object.keys(clients)) : null;
    return all.length > 0 ? { key: random.pick(all), ...(by ? { by } : {}) } : null;
  },
  call: (_, { key, by }) => {
    const client_id = by === undefined ? null : clientId(by);
    return { as: 'web', name: 'api_oauth.revoke_token', args: { token: secretOf(key), client_id } };
  },
  learn: (model, _, { key: name, by }, answer) => {
    const key = model.identity.keys[name];
    const grant = model.identity.grants[key?.grant ?? ''];
    const right = by === undefined || grant?.client === by;
    const ends = key !== undefined && key.kind !== 'code' && right && grant?.over !== true;
    expected(`${name} is revoked`, answer, ends);
    if (ends) endGrant(model, key.grant);
  },
};

/** A human cuts an agent on the account page. */
const cutOwn: CallKind<OfSession & OfAgent> = {
  odds: 0.5,
  draw: (world, random) => {
    const [session, agent] = [someSession(world, random, Object.keys(world.model.members)), someAgent(world, random)];
    if (!session || !agent) return null;
    const own = Object.keys(world.model.agents).filter(
      (one) => world.model.agents[one]?.of === ownerOf(world.model, session),
    );
    return { session, agent: own.length > 0 && random.chance(0.9) ? random.pick(own) : agent };
  },
  call: (world, { session, agent }) => {
    const [text, id] = [sessionText(world, session), agent in world.model.agents && keysOf(world, agent)?.agentId];
    return text && id ? { as: 'web', name: 'api_human.cut_agent', args: { session: text, agent_id: id } } : null;
  },
  learn: (model, _, { session, agent }, answer) => {
    if (refusedFor(answer, `${session} cuts ${agent}`, shutOut(model, session))) return;
    const known = model.agents[agent] as Model['agents'][string];
    // one that is cut is found as long as its grant is
    const there = known.of === ownerOf(model, session) && (!known.cut || known.token !== undefined);
    expected(`${session} cuts ${agent}`, answer, there);
    if (there) endAgent(model, agent);
  },
};

/** The worker deletes what has ended for a day. */
const forget: CallKind<object> = {
  odds: 0.5,
  draw: () => ({}),
  call: () => ({ as: 'worker', name: 'api_worker.forget_ended', args: { at_most: 100_000 } }),
  learn: (model, { now }, _, answer) => {
    resultOf('what has ended is forgotten', answer);
    forgotten(model, now);
  },
};

/** Whatever ended a day ago, and clients that nobody uses. */
export function forgotten({ identity }: Model, now: number): void {
  const { keys, attempts, devices, clients, grants, sessions } = identity;
  for (const one of Object.values(sessions)) if (one.age === 'expired') one.forgotten = true;
  const ended = now - hours(24);
  const used = new Set([...Object.values(grants), ...Object.values(devices)].map((one) => one.client));
  for (const [name, since] of Object.entries(clients))
    if (since <= ended - hours(24 * 30) && !used.has(name)) delete clients[name];
  for (const records of [attempts, devices, keys] as Record<string, { until: number; kind?: string }>[])
    for (const [name, one] of Object.entries(records))
      if (one.until <= ended && one.kind !== 'code' && one.kind !== 'claim') delete records[name];
}

/** To an instant at which something ends, and to where a poll is not too early. */
const wait: StepKind<{ ms: number }> = {
  odds: 3,
  draw: ({ model, now }, random) => {
    const { keys, attempts, devices } = model.identity;
    const ends = [keys, attempts, devices].flatMap((records) =>
      Object.values(records as Record<string, { until: number }>).flatMap(({ until }) =>
        until > now && until < now + hours(1) ? [until - now] : [],
      ),
    );
    const used = Object.values(keys).flatMap(({ usedAt = 0 }) =>
      usedAt > now - seconds(9) ? [usedAt + seconds(10) - now] : [],
    );
    const from = random.pick([ends, used, [seconds(2), seconds(5), seconds(10)]]);
    // what is done next is done a millisecond later
    return from.length > 0 ? { ms: Math.max(0, random.pick(from) - random.pick([1, 2])) } : null;
  },
  step: (world, { ms }) => setNow(world, world.now + ms),
};

/** Nothing secret is in any table as it is. Protocol 8.2. */
const lookForSecrets: StepKind<object> = {
  odds: 0.05,
  draw: () => ({}),
  step: async ({ hill }) => {
    const tables = await hill.rows<{ name: string }>(
      "select c.oid::regclass::text as name from pg_class c where c.relkind = 'r' and c.relnamespace in ('oauth'::regnamespace, 'hill'::regnamespace)",
    );
    const secret = secretOf('');
    for (const { name } of tables) {
      const [found] = await hill.rows<{ row: string }>(
        `select t::text as row from ${name} t where strpos(t::text, $1) > 0 or strpos(t::text, encode($1::bytea, 'hex')) > 0`,
        [secret],
      );
      if (found) throw new Contradiction(`A secret is in ${name}: ${found.row}`);
    }
  },
};

/** Each token works as long as the model says, for whom and for what it says. */
async function check({ hill, model, members, now }: World): Promise<void> {
  const { keys, grants } = model.identity;
  const names = Object.keys(keys)
    .filter((name) => keys[name]?.kind === 'access')
    .slice(-30);
  const { rows } = await hill.root.query<{
    live: ([string | null, Scopes] | null)[];
    grants: [string, string, Scopes, boolean][];
  }>({
    name: 'what is held',
    text: `select (select jsonb_agg(case when a.scopes is not null then jsonb_build_array(a.agent_id, a.scopes) end order by n)
                     from unnest($1::text[]) with ordinality t (token, n) left join lateral engine.find_agent(t.token) a on true) as live,
                  (select coalesce(jsonb_agg(jsonb_build_array(g.agent_id, g.account_id, g.scopes, g.revoked_at is not null or a.cut_at is not null)), '[]')
                     from oauth.grants g join hill.agents a on a.id = g.agent_id) as grants`,
    values: [names.map(secretOf)],
  });
  const [found] = rows as [(typeof rows)[0]];
  for (const [i, name] of names.entries()) {
    const { grant, scopes } = keys[name] as Identity['keys'][string];
    const right = isLive(model, name, now) ? `${grants[grant]?.agent ?? null}: ${scopes}` : 'nothing';
    const [agent, gives] = found.live[i] ?? [];
    const there = gives ? `${agent ? members.get(agent) : null}: ${gives}` : 'nothing';
    if (there !== right) throw new Contradiction(`${name} is good for ${there}, and not for ${right}`);
  }
  const there = found.grants.map(
    ([agent, of, scopes, over]) => `${members.get(agent)} of ${members.get(of)}: ${scopes} ${over}`,
  );
  const right = Object.entries(grants).flatMap(([name, one]) =>
    one.agent ? [`${one.agent} of ${one.member}: ${one.scopes} ${isOver(model, name)}`] : [],
  );
  if (there.sort().join('; ') !== right.sort().join('; '))
    throw new Contradiction(`The hill has the grants [${there.join('; ')}], the model [${right.join('; ')}]`);
}

export const tokens: Family = {
  calls: {
    ...{ client, consent, exchangeCode, askDevice, decideDevice, pollDevice, redeemDevice },
    ...{ refresh, revoke, cutOwn, forget },
  },
  steps: { wait, lookForSecrets },
  check,
};
