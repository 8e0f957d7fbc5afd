// The suites of credits and of midnight once more, in a database of another time zone, whose clocks go forward on day
// 8. Everything is UTC. Rules 2.1; decisions 16.
import { inTimeZone } from '../../support/hill/zone.ts';

inTimeZone('America/New_York');

// The query makes each a module of its own: the worker may have loaded the file for itself already.
for (const suite of ['ledger/credits', 'days/midnight']) await import(/* @vite-ignore */ `../${suite}.test.ts?zone`);
