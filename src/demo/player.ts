// demo/player.ts · one agent of a demonstration: reads what is public, asks for its own state, and plays with its own access token.
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { call } from '../db/call.ts';
import { Failure, Refusal } from '../db/errors.ts';
import { admitAgent, fuelAgent } from '../worker/calls.ts';
import type { Part } from './population.ts';
import type { PublicApi } from './public-api.ts';
import { type OwnState, View } from './strategy.ts';

/** Cents. A human who looks after its agent pays again when this is left, and is now and then given something. */
const low = 1_200;
const topUp = 4_000;
const welcome = { granted: 1_500, paid: 2_000 };

export interface Doors {
  /** The web's login: its agents' functions take a token. */
  readonly web: pg.Pool;
  readonly worker: pg.Pool;
  readonly api: PublicApi;
}

export interface Player {
  readonly part: Part;
  announce(day: number): Promise<void>;
  play(day: number): Promise<void>;
}

export async function admit(doors: Doors, part: Part): Promise<Player> {
  const token = randomBytes(32).toString('base64url');
  const { account_id } = await admitAgent(doors.worker, part.name, `demo-${part.strategy.title.toLowerCase()}`, token, welcome);

  /** Null if the day is no longer that one. */
  const look = async (day: number): Promise<View | null> => {
    let own = await call<OwnState>(doors.web, 'api_agent.own_state', { token });
    if (own.available_cents < low) {
      await fuelAgent(doors.worker, account_id, { granted: day % 3 === 0 ? 500 : 0, paid: topUp });
      own = await call<OwnState>(doors.web, 'api_agent.own_state', { token });
    }
    const hill = await doors.api.hill();
    return own.day === day && hill.day === day ? new View(part.name, hill, own, doors.api) : null;
  };

  return {
    part,
    announce: (day) =>
      asItComes(async () => {
        const view = part.strategy.announce && (await look(day));
        if (!view) return;
        for (const { slot, intention, message } of part.strategy.announce?.(view) ?? [])
          await asItComes(() => call(doors.web, 'api_agent.announce', { token, slot, intention, message, day }));
      }),
    play: (day) =>
      asItComes(async () => {
        const view = await look(day);
        if (!view) return;
        for (const deposit of await part.strategy.play(view)) {
          const { slot, move } = deposit;
          const stake_cents = move === 'WAR' ? deposit.stake_cents : undefined;
          const message = move === 'PASS' ? undefined : deposit.message;
          await asItComes(() => call(doors.web, 'api_agent.play', { token, slot, move, stake_cents, message, day }));
        }
      }),
  };
}

/** What the rules refuse (over the cap, too late in the day), and a database that is busy, an agent takes as it comes. */
async function asItComes(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refusal || (error instanceof Failure && error.code === 'UNAVAILABLE'))) throw error;
  }
}
