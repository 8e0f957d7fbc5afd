// All that can be done in a world.
import { balanced, books } from '../../support/hill/index.ts';
import { compare } from '../compare.ts';
import type { Action, CallKind, Family, StepKind } from '../family.ts';
import { Contradiction } from '../model.ts';
import type { World } from '../world.ts';
import { accounts } from './accounts.ts';
import { claims } from './claims.ts';
import { credits } from './credits.ts';
import { deploys } from './deploys.ts';
import { doors } from './doors.ts';
import { nights } from './nights.ts';
import { payments } from './payments.ts';
import { people } from './people.ts';
import { playing } from './playing.ts';
import { seal } from './seal.ts';
import { telling } from './telling.ts';
import { tokens } from './tokens.ts';
import { tournaments } from './tournaments.ts';

const families: readonly Family[] = [
  ...[playing, accounts, credits, nights, deploys, seal, telling, doors],
  ...[payments, tournaments, people, claims, tokens],
];

export const calls: Readonly<Record<string, CallKind<Action>>> = Object.assign({}, ...families.map((one) => one.calls));
export const steps: Readonly<Record<string, StepKind<Action>>> = Object.assign({}, ...families.map((one) => one.steps));

/** What is about the same few humans and clients: a race of these alone has more to wait for. */
export const together = Object.assign({}, people.calls, claims.calls, tokens.calls);

/** Everything that has to hold between two actions. */
export async function check(world: World): Promise<void> {
  const found = await books(world.hill.root);
  for (const [what, wrong] of Object.entries(found))
    if (wrong !== balanced[what as keyof typeof balanced])
      throw new Contradiction(`The books do not balance: ${what} ${wrong}`);
  await compare(world);
  for (const { check: checkFamily } of families) await checkFamily?.(world);
}
