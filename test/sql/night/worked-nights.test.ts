// The nights that pages show to explain the game. Rules 4.4.
import { expect, test } from 'vitest';
import type { RulesForPeople } from '../../../src/pages/rules-text.ts';
import { call, useHill } from '../../support/hill/index.ts';
import { resolveNaively } from '../../support/naive/naive-engine.ts';

const hill = useHill();

test('they are one for each outcome, and what the second engine makes of the same moves', async () => {
  const { worked } = await call<RulesForPeople>(hill.as('web'), 'api_public.rules_page');
  const { slot, nights } = worked;
  const since = '2026-01-01T00:00:00.000000Z';
  for (const { outcome, agents } of nights) {
    const moved = agents.filter(({ move }) => move !== null);
    const { slots, charges } = resolveNaively({
      day: 1,
      open_slots: [slot],
      accounts: moved.map(({ name }) => ({ account: name, reputation: 0, since, house: false })),
      holders: agents.flatMap(({ name, held }) => (held === null ? [] : [{ slot, account: name, days_held: held }])),
      moves: moved.map(({ name, move, cents }, i) => ({
        seq: i + 1,
        account: name,
        slot,
        move: move as 'PEACE' | 'WAR',
        ...(move === 'WAR' ? { stake_cents: cents } : {}),
        at: `2026-01-01T0${i + 1}:00:00.000000Z`,
      })),
    });
    const place = slots.find((one) => one.slot === slot);
    const of = (name: string) => charges.find(({ account }) => account === name);
    expect([place?.outcome, agents]).toEqual([
      outcome,
      agents.map((agent) => {
        const points = place?.occupants.find(({ account }) => account === agent.name)?.points ?? null;
        const cents = Number(of(agent.name)?.cents ?? 0);
        return {
          ...agent,
          cents,
          burned: of(agent.name)?.burned ?? false,
          points,
          points_per_dollar: points === null ? null : Math.round((points * 1_000_000) / cents) / 10_000,
        };
      }),
    ]);
  }
  expect(nights.map(({ outcome }) => outcome).sort()).toEqual(['BURN', 'PEACE', 'VACANT', 'WAR']);
});
