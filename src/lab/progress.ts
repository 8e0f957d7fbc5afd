// How far a run is, and how long it will go on, on one line of a terminal.
import type { Progress } from '../backup/progress.ts';
import { duration } from '../html/words.ts';

const width = 24;

export function nightsOn({ show }: Pick<Progress, 'show'>, all: number): () => void {
  const began = performance.now();
  let done = 0;
  return () => {
    done += 1;
    const filled = Math.round((done / all) * width);
    const seconds = (((performance.now() - began) / 1_000) * (all - done)) / done;
    show(
      `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${Math.floor((100 * done) / all)} %  ${done.toLocaleString('en-US')} of ${all.toLocaleString('en-US')} nights, ${left(seconds)} left`,
    );
  };
}

const left = (seconds: number): string => (seconds < 60 ? `${Math.ceil(seconds)} s` : duration(seconds));
