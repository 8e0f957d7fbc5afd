// The suites of the ledger and of the bell once more, in a database of another time zone, whose clocks go forward on day 8. Everything is UTC. Decisions 1.
import { inTimeZone } from '../../support/hill/zone.ts';

inTimeZone('America/New_York');

await import('../ledger/credits.test.ts');
await import('../ledger/guards.test.ts');
await import('../bell/bell.test.ts');
await import('../days/midnight.test.ts');
