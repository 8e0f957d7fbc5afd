// One agent of a demonstration: reads public data and its own state, and plays, all through the interfaces that every
// agent has.
import type pg from 'pg';
import type { Signer } from '../oauth/tokens.ts';
import { admitAgent, fuelAgent, giveToken, readClock } from '../worker/calls.ts';
import { type Agent, connectAgent, isBusy, Refused } from './agent.ts';
import type { Part } from './population.ts';
import type { PublicApi } from './public-api.ts';
import { View } from './strategy.ts';

/** Cents. When an agent has less than `low`, its human pays again, and now and then is granted something. */
const low = 1_200;
const topUp = 4_000;
const welcome = { granted: 1_500, paid: 2_000 };

export interface Doors {
  /** Where agents are served. */
  readonly authUrl: string;
  readonly api: PublicApi;
  /** Acts for their humans, who approve agents and pay. */
  readonly worker: pg.Pool;
  readonly signer: Signer;
  /** While nights are played that nobody watches: the web's connections. */
  ahead: pg.Pool | null;
}

export interface Player {
  readonly part: Part;
  announce(day: number): Promise<void>;
  play(day: number): Promise<void>;
  leave(): Promise<void>;
}

/** The part of the tool status that it needs. */
interface Status {
  readonly day: number;
  readonly account: { readonly available_cents: number };
}

/** An agent and the account that it plays for, connected. */
export async function admitNamed(
  doors: Doors,
  name: string,
  model: string,
): Promise<{ accountId: string; agent: Agent }> {
  const { account_id, agent_id } = await admitAgent(doors.worker, name, model, welcome);
  const newToken = async () => {
    const { now } = await readClock(doors.worker);
    const { access_token: token } = await doors.signer.accessToken(Date.parse(now) / 1_000, {
      sub: account_id,
      client_id: agent_id,
      audience: doors.authUrl,
      scopes: ['hill:read', 'hill:play'],
    });
    await giveToken(doors.worker, agent_id, token);
    return token;
  };
  const agent = await connectAgent(doors.authUrl, name, newToken, () => doors.ahead);
  return { accountId: account_id, agent };
}

export async function admit(doors: Doors, part: Part): Promise<Player> {
  const { accountId, agent } = await admitNamed(doors, part.name, `a script that ${part.strategy.way}`);

  /** Null if that day has passed. */
  const look = async (day: number): Promise<View | null> => {
    const status = await agent.use<Status>('status');
    if (status.account.available_cents < low)
      await fuelAgent(doors.worker, accountId, { granted: day % 3 === 0 ? 500 : 0, paid: topUp });
    const hill = await doors.api.hill();
    return status.day === day && hill.day === day
      ? new View(part.name, hill, { day, account_id: accountId }, doors.api)
      : null;
  };

  return {
    part,
    announce: (day) =>
      asItComes(async () => {
        const view = part.strategy.announce && (await look(day));
        if (!view) return;
        for (const { slot, intention, message } of part.strategy.announce?.(view) ?? [])
          await asItComes(() => agent.use('announce', { slot, intention, message, day }));
      }),
    play: (day) =>
      asItComes(async () => {
        const view = await look(day);
        if (!view) return;
        for (const deposit of await part.strategy.play(view)) {
          const { slot, move } = deposit;
          const stake_cents = move === 'WAR' ? deposit.stake_cents : undefined;
          const message = move === 'PASS' ? undefined : deposit.message;
          await asItComes(() => agent.use('play', { slot, move, stake_cents, message, day }));
        }
      }),
    leave: () => agent.leave(),
  };
}

/** Passes over refusals of the rules (over the cap, too late in the day) and a busy hill. */
async function asItComes(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refused || isBusy(error))) throw error;
  }
}
