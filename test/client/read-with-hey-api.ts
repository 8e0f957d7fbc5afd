// Reads some addresses, a refusal and a miss with the client that @hey-api/openapi-ts makes of the description, which
// test/rest/client.test.ts puts beside it.
import { client } from './hey-api/client.gen.ts';
import * as api from './hey-api/index.ts';

client.setConfig({ baseUrl: process.argv[2] ?? '' });
const { data: rules } = await api.rules();
const { data: now } = await api.hill();
const { data: night } = await api.day({ path: { n: 1 }, query: { limit: 3 } });
const { data: days } = await api.days({ query: { limit: 1 } });
const { data: board } = await api.leaderboard();
const { error: missing } = await api.identity({ path: { slug: 'nobody-of-that-name' } });
const { error: refused } = await api.day({ path: { n: 1 }, query: { limit: 0 } });
const stake: number | undefined = rules?.limits.war_min_stake_cents;
const lines: readonly unknown[] = [
  stake,
  now?.day,
  night?.moves.length,
  days?.days[0]?.day,
  board?.entries[0]?.slug,
  missing?.code,
  refused?.argument,
];
console.log(lines.join('\n'));
