// A season from a seed: who plays, what each does in a day, and what staff, humans and strangers do between the bells.
import type { Mcp } from '../support/doors/mcp.ts';
import {
  type Account,
  anAccount,
  anotherAgent,
  call,
  closeAccount,
  grant,
  type Hill,
  topUp,
} from '../support/hill/index.ts';
import type { usePayments } from '../support/hill/payments.ts';
import { aCode, aTournament, enter, redeem } from '../support/hill/tournaments.ts';
import type { Random } from '../support/random.ts';
import { comeIn } from './newcomers.ts';
import type { Recorder } from './recorder.ts';

export interface Season {
  readonly hill: Hill;
  readonly mcp: Mcp;
  readonly payments: ReturnType<typeof usePayments>;
  readonly random: Random;
  readonly recorder: Recorder;
  readonly cast: Account[];
  /** The access token of each of the cast, by its agent. */
  readonly tokens: Map<string, string>;
}

const names = ['Ann', 'Bob', 'Cid', 'Dan', 'Eve', 'Fay', 'Gus', 'Hal', 'Ida', 'Jon', 'Kim', 'Lou'];
const moves = ['PEACE', 'PEACE', 'PEACE', 'PEACE', 'WAR', 'WAR', 'PASS'] as const;
/** Few places, so that they are full, contested and burned. */
const places = [1, 2, 3, 4, 5];

async function join(season: Season, account: Account): Promise<void> {
  const { recorder, mcp, tokens, cast } = season;
  const token = await mcp.token(account);
  for (const [value, word] of [
    [account.id, `account:${account.name}`],
    [account.agentId, `agent:${account.name}`],
    [account.token, `token:${account.name}`],
    [account.session, `session:${account.name}`],
    [token, `access:${account.name}`],
  ] as const)
    recorder.name(value, word);
  tokens.set(account.agentId, token);
  cast.push(account);
}

/** Before the first day's moves: the cast, and a tournament in each phase. */
export async function begin(season: Season): Promise<void> {
  const { hill } = season;
  for (const [i, name] of names.entries()) {
    await hill.clock.tick(1_000);
    const account = await anAccount(hill, {
      ...{ name, credits: i === 3 ? 700 : 9_000 + 100 * i, granted: i % 3 === 0 ? [500, 250] : [] },
      ...{ daily_cap_cents: 4_000, max_stake_cents: 2_000 },
    });
    await join(season, account);
  }
  const second = await anotherAgent(hill, season.cast[0] as Account);
  season.recorder.name(second.name, 'Ann again'); // its number depends on the tests before
  await join(season, { ...second, name: 'Ann again' });
  const cup = (slug: string, opens_day: number, sign_ups_close_day: number, starts_day: number, ends_day: number) =>
    aTournament(hill, { slug, name: `The ${slug} cup`, opens_day, sign_ups_close_day, starts_day, ends_day });
  await cup('first', 1, 1, 2, 3);
  await cup('second', 1, 3, 4, 6);
  await cup('third', 4, 8, 9, 12);
  await aCode(hill, 'second', { code: 'SECOND-CUP-CODE', uses: 3, shown: true });
  for (const account of season.cast.slice(0, 6)) await enter(hill, account, 'first');
}

/** Everybody as it pleases, one after the other, through the play interface. */
export async function playDay(season: Season, day: number): Promise<void> {
  const { hill, random, cast } = season;
  await hill.clock.toDay(day, '11:00');
  for (const account of random.shuffle(cast)) {
    await hill.clock.tick(1 + random.below(60_000));
    if (random.chance(0.6))
      await use(season, account, 'announce', {
        slot: random.pick(places),
        intention: random.pick(moves),
        ...(random.chance(0.5) ? { message: `Words of ${account.name} on day ${day}` } : {}),
      });
    for (let i = random.below(4); i > 0; i--) {
      const move = random.pick(moves);
      await hill.clock.tick(1 + random.below(60_000));
      await use(season, account, 'play', {
        ...{ slot: random.pick(places), move },
        ...(move === 'WAR' ? { stake_cents: random.pick([800, 900, 1_000, 1_600]) } : {}),
        ...(move !== 'PASS' && random.chance(0.4) ? { message: `Good night from ${account.name}` } : {}),
      });
    }
  }
  await affairs(season, day);
}

/** What happens but once, each on its day. */
async function affairs({ hill, cast, payments, recorder, mcp, ...season }: Season, day: number): Promise<void> {
  const [ann, bob, cid, dan, eve, fay] = cast as [Account, Account, Account, Account, Account, Account];
  const staff = hill.asStaff();
  const whole: Season = { hill, cast, payments, recorder, mcp, ...season };
  if (day === 1) {
    await use(whole, ann, 'set_profile', {
      url: 'https://ann.example/',
      slug: 'ann-of-the-hill',
      model: 'a model of models',
    });
    await use(whole, bob, 'verify_badge');
    await use(whole, cid, 'report_missing_capability', { what: 'A tool that counts sheep', why: 'to sleep' });
    await use(whole, dan, 'subscribe', { action: 'add', url: 'https://dan.example/hook', events: ['bell_rung'] });
    await payments.topUp(eve, 5_000);
    await grant(hill, fay, 333);
  }
  if (day === 2) {
    for (const account of [ann, bob, cid]) await enter(hill, account, 'second');
    await redeem(hill, ann, 'SECOND-CUP-CODE');
    await staff.call('api_staff.suspend_account', { account_id: fay.id, suspended: true, reason: 'Advertises' });
    await hill
      .asHuman(ann)
      .withdrawMove(places[0] as number)
      .catch(() => undefined);
    await hill.asHuman(bob).setMandate(2_000, 900);
    const paid = await payments.begin(ann, 2_000);
    await payments.tell(await payments.stripe.pay(paid.session));
    await comeIn(whole);
  }
  if (day === 3) {
    await staff.call('api_staff.suspend_account', { account_id: fay.id, suspended: false, reason: 'Said sorry' });
    await staff.call('api_staff.grant_credits', {
      account_id: cid.id,
      cents: 700,
      key: 'report',
      reason: 'A fair report',
    });
    await topUp(hill, dan, 2_500);
  }
  if (day === 4) {
    await staff.call('api_staff.cut_agent', { agent_id: cast[12]?.agentId, reason: 'Asked by its human' });
    await closeAccount(hill, cast[11] as Account);
  }
}

/** A call of a tool, with its answer kept. */
export async function use(
  { mcp, tokens, recorder }: Season,
  account: Account,
  tool: string,
  args: object = {},
): Promise<void> {
  const { status, text } = await mcp.callTool(tokens.get(account.agentId) as string, tool, args, { id: 1 });
  recorder.keep('tools', `${account.name}: ${tool} ${JSON.stringify(args)}: ${status}`, text);
}

export const sealedCount = (hill: Hill) => call(hill.as('worker'), 'api_worker.refresh_sealed_count');
