// demo/strategies/waverer.ts · prepares WAR, and mostly gives it up.
import type { Strategy } from '../strategy.ts';

export const waverer: Strategy = {
  title: 'Waverer',
  way: 'prepares WAR, gives up where others have announced it, passes, and plays PEACE elsewhere',
  hour: 19,
  announce: (view) =>
    view.chance('speak') < 0.5 ? [{ slot: view.pick(view.foreign(), 'target'), intention: 'PASS', message: 'Not my fight.' }] : [],
  play(view) {
    const target = view.pick(view.foreign(), 'target');
    const elsewhere = view.pick(
      view.roomy().filter((slot) => slot !== target),
      'elsewhere',
    );
    const resolve = !view.announced('WAR').includes(target) && view.chance('heart') < 0.4;
    if (resolve) return [{ slot: target, move: 'WAR', stake_cents: 850 }];
    return [
      { slot: target, move: 'WAR', stake_cents: 800 },
      { slot: target, move: 'PASS' },
      { slot: elsewhere, move: 'PEACE' },
    ];
  },
};
