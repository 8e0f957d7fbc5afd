// Tournaments: made and moved by staff, entered by agents, with codes that grant credits; and their boards.
import type { Random } from '../../support/random.ts';
import { same } from '../compare.ts';
import { boardsOf, type Code, type Cup, type Days, inOrder, phaseOf } from '../cups.ts';
import {
  type CallKind,
  type Family,
  keysOf,
  newName,
  type OfAgent,
  refusedFor,
  someAgent,
  someMember,
  unexpected,
} from '../family.ts';
import { barredBySession, barredByToken } from '../identity.ts';
import { type Answer, bellAt, Contradiction, expiryOf, type Model, type Moment, momentFor } from '../model.ts';
import { momentIn, type World } from '../world.ts';

const iso = (instant: number) => new Date(instant).toISOString().replace('Z', '000Z');
/** Days as an action has them: how many from today. */
const from = (today: number, { opens, closes, starts, ends }: Days): Days => ({
  ...{ opens: today + opens, closes: today + closes, starts: today + starts, ends: today + ends },
});

/** The latest are those in which most is still to come. */
const someOf = <T>(all: Readonly<Record<string, T>>, random: Random): [string, T] | null => {
  const entries = Object.entries(all);
  return entries.length > 0 ? random.pick(random.chance(0.8) ? entries.slice(-2) : entries) : null;
};

/** One of those of which something can become; of the others now and then. */
const mostly = <T>(all: Readonly<Record<string, T>>, isGood: (one: T) => boolean, random: Random) => {
  const good = Object.fromEntries(Object.entries(all).filter(([, one]) => isGood(one)));
  return someOf(random.chance(0.85) ? good : all, random);
};

const makeCup: CallKind<{ cup: string; days: Days }> = {
  odds: 2.5,
  needed: true,
  draw: (world, random) => {
    // not in every world: the more there is to do, the longer is a day
    if (world.temper.odds('tournaments') < 1) return null;
    const { today } = momentIn(world);
    const living = Object.values(world.model.cups.cups).filter(
      ({ days, cancelled }) => !cancelled && days.ends >= today,
    );
    const opens = random.pick([0, 0, 0, 0, 1, -1]);
    const closes = opens + random.pick([0, 0, 1, 1, 2, -1]);
    const starts = closes + random.pick([1, 1, 1, 2, 0]);
    const cup = random.chance(0.95) ? newName('cup', random) : (someOf(world.model.cups.cups, random)?.[0] ?? null);
    return cup && living.length < 3
      ? { cup, days: { opens, closes, starts, ends: starts + random.pick([0, 1, 1, 2, 3, 34, -1]) } }
      : null;
  },
  call: (world, { cup, days }) => {
    const { opens, closes, starts, ends } = from(momentIn(world).today, days);
    const args = { slug: cup, name: 'A cup', target_agents: 9, reason: 'a world', opens_day: opens };
    return {
      ...{ as: 'staff', name: 'api_staff.create_tournament' },
      args: { ...args, sign_ups_close_day: closes, starts_day: starts, ends_day: ends },
    };
  },
  learn: ({ cups: { cups } }, { today }, { cup, days: drawn }, answer) => {
    const days = from(today, drawn);
    const reasons = {
      INVALID_ARGUMENT: !inOrder(days) || days.opens < 1,
      NOT_ALLOWED: cup in cups || days.opens < today,
    };
    if (!refusedFor(answer, `${cup} is made`, reasons)) cups[cup] = { days, entries: {} };
    return undefined;
  },
};

/** Staff move the day on which sign-ups close. */
const moveCup: CallKind<{ cup: string; closes: number }> = {
  odds: 1,
  draw: (world, random) => {
    const [cup] = someOf(world.model.cups.cups, random) ?? [];
    return cup ? { cup, closes: random.pick([-1, 0, 0, 1, 2]) } : null;
  },
  call: (world, { cup, closes }) => {
    const args = { slug: cup, reason: 'a world', sign_ups_close_day: momentIn(world).today + closes };
    return { as: 'staff', name: 'api_staff.edit_tournament', args };
  },
  learn: ({ cups: { cups }, lastNight }, { today }, { cup, closes }, answer) => {
    const known = cups[cup];
    const days = known && { ...known.days, closes: today + closes };
    const phase = known && phaseOf(known, today, lastNight);
    const reasons = {
      NOT_FOUND: !known,
      INVALID_ARGUMENT: days !== undefined && !inOrder(days),
      NOT_ALLOWED:
        days !== undefined &&
        phase !== 'announced' &&
        days.closes !== known?.days.closes &&
        (phase !== 'open' || closes < 0),
    };
    if (!refusedFor(answer, `${cup} is moved`, reasons)) Object.assign(known as Cup, { days });
    return undefined;
  },
};

/** Staff call it off before its first night, and now and then on again. */
const cancelCup: CallKind<{ cup: string; cancelled: boolean }> = {
  odds: 0.5,
  draw: (world, random) => {
    const { today } = momentIn(world);
    const [cup, known] = mostly(world.model.cups.cups, ({ days }) => today < days.starts, random) ?? [];
    return cup && known ? { cup, cancelled: random.chance(0.9) !== (known.cancelled === true) } : null;
  },
  call: (_, { cup, cancelled }) => ({
    ...{ as: 'staff', name: 'api_staff.cancel_tournament', args: { slug: cup, reason: 'a world', cancelled } },
  }),
  learn: ({ cups: { cups }, met }, { today }, { cup, cancelled }, answer) => {
    const known = cups[cup];
    const reasons = { NOT_FOUND: !known, NOT_ALLOWED: known !== undefined && today >= known.days.starts };
    if (refusedFor(answer, `${cup} is ${cancelled ? '' : 'not '}cancelled`, reasons)) return;
    Object.assign(known as Cup, { cancelled });
    if (cancelled && Object.keys((known as Cup).entries).length > 0) met.push('a tournament cancelled with entrants');
  },
};

const signUp: CallKind<OfAgent & { cup: string }> = {
  odds: 20,
  beside: 'a bell that rang beside a sign-up',
  draw: (world, random) => {
    const agent = someAgent(world, random);
    const { cups } = world.model.cups;
    const { today } = momentIn(world);
    const isOpen = (one: Cup) => phaseOf(one, today, world.model.lastNight) === 'open';
    const [cup] = mostly(cups, isOpen, random) ?? [];
    return agent && cup ? { agent, cup } : null;
  },
  call: (world, { agent, cup }) => {
    const keys = keysOf(world, agent);
    return keys ? { as: 'web', name: 'api_agent.sign_up', args: { token: keys.token, slug: cup } } : null;
  },
  learn: (model, moment, { agent, cup }, answer) => {
    const { of } = model.agents[agent] as { of: string };
    const member = model.members[of] as Model['members'][string];
    const { today, now } = momentFor(member, moment);
    const known = model.cups.cups[cup];
    const phase = known && !(of in known.entries) ? phaseOf(known, today, model.lastNight) : null;
    const reasons = {
      ...{ ...barredByToken(model, agent, moment.now), ACCOUNT_CLOSED: member.closed, NOT_FOUND: !known },
      ACCOUNT_SUSPENDED: phase !== null && member.suspended,
      TOURNAMENT_NOT_OPEN: phase === 'announced',
      TOURNAMENT_CLOSED: phase !== null && phase !== 'announced' && phase !== 'open',
    };
    if (refusedFor(answer, `${agent} enters ${cup}`, reasons)) return;
    const { entries } = known as Cup;
    entries[of] ??= now;
    const { result } = answer as { result: { signed_up_at: string } };
    if (result.signed_up_at !== iso(entries[of])) unexpected(`${agent} is in ${cup} since ${iso(entries[of])}`, answer);
  },
};

const makeCode: CallKind<{
  key: string;
  code: string;
  cup: string;
  cents: number;
  uses: number;
  expires?: number;
}> = {
  odds: 4,
  needed: true,
  draw: (world, random) => {
    const [cup] = someOf(world.model.cups.cups, random) ?? [];
    if (!cup) return null;
    const code = random.chance(0.95) ? newName('CODE', random) : someOf(world.model.cups.codes, random)?.[0];
    const expires = random.chance(0.5) ? { expires: random.pick([-1, 0, 0, 1, 3]) } : {};
    const key = newName('ORDER', random);
    return code ? { key, code, cup, cents: 1 + random.below(900), uses: random.pick([1, 1, 2, 3]), ...expires } : null;
  },
  call: (world, { key, code, cup, cents, uses, expires }) => {
    const args = { slug: cup, cents, uses, key, reason: 'a world', code };
    const day = expires === undefined ? undefined : momentIn(world).today + expires;
    return { as: 'staff', name: 'api_staff.create_tournament_code', args: { ...args, expires_day: day } };
  },
  learn: ({ cups: { cups, codes } }, { today, now }, { key, code, cup, cents, uses, expires }, answer) => {
    const again = codes[code]?.key === key;
    const expiresAt = bellAt(expires === undefined ? (cups[cup]?.days.ends ?? 0) : today + expires);
    const unfit = code in codes || expiresAt <= now || cups[cup]?.cancelled === true;
    const reasons = { NOT_FOUND: !cups[cup], NOT_ALLOWED: !again && unfit };
    if (refusedFor(answer, `${code} is made`, reasons) || again) return;
    codes[code] = { key, cup, cents, uses, expiresAt, revoked: false, by: {} };
  },
};

const revokeCode: CallKind<{ code: string }> = {
  odds: 0.6,
  draw: (world, random) => {
    const [code] = someOf(world.model.cups.codes, random) ?? [];
    return code ? { code } : null;
  },
  call: (_, { code }) => ({
    ...{ as: 'staff', name: 'api_staff.revoke_tournament_code', args: { code, reason: 'a world' } },
  }),
  learn: ({ cups: { codes } }, _, { code }, answer) => {
    if (!refusedFor(answer, `${code} is revoked`, { NOT_FOUND: !codes[code] })) (codes[code] as Code).revoked = true;
    return undefined;
  },
};

/** Through the tool of an agent, or on the account page, where a code may be typed in any case. */
const redeem: CallKind<OfAgent & { code: string; human: boolean }> = {
  odds: 20,
  beside: 'a bell that rang beside a code',
  draw: (world, random) => {
    const { codes, cups } = world.model.cups;
    const isGood = ({ expiresAt, revoked }: Code) => expiresAt > world.now && !revoked;
    const [code, known] = mostly(codes, isGood, random) ?? [];
    // entrants more often than not
    const entrants = Object.keys(cups[known?.cup ?? '']?.entries ?? {});
    const human = random.chance(0.4);
    const member = entrants.length > 0 && random.chance(0.75) ? random.pick(entrants) : null;
    const agent = human
      ? (member ?? someMember(world, random))
      : (Object.keys(world.model.agents).find((one) => world.model.agents[one]?.of === member) ??
        someAgent(world, random));
    if (!code || !agent) return null;
    return { agent, code: random.chance(0.05) ? 'CODE-0' : code, human };
  },
  call: (world, { agent, code, human }) => {
    const keys = keysOf(world, agent);
    if (!keys || (human ? !(agent in world.model.members) : !(agent in world.model.agents))) return null;
    return human
      ? { as: 'web', name: 'api_human.redeem_code', args: { session: keys.session, code: ` ${code.toLowerCase()}` } }
      : { as: 'web', name: 'api_agent.redeem_code', args: { token: keys.token, code } };
  },
  learn: (model, moment, { agent, code, human }, answer) => {
    const of = human ? agent : (model.agents[agent]?.of as string);
    const member = model.members[of] as Model['members'][string];
    const { now } = momentFor(member, moment);
    const known = model.cups.codes[code];
    if (triedOften(model, of, moment, answer)) return;
    const reasons = {
      ...(human ? barredBySession(model, of) : barredByToken(model, agent, moment.now)),
      ACCOUNT_CLOSED: member.closed,
      ...(known
        ? {
            CODE_REDEEMED: of in known.by,
            CODE_EXPIRED: known.revoked || known.expiresAt <= now || model.cups.cups[known.cup]?.cancelled === true,
            ENTRANTS_ONLY: !(of in (model.cups.cups[known.cup]?.entries ?? {})),
            ACCOUNT_SUSPENDED: member.suspended,
            CODE_USED_UP: Object.keys(known.by).length >= known.uses,
          }
        : { UNKNOWN_CODE: true }),
    };
    if (refusedFor(answer, `${of} redeems ${code}`, reasons)) {
      const last = known && Object.values(known.by).includes(moment.now);
      if (last && 'refused' in answer && answer.refused === 'CODE_USED_UP')
        model.met.push('the last use of a code that two asked for');
      return;
    }
    const { by, cents } = known as Code;
    by[of] = now;
    member.lots.push({ left: cents, grantedAt: now, expiresAt: expiryOf(model, now) });
    const { result } = answer as { result: { granted_cents: number } };
    if (result.granted_cents !== cents) unexpected(`${code} is worth ${cents}`, answer);
  },
};

/** Ten codes an hour. What counts of the hour before is not asked exactly. */
function triedOften({ cups: { codes } }: Model, member: string, { now }: Moment, answer: Answer): boolean {
  const lately = Object.values(codes).filter(({ by }) => (by[member] ?? 0) > now - 2 * 3_600_000);
  return 'refused' in answer && answer.refused === 'rate_limited' && lately.length >= 10;
}

interface Row {
  readonly slug: string;
  readonly phase: string;
  readonly entries: number;
  readonly night: number | null;
}

/** Which boards of a world were compared: those of a night are made once. */
const compared = new WeakMap<World['nights'], Set<string>>();

async function check(world: World): Promise<void> {
  const { hill, model, nights } = world;
  const { cups, codes } = model.cups;
  if (Object.keys(cups).length === 0) return;
  const { rows } = await hill.root.query<Row & { used: Record<string, number> }>({
    name: 'tournaments',
    text: `
    select t.slug, t.entries, engine.tournament_phase(t, engine.today(), engine.last_night()) as phase,
           (select max(b.day) from hill.tournament_boards b where b.tournament_id = t.id) as night,
           (select coalesce(jsonb_object_agg(c.code, c.used), '{}') from hill.tournament_codes c where c.tournament_id = t.id) as used
      from hill.tournaments t`,
  });
  same('the tournaments', rows.map(({ slug }) => slug).sort(), Object.keys(cups).sort());
  const { today } = momentIn(world);
  for (const { slug, phase, entries, used, night } of rows) {
    const cup = cups[slug] as Cup;
    const its = Object.entries(codes).filter(([, code]) => code.cup === slug);
    same(
      slug,
      { phase, entries, used },
      {
        phase: phaseOf(cup, today, model.lastNight),
        entries: Object.keys(cup.entries).length,
        used: Object.fromEntries(its.map(([code, { by }]) => [code, Object.keys(by).length])),
      },
    );
    const done = compared.get(nights) ?? new Set();
    compared.set(nights, done);
    if (night !== null && (cup.cancelled || night > cup.days.ends))
      throw new Contradiction(`${slug} has a board of night ${night}`);
    if (night === null || done.has(`${slug} ${night}`)) continue;
    await compareBoards(world, slug, cup, night);
    done.add(`${slug} ${night}`);
  }
}

async function compareBoards({ hill, model, members, nights, reached }: World, slug: string, cup: Cup, night: number) {
  const [row] = await hill.rows<Record<string, never>>(
    `select jsonb_agg(jsonb_build_object('member', s.account_id, 'points', s.points, 'reputation', s.reputation)
                      order by s.points_rank) filter (where s.points_rank is not null) as points,
            jsonb_agg(jsonb_build_object('member', s.account_id, 'consumed', s.consumed_cents)
                      order by s.efficiency_rank) filter (where s.efficiency_rank is not null) as efficiency,
            jsonb_agg(jsonb_build_object('member', s.account_id, 'verdicts', array[s.kept, s.betrayed, s.bluffed, s.ghosted])
                      order by s.record_rank) filter (where s.record_rank is not null) as record
       from hill.tournament_standings s join hill.tournaments t on t.id = s.tournament_id
      where t.slug = $1 and s.day = $2`,
    [slug, night],
  );
  const named = (value: unknown) =>
    JSON.parse(JSON.stringify(value ?? []), (key, inner) => (key === 'member' ? members.get(inner) : inner));
  const expected = boardsOf(cup, night, nights, (member) => model.members[member]?.since ?? '');
  for (const [name, board] of Object.entries(expected))
    same(`${slug} after night ${night}, ${name}`, named(row?.[name]), board);
  if (night === cup.days.ends && expected.points.length > 1) reached.add('a tournament that ended');
}

export const tournaments: Family = {
  calls: { makeCup, moveCup, cancelCup, signUp, makeCode, revokeCode, redeem },
  check,
};
