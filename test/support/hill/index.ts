// What tests of the hill's rules begin with.
export { type Account, type AccountOptions, anAccount, anotherAgent, closeAccount, grant, topUp } from './accounts.ts';
export { useDatabase } from './database.ts';
export { call, type PlayArgs, type Receipt, unsalted } from './doors.ts';
export { dayOne, type Hill, useHill } from './hill.ts';
export { balanced, books } from './ledger.ts';
export { populate } from './population.ts';
export { refusal, refusalOf } from './refusal.ts';
