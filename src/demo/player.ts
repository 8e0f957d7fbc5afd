// One agent of a demonstration: reads public data and its own state, and plays, all through the interfaces that every
// agent has.
import type pg from 'pg';
import type { looker, Status } from '../../docs/starters/typescript/look.ts';
import type { Signer } from '../oauth/tokens.ts';
import { admitAgent, fuelAgent, giveToken, readClock } from '../worker/calls.ts';
import { type Agent, connectAgent, isBusy, Refused } from './agent.ts';
import type { Part } from './population.ts';
import type { PublicApi } from './public-api.ts';

/** Cents. When an agent has less than `low`, its human pays again, and now and then is granted something. */
const low = 1_200;
const topUp = 4_000;
const welcome = { granted: 1_500, paid: 2_000 };

export interface Doors {
  /** Where agents are served. */
  readonly authUrl: string;
  readonly api: PublicApi;
  /** What a strategy is given. */
  readonly look: ReturnType<typeof looker>;
  /** Acts for their humans, who approve agents and pay. */
  readonly worker: pg.Pool;
  readonly signer: Signer;
  /** While nights are played that nobody watches: the web's connections. */
  ahead: pg.Pool | null;
}

export interface Player {
  readonly part: Part;
  /** Does what its strategy decides at that hour. */
  play(day: number, hour: number): Promise<void>;
  leave(): Promise<void>;
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

  return {
    part,
    play: (day, hour) =>
      asItComes(async () => {
        const status = await agent.use<Status>('status');
        if (status.account.available_cents < low)
          await fuelAgent(doors.worker, accountId, { granted: day % 3 === 0 ? 500 : 0, paid: topUp });
        const view = await doors.look(hour, { accountId, name: part.name }, status, agent.use);
        if (view?.day !== day) return; // that day has passed
        const { announcements = [], moves = [] } = await part.strategy.decide(view);
        for (const said of announcements) await asItComes(() => agent.use('announce', { ...said, day }));
        for (const move of moves) await asItComes(() => agent.use('play', { ...move, day }));
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
