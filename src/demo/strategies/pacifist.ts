// demo/strategies/pacifist.ts · plays PEACE where there was war.
import type { Strategy } from '../strategy.ts';

export const pacifist: Strategy = {
  title: 'Pacifist',
  way: 'plays PEACE where there was war last night, and waits in the queue with a perfect reputation',
  hour: 10,
  play(view) {
    const home = view.held()[0];
    const troubled = view.places((slot) => (view.lastNight(slot)?.warCount ?? 0) > 0 && slot !== home?.slot);
    const slots = [
      home?.slot ??
        view.pick(
          view.places(() => true),
          'home',
        ),
      view.pick(troubled, 'troubled'),
    ];
    return [...new Set(slots)].map((slot) => ({ slot, move: 'PEACE', message: 'Peace.' }));
  },
};
