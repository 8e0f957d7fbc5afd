// A deposit, and what everybody else can read before and after it: the same.
import { differences, lookAtRows, type Onlooker } from '../../support/hill/onlooker.ts';
import type { Random } from '../../support/random.ts';
import type { Family, StepKind } from '../family.ts';
import { Contradiction, type Deposit } from '../model.ts';
import { callAlone, momentIn, staffSession, type World } from '../world.ts';
import { deposit as play } from './playing.ts';

const watchedDeposit: StepKind<{ deposit: Deposit }> = {
  odds: 0.4,
  draw: (world: World, random: Random) => {
    const deposit = play.draw(world, random);
    return deposit && { deposit };
  },
  step: async (world, { deposit }) => {
    const call = play.call(world, deposit);
    if (!call) return 'nobody';
    const onlookers: readonly Onlooker[] = [
      { name: 'staff', role: 'hill_staff', settings: { 'hill.staff_session': await staffSession(world.hill) } },
      { name: 'the DBA', role: 'hill_dba' },
      { name: 'what answers the public', role: 'hill_api_public' },
    ];
    const look = () => Promise.all(onlookers.map((onlooker) => lookAtRows(world.hill, onlooker)));
    const before = await look();
    const answer = await callAlone(world, call);
    const after = await look();
    for (const [i, { name }] of onlookers.entries()) {
      const seen = differences(before[i] as never, after[i] as never);
      if (Object.keys(seen).length > 0)
        throw new Contradiction(`${name} saw a deposit: ${JSON.stringify(seen).slice(0, 1_000)}`);
    }
    play.learn(world.model, momentIn(world), deposit, answer);
    return answer;
  },
};

export const seal: Family = { steps: { watchedDeposit } };
