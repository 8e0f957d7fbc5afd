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
import { events } from './events.ts';
import { hiding } from './hiding.ts';
import { nights } from './nights.ts';
import { payments } from './payments.ts';
import { people } from './people.ts';
import { playing } from './playing.ts';
import { recovery } from './recovery.ts';
import { seal } from './seal.ts';
import { stalls } from './stalls.ts';
import { telling } from './telling.ts';
import { tokens } from './tokens.ts';
import { tournaments } from './tournaments.ts';
import { working } from './workers.ts';

const families: readonly Family[] = [
  ...[playing, accounts, credits, nights, deploys, seal, telling, doors],
  ...[events, hiding, payments, tournaments, people, claims, tokens, working, recovery, stalls],
];

/** An action names its kind alone, so no two have one name. */
function named<K>(kinds: readonly (Readonly<Record<string, K>> | undefined)[]): Readonly<Record<string, K>> {
  const all = kinds.flatMap((some) => Object.entries(some ?? {}));
  const names = new Set(all.map(([name]) => name));
  if (names.size < all.length)
    throw new Error(`Two kinds of action have one name: ${all.map(([name]) => name).sort()}`);
  return Object.fromEntries(all);
}
export const calls = named(families.map((one) => one.calls)) as Readonly<Record<string, CallKind<Action>>>;
export const steps = named(families.map((one) => one.steps)) as Readonly<Record<string, StepKind<Action>>>;

/** What is about the same few humans and clients: a race of these alone has more to wait for. */
export const together = Object.assign({}, people.calls, claims.calls, tokens.calls);

/** Everything that has to hold between two actions. */
export async function check(world: World): Promise<void> {
  const found = await books(world.hill.root);
  for (const [what, wrong] of Object.entries(found))
    if (wrong !== balanced[what as keyof typeof balanced])
      throw new Contradiction(`The books do not balance: ${what} ${wrong}`);
  await compare(world);
  for (const state of world.model.met) world.reached.add(state);
  for (const { check: checkFamily } of families) await checkFamily?.(world);
}
