// All that can be done in a world.
import { balanced, books } from '../../support/hill/index.ts';
import { compare } from '../compare.ts';
import type { Action, CallKind, Family, StepKind } from '../family.ts';
import { Contradiction } from '../model.ts';
import type { World } from '../world.ts';
import { accounts } from './accounts.ts';
import { credits } from './credits.ts';
import { deploys } from './deploys.ts';
import { nights } from './nights.ts';
import { playing } from './playing.ts';
import { recovery } from './recovery.ts';
import { seal } from './seal.ts';
import { stalls } from './stalls.ts';
import { working } from './workers.ts';

const families: readonly Family[] = [playing, accounts, credits, nights, deploys, seal, working, recovery, stalls];

export const calls: Readonly<Record<string, CallKind<Action>>> = Object.assign({}, ...families.map((one) => one.calls));
export const steps: Readonly<Record<string, StepKind<Action>>> = Object.assign({}, ...families.map((one) => one.steps));

/** Everything that has to hold between two actions. */
export async function check(world: World): Promise<void> {
  const found = await books(world.hill.root);
  for (const [what, wrong] of Object.entries(found))
    if (wrong !== balanced[what as keyof typeof balanced])
      throw new Contradiction(`The books do not balance: ${what} ${wrong}`);
  await compare(world);
  for (const { check: checkFamily } of families) await checkFamily?.(world);
}
