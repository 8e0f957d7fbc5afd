// A clock that is set, as that of a machine may be.
import { bellAt, Contradiction } from './model.ts';
import type { World } from './world.ts';

/** The clock shows another instant, later or earlier. What is closed stays so, and no account acts before it has. */
export async function stepClock(world: World, to: number): Promise<void> {
  const { hill, model, members } = world;
  await hill.rows('update hill.settings set shown_at = $1', [new Date(to).toISOString()]);
  const [clock] = await hill.rows<{ now: Date; closed: number }>(
    'select engine.now() as now, closed_day as closed from hill.settings',
  );
  const now = Number(clock?.now);
  if (now < bellAt(model.lastNight) || now !== Math.max(to, clock?.closed ? bellAt(clock.closed) : 0))
    throw new Contradiction(`The clock went back to ${clock?.now.toISOString()}, over the bell of a closed day`);
  world.now = now;
  const acted = await hill.rows<{ account: string; at: Date }>(
    "select account_id as account, acted_at as at from hill.reservations where acted_at > '-infinity'",
  );
  for (const { account, at } of acted) {
    const member = model.members[members.get(account) ?? ''];
    if (member) member.acted = Number(at);
  }
}
