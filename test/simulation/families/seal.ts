// A deposit, and what everybody else can see before and after it: the same, in whatever state the hill is.
import {
  differences,
  lookAtAnswers,
  lookAtRows,
  type Onlooker,
  restless,
  type Seen,
} from '../../support/hill/onlooker.ts';
import { lookAtSystem, prepareLooks } from '../../support/hill/system.ts';
import type { Random } from '../../support/random.ts';
import { closeDoors } from '../doors.ts';
import { type Action, type CallKind, type Family, keysOf, type StepKind, someMember } from '../family.ts';
import { Contradiction } from '../model.ts';
import { callAlone, momentIn, staffSession, type World } from '../world.ts';
import { deposit, withdraw } from './playing.ts';

const kinds = { deposit, withdraw } as unknown as Readonly<Record<string, CallKind<Action>>>;

interface Watched {
  readonly act: Action;
  /** Another account, with an agent and a human. */
  readonly spy: string;
  readonly look: 'rows' | 'answers' | 'system';
  /** Who asks for answers. */
  readonly by: string;
}

/** The first five are called by name: what they call is refused or answered. The others answer them. */
async function onlookers(world: World, spy: string): Promise<readonly Onlooker[]> {
  const keys = keysOf(world, spy);
  const own: Onlooker['arguments'] = keys && {
    token: [`'${keys.token}'`],
    session: [`'${keys.session}'`],
    reason: ["'A reason to look'"],
    actor: [`row('${keys.id}', '${keys.agentId}', '{hill:read,hill:play}')::engine.agent_actor`],
  };
  const staff = { 'hill.staff_session': await staffSession(world.hill) };
  const asSpy = { 'hill.account_id': keys?.id ?? '' };
  const given = own ? { arguments: own } : {};
  return [
    { name: 'the public', role: 'hill_public' },
    { name: 'another agent', role: 'hill_agent', ...given },
    { name: 'another human', role: 'hill_human', ...given },
    { name: 'staff', role: 'hill_staff', settings: staff },
    { name: 'the DBA', role: 'hill_dba' },
    { name: 'who has the login of the web', role: new URL(world.hill.url('web')).username },
    { name: 'what answers the public', role: 'hill_api_public' },
    { name: 'what answers another agent', role: 'hill_api_agent', settings: asSpy },
    { name: 'what answers another human', role: 'hill_api_human', settings: asSpy },
    { name: 'what answers staff', role: 'hill_api_staff', settings: staff },
  ];
}
const askers = ['the public', 'another agent', 'another human', 'staff', 'the DBA'];

const prepared = new WeakSet<World['hill']>();

/** What some of them see, by who sees it. */
async function seen(world: World, { act, spy, look, by }: Watched): Promise<ReadonlyMap<string, Seen>> {
  const { hill, model } = world;
  const all = await onlookers(world, spy);
  const found = new Map<string, Seen>();
  if (look === 'rows') for (const one of all) found.set(one.name, await lookAtRows(hill, one));
  if (look === 'answers') {
    const accounts = [act.agent ?? act.member, spy].flatMap((name) => world.agents.get(`${name}`) ?? []);
    const curiosity = {
      accounts,
      slots: [Number(act.slot), 1],
      days: [momentIn(world).today, Math.max(1, model.lastNight)],
    };
    for (const one of all.filter(({ name }) => name === by)) found.set(by, await lookAtAnswers(hill, one, curiosity));
  }
  if (look === 'system') {
    if (!prepared.has(hill)) await prepareLooks(hill);
    prepared.add(hill);
    // the session that deposits tells its statistics at once
    await hill.as('web').query('select pg_stat_force_next_flush()');
    found.set('staff', await lookAtSystem(hill, { role: 'hill_staff', only: /stat/ }));
  }
  return found;
}

const watched: StepKind<Watched> = {
  odds: 2,
  draw: (world: World, random: Random) => {
    const name = random.chance(0.8) ? 'deposit' : 'withdraw';
    const drawn = kinds[name]?.draw(world, random);
    const spy = someMember(world, random);
    if (!drawn || !spy) return null;
    const act = { ...drawn, do: name } as Action;
    const roll = random.below(9);
    return { act, spy, look: roll === 0 ? 'answers' : roll < 3 ? 'system' : 'rows', by: random.pick(askers) };
  },
  step: async (world, action) => {
    const { act, spy } = action;
    const call = kinds[act.do]?.call(world, act);
    const of = world.model.agents[`${act.agent}`]?.of ?? act.member;
    if (!call || !keysOf(world, spy) || of === spy) return 'nobody';
    // readers are counted by and by, and shown by the real clock: no reader shall be taken for the deposit
    await closeDoors(world);
    await world.hill.root.query('update hill.identity_counters set shown_until = now() where shown_until > now()');
    // whoever has no line for its site is given one by its first look
    if (!world.model.members[spy]?.closed)
      await world.hill.root.query('select engine.give_site_token($1)', [keysOf(world, spy)?.id]);
    const before = await seen(world, action);
    const answer = await callAlone(world, call);
    const after = await seen(world, action);
    for (const [name, then] of before) {
      const changed = Object.entries(differences(then, after.get(name) as Seen)).filter(
        ([about]) => !restless.test(about),
      );
      if (changed.length > 0)
        throw new Contradiction(`${name} saw a ${act.do}: ${JSON.stringify(changed).slice(0, 1_000)}`);
    }
    note(world, action, 'refused' in answer);
    kinds[act.do]?.learn(world.model, momentIn(world), act, answer);
    return answer;
  },
};

function note({ reached, model, now }: World, { act, look }: Watched, refused: boolean): void {
  if (act.do === 'deposit' && momentIn({ now } as World).today > model.lastNight + 1)
    reached.add('a deposit that was watched while a bell was due');
  if (refused) return;
  if (act.do === 'withdraw') reached.add('a withdrawal that was watched');
  else if (look === 'rows') reached.add('a deposit that was watched by all who read rows');
  else if (look === 'answers') reached.add('a deposit about which others asked everything');
  else reached.add('a deposit that left no trace in the statistics');
}

export const seal: Family = { steps: { watched } };
