// Humans who come with an address, sign in and out, and leave.
import { hashed } from '../../../src/process/proofs.ts';
import { prove } from '../../support/hill/sign-in.ts';
import type { Random } from '../../support/random.ts';
import { type CallKind, type Family, refusedFor, type StepKind, unexpected } from '../family.ts';
import {
  endSessions,
  type Identity,
  meant,
  secretOf,
  sessionOf,
  shutOut,
  signOutEverywhere,
  takeAddress,
} from '../identity.ts';
import { Contradiction, type Model, momentFor, newMember } from '../model.ts';
import type { World } from '../world.ts';
import { closeAccount } from './accounts.ts';

/** Few, so that they meet. The second ones are given up and taken by others. */
const humans = ['h1', 'h2', 'h3'];
export const addresses = humans.flatMap((human) => [`${human}@example.com`, `${human}.too@example.com`]);
export const aName = (kind: string, random: Random): string => kind + random.below(2 ** 31).toString(36);
const addressFor = (human: string, random: Random): string =>
  random.chance(0.75) ? `${human}@example.com` : random.pick(addresses);

export interface OfSession {
  readonly session: string;
}
/** A session that somebody is signed in with, and now and then one that has ended. */
export const someSession = ({ model }: World, random: Random, of: readonly string[] = []): string | null => {
  const all = [...Object.keys(model.identity.sessions), ...of];
  const open = all.filter((name) => !Object.values(shutOut(model, name)).includes(true));
  const from = random.chance(0.05) ? all.slice(-20) : open;
  return from.length > 0 ? random.pick(from) : null;
};
export const sessionText = (world: World, name: string): string | undefined =>
  name in world.model.identity.sessions
    ? secretOf(name)
    : sessionOf(world.model, name) && world.agents.get(name)?.session;
const stale = (model: Model, name: string) => sessionOf(model, name)?.age === 'stale';
export const ownerOf = (model: Model, session: string) => sessionOf(model, session)?.member as string;

interface SignsIn {
  readonly provider: 'google' | 'github';
  readonly human: string;
  readonly address: string;
  readonly session: string;
}
const signIn: CallKind<SignsIn> = {
  odds: 2,
  needed: true,
  draw: ({ model }, random) => {
    const human = random.pick(humans);
    const { sessions } = model.identity;
    const used = Object.keys(sessions).filter((name) => sessions[name]?.age !== 'expired');
    return {
      ...{ provider: random.chance(0.8) ? 'google' : 'github', human, address: addressFor(human, random) },
      session: used.length > 0 && random.chance(0.05) ? random.pick(used) : aName('s', random),
    };
  },
  call: (_, { provider, human, address, session }) => {
    const given = { provider, subject: human, email: address.toUpperCase(), session: secretOf(session) };
    const proof = prove('sign in', provider, human, given.email, hashed(given.session));
    return { as: 'web', name: 'api_human.sign_in', args: { ...given, ...proof } };
  },
  hear: async (world, { provider, human, address, session }, answer) => {
    const { hill, members, agents, reached } = world;
    if ('refused' in answer) return;
    const { account_id: id, first } = answer.result as { account_id: string; first: boolean };
    const before = meant(world.model, address);
    if (before !== undefined && before !== members.get(id)) reached.add('an address that another human has now');
    const name = members.get(id) ?? accountName(human, provider, [...members.values()]);
    members.set(id, name);
    // another session of a race may be told first
    if (!first && agents.has(name)) return;
    agents.set(name, { ...{ id, name, agentId: '', token: '' }, session: secretOf(session) });
    const [row] = await hill.rows<{ slug: string }>('select slug from hill.accounts where id = $1', [id]);
    world.slugs.set(name, row?.slug ?? '');
  },
  learn: (model, { now }, { provider, human, address, session }, answer) => {
    const { signIns, sessions, first } = model.identity;
    if (refusedFor(answer, `${human} signs in`, { PROOF_REFUSED: session in sessions })) return;
    const known = signIns[`${provider}:${human}`];
    if ((answer as { result: { first: boolean } }).result.first !== !known)
      unexpected(`${human} signs in by ${provider}`, answer);
    const member = known?.member ?? accountName(human, provider, Object.keys(model.members));
    if (!known) {
      model.members[member] = newMember(new Date(now).toISOString());
      first[member] = session;
    }
    takeAddress(model, member, address);
    signIns[`${provider}:${human}`] = { member, addedAt: known?.addedAt ?? nextOf(signIns), address };
    sessions[session] = { member };
  },
};

/** Which was added before which: they age by the real clock, whatever the world's shows. */
const nextOf = (signIns: Identity['signIns']): number =>
  1 + Math.max(0, ...Object.values(signIns).map(({ addedAt }) => addedAt));

/** Odd for one provider and even for the other: so two that are opened at once have their names in any order. */
function accountName(human: string, provider: string, names: readonly string[]): string {
  let n = provider === 'google' ? 1 : 2;
  while (names.includes(`${human}.${n}`)) n += 2;
  return `${human}.${n}`;
}

const signOut: CallKind<OfSession & { everywhere: boolean }> = {
  odds: 0.5,
  draw: (world, random) => {
    const session = someSession(world, random);
    return session ? { session, everywhere: random.chance(0.4) } : null;
  },
  call: ({ model }, { session, everywhere }) =>
    session in model.identity.sessions
      ? {
          ...{ as: 'web', name: everywhere ? 'api_human.sign_out_everywhere' : 'api_human.sign_out' },
          args: { session: secretOf(session) },
        }
      : null,
  learn: (model, _, { session, everywhere }, answer) => {
    const known = model.identity.sessions[session] as Identity['sessions'][string];
    if (!everywhere) {
      refusedFor(answer, `${session} signs out`, {});
      known.ended = true;
      return;
    }
    if (refusedFor(answer, `${session} signs out everywhere`, shutOut(model, session))) return;
    const ended = signOutEverywhere(model, known.member);
    if ((answer as { result: unknown }).result !== ended) unexpected(`${session} ends ${ended} sessions`, answer);
  },
};

const expel: CallKind<{ member: string }> = {
  odds: 0.2,
  draw: ({ model }, random) => {
    const there = Object.keys(model.identity.first);
    return there.length > 0 ? { member: random.pick(there) } : null;
  },
  call: (world, { member }) => {
    const args = { account_id: world.agents.get(member)?.id, reason: 'a world' };
    return member in world.model.identity.first ? { as: 'staff', name: 'api_staff.sign_out_human', args } : null;
  },
  learn: (model, _, { member }, answer) => {
    if (refusedFor(answer, `${member} is signed out by staff`, {})) return;
    signOutEverywhere(model, member);
  },
};

const addSignIn: CallKind<OfSession & Omit<SignsIn, 'session'> & { next: string }> = {
  odds: 0.7,
  needed: true,
  draw: (world, random) => {
    const session = someSession(world, random);
    if (!session) return null;
    const [own = ''] = ownerOf(world.model, session).split('.');
    const human = random.chance(0.8) ? own : random.pick(humans);
    return { session, provider: 'github', human, address: addressFor(human, random), next: aName('s', random) };
  },
  call: ({ model }, { session, provider, human, address, next }) => {
    if (!(session in model.identity.sessions)) return null;
    const given = {
      session: secretOf(session),
      provider,
      subject: human,
      email: address,
      next_session: secretOf(next),
    };
    const fields = [hashed(given.session), provider, human, address, hashed(given.next_session)];
    return { as: 'web', name: 'api_human.add_sign_in', args: { ...given, ...prove('add sign-in', ...fields) } };
  },
  learn: (model, _, { session, provider, human, address, next }, answer) => {
    const { signIns, sessions } = model.identity;
    const member = ownerOf(model, session);
    const known = signIns[`${provider}:${human}`];
    const reasons = {
      ...shutOut(model, session),
      SIGN_IN_AGAIN: stale(model, session),
      SIGN_IN_TAKEN: known !== undefined && known.member !== member,
      PROOF_REFUSED: next in sessions,
    };
    if (refusedFor(answer, `${session} adds ${provider}:${human}`, reasons)) return;
    takeAddress(model, member, address);
    signIns[`${provider}:${human}`] = { member, addedAt: known?.addedAt ?? nextOf(signIns), address };
    sessions[next] = { member };
    (sessions[session] as { ended?: true }).ended = true;
  },
};

const removeSignIn: CallKind<OfSession & { signIn: string }> = {
  odds: 0.5,
  draw: (world, random) => {
    const session = someSession(world, random);
    const all = Object.keys(world.model.identity.signIns);
    return session && all.length > 0 ? { session, signIn: random.pick(all) } : null;
  },
  call: ({ model }, { session, signIn: one }) => {
    const [provider, subject] = one.split(':');
    const args = { session: secretOf(session), provider, subject };
    return session in model.identity.sessions ? { as: 'web', name: 'api_human.remove_sign_in', args } : null;
  },
  learn: (model, _, { session, signIn: one }, answer) => {
    const { signIns } = model.identity;
    const member = ownerOf(model, session);
    const known = signIns[one]?.member === member ? signIns[one] : undefined;
    const others = Object.entries(signIns).filter(([name, each]) => each.member === member && name !== one);
    const reasons = {
      ...shutOut(model, session),
      SIGN_IN_AGAIN: stale(model, session),
      LAST_SIGN_IN: known !== undefined && others.length === 0,
      SIGN_IN_TOO_NEW: known !== undefined && others.length > 0 && !others.some(([, o]) => o.addedAt <= known.addedAt),
    };
    if (refusedFor(answer, `${session} removes ${one}`, reasons)) return;
    if ((answer as { result: unknown }).result !== (known !== undefined))
      unexpected(`${session} removes ${one}`, answer);
    if (!known) return;
    delete signIns[one];
    endSessions(model, member, session);
  },
};

/** A human closes the account by its page, and types its slug. */
const leave: CallKind<OfSession & { named: boolean }> = {
  odds: 1.2,
  draw: (world, random) => {
    const { model, now } = world;
    const asked = Object.values(model.identity.attempts).filter(({ until }) => until > now);
    const session = someSession(world, random);
    // sooner while a claim is about to be its human's
    const soon = session && asked.some(({ address }) => meant(model, address) === ownerOf(model, session));
    return session && (soon || random.chance(0.12))
      ? { session, named: ownerOf(world.model, session) in world.model.identity.named }
      : null;
  },
  call: (world, { session, named }) => {
    if (!(session in world.model.identity.sessions)) return null;
    const member = ownerOf(world.model, session);
    const slug = named ? `account-${member.replace('.', '-')}` : world.slugs.get(member);
    return { as: 'web', name: 'api_human.close_account', args: { session: secretOf(session), slug } };
  },
  learn: (model, moment, { session, named }, answer) => {
    const { racing } = moment;
    const member = ownerOf(model, session);
    const { today } = momentFor(model.members[member] as Model['members'][string], moment);
    // it is looked at before the account is waited for, which is given a name meanwhile
    const renamed = named !== member in model.identity.named && !(racing && 'result' in answer);
    const reasons = {
      ...shutOut(model, session),
      SIGN_IN_AGAIN: stale(model, session),
      INVALID_ARGUMENT: renamed,
      BELL_RINGING: today > model.lastNight + 1,
    };
    if (refusedFor(answer, `${member} leaves`, reasons)) return;
    closeAccount(model, member);
  },
};

/**
 * Sessions follow the real clock, which no world waits for: none grows old while a slow one is played. What was aged is
 * older than any world.
 */
const youngMs = 30_000;
const madeYoung = new WeakMap<World['hill'], number>();
export async function stayYoung({ hill }: World): Promise<void> {
  const now = performance.now();
  if (now - (madeYoung.get(hill) ?? Number.NEGATIVE_INFINITY) < youngMs) return;
  madeYoung.set(hill, now);
  await hill.rows(
    "update oauth.human_sessions set created_at = clock_timestamp() where created_at > clock_timestamp() - interval '12 hours'",
  );
}

/** A browser that somebody left open. */
const leaveOpen: StepKind<OfSession & { age: 'stale' | 'expired' }> = {
  odds: 0.2,
  draw: (world, random) => {
    const session = someSession(world, random);
    return session ? { session, age: random.pick(['stale', 'stale', 'expired'] as const) } : null;
  },
  step: async ({ hill, model }, { session, age }) => {
    const known = model.identity.sessions[session];
    // mandates go on being set with the first
    if (!known || Object.values(model.identity.first).includes(session)) return 'nobody';
    await hill.rows(
      'update oauth.human_sessions set created_at = created_at - $2::interval, expires_at = expires_at - $2::interval where token_hash = engine.hash_token($1)',
      [secretOf(session), age === 'stale' ? '1 day' : '31 days'],
    );
    if (known.age !== 'expired') known.age = age;
    return undefined;
  },
};

interface Row {
  readonly sign_ins: [string, string, string | null][];
  readonly meant: (string | null)[];
  readonly attempts: Readonly<Record<string, { status: string; wrong: number; ends: string }>>;
  /** Whether it was ended. */
  readonly sessions: Readonly<Record<string, boolean>>;
}

async function check({ hill, model, members, now }: World): Promise<void> {
  const { rows } = await hill.root.query<Row>({
    name: 'who signs in',
    text: `select (select coalesce(jsonb_agg(jsonb_build_array(i.provider || ':' || i.subject, i.account_id, i.email)), '[]')
                     from oauth.sign_ins i) as sign_ins,
                  (select jsonb_agg(engine.account_of_address(a) order by n) from unnest($1::text[]) with ordinality t (a, n)) as meant,
                  (select coalesce(jsonb_object_agg(encode(c.token_hash, 'hex'),
                                                    jsonb_build_object('status', c.status, 'wrong', c.wrong_tries, 'ends', c.expires_at)), '{}')
                     from oauth.claim_attempts c) as attempts,
                  (select coalesce(jsonb_object_agg(encode(s.token_hash, 'hex'), s.revoked_at is not null), '{}')
                     from oauth.human_sessions s) as sessions`,
    values: [addresses],
  });
  const [{ sign_ins, meant: found, attempts, sessions }] = rows as [Row];
  const there = sign_ins.map(([name, account, address]) => `${name} ${members.get(account)} ${address}`).sort();
  const known = Object.entries(model.identity.signIns).map(([name, one]) => `${name} ${one.member} ${one.address}`);
  if (there.join() !== known.sort().join()) throw new Contradiction(`The hill has [${there}], the model [${known}]`);
  for (const [i, address] of addresses.entries())
    if (members.get(found[i] ?? '') !== meant(model, address))
      throw new Contradiction(`${address} means ${members.get(found[i] ?? '')}, not ${meant(model, address)}`);
  checkAttempts(attempts, model, now);
  for (const [name, { ended = false, age }] of Object.entries(model.identity.sessions)) {
    const over = sessions[hashed(secretOf(name))];
    // what has expired is forgotten
    if (over === undefined ? age !== 'expired' : over !== ended) throw new Contradiction(`Is ${name} over? ${ended}`);
  }
}

/** Those that can still be decided are known to both. */
function checkAttempts(attempts: Row['attempts'], { identity }: Model, now: number): void {
  const known = new Map(
    Object.entries(identity.attempts).map(([name, one]) => [hashed(secretOf(name)), { name, ...one }]),
  );
  for (const [hash, { status, wrong, ends }] of Object.entries(attempts)) {
    const one = known.get(hash);
    known.delete(hash);
    if (one ? one.status !== status || one.wrong !== wrong : Date.parse(ends) > now)
      throw new Contradiction(`${one?.name ?? 'An attempt that is over'} is ${status} after ${wrong} wrong codes`);
  }
  for (const { name, until } of known.values()) if (until > now) throw new Contradiction(`The attempt ${name} is gone`);
}

export const people: Family = {
  calls: { signIn, signOut, expel, addSignIn, removeSignIn, leave },
  steps: { leaveOpen },
  check,
};
