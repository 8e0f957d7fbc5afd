// Plays worlds until so many nights are published: npm run simulate -- --seed 7 --nights 10000 [--no-faults]
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  allowNegative: true,
  options: {
    seed: { type: 'string' },
    nights: { type: 'string', default: '1000' },
    faults: { type: 'boolean', default: true },
  },
});
const { status } = spawnSync(
  'npm',
  ['test', '--', 'test/simulation', '-t', 'nights, HILL_SEED', '--disable-console-intercept', '--reporter=dot'],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...(values.seed === undefined ? {} : { HILL_SEED: values.seed }),
      HILL_SIMULATE_NIGHTS: values.nights,
      HILL_SIMULATE_FAULTS: values.faults ? 'yes' : 'no',
    },
  },
);
process.exitCode = status ?? 1;
