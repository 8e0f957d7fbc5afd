// The examples of /openapi.json are real answers. `npm test -- test/rest/examples.test.ts -u` records them anew.
import { hash } from 'node:crypto';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { engineSource } from '../../src/db/engine-source.ts';
import { ownSources } from '../../src/db/migrate.ts';
import { rule } from '../../src/db/rules.ts';
import { examplesFolder, exampleUrl } from '../../src/rest/openapi/examples.ts';
import { operationId, resources } from '../../src/rest/resources/index.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aLivelyNight } from '../support/hill/a-lively-night.ts';
import { useHill } from '../support/hill/index.ts';
import { springCup } from '../support/hill/spring-cup.ts';
import { signLog } from '../support/log/sign.ts';

const hill = useHill();
const web = useWebDoor(hill);
beforeAll(async () => {
  // the numbers that deposits leave out by chance are the same ones each time
  await hill.as('web').query('select setseed(0.5)');
  // before the night: what that logs has the hash of the sources in it
  await signLog(hill);
  await aLivelyNight(hill);
  await springCup(hill);
});

/** Another with each change of sql/. */
const engine = hash('sha256', engineSource(ownSources));

/** Ids are new each time, and so are the port and what opens moves: each is called by its turn. */
function turned(text: string): string {
  const ids = new Map<string, string>();
  let drawn = 0;
  return (
    text
      .replaceAll(/("(?:ends|salt|message_hash|message_salt)": ?)"([0-9a-f]+)"/g, (_, name, { length }) => {
        drawn += 1;
        return `${name}"${String(drawn).padStart(length, '0')}"`;
      })
      // of entries with such salts
      .replaceAll(/("root": ?)"[^"]{44}"/g, '$1"47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="')
      .replaceAll(engine, hash('sha256', ''))
      .replaceAll(/http:\/\/localhost:\d+/g, exampleUrl)
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
        const known = ids.get(id) ?? `01999999-0000-7000-8000-${String(ids.size + 1).padStart(12, '0')}`;
        ids.set(id, known);
        return known;
      })
  );
}

/**
 * One entry of a list of records says what the others are like; but a list with a record of each place keeps them, as
 * its schema wants.
 */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) {
    const kept = typeof value[0] !== 'object' || value.length === rule('slot_count');
    return (kept ? value : value.slice(0, 1)).map(shortened);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
}

/** Without the links that every record has, which the description adds. */
function asExample(text: string): string {
  const record = JSON.parse(turned(text));
  delete record._docs;
  delete record._act;
  return `${JSON.stringify(shortened(record), null, 2)}\n`;
}
/** The header, if there is one, and a line. */
const asLines = (text: string, form: string): string =>
  `${turned(text)
    .split('\n', form === 'csv' ? 2 : 1)
    .join('\n')}\n`;

test.each([
  ...resources.map((resource) => [operationId(resource), resource.example, 200] as const),
  ['nightFile', '/api/day/1/night.json', 200] as const,
  ['INVALID_ARGUMENT', '/api/leaderboard/hill?limit=0', 400] as const,
  ['DAY_NOT_RESOLVED', '/api/day/77', 404] as const,
  ['NOT_FOUND', '/api/tournaments/winter-cup', 404] as const,
])('%s', async (name, address, status) => {
  const answer = await web.get(address, { headers: { 'X-Request-Id': '6f1f0c9a-3d35-4c6b-9a53-6f0b4a3c2d1e' } });
  expect(answer.status).toBe(status);
  await expect(asExample(await answer.text())).toMatchFileSnapshot(path.join(examplesFolder, `${name}.json`));
});

test.each<readonly [name: string, address: string]>([
  ['day.ndjson', '/api/day/1?format=ndjson&list=results'],
  ['day.csv', '/api/day/1?format=csv'],
  ['identityMoves.ndjson', '/api/identity/ann/moves.ndjson'],
])('%s', async (name, address) => {
  const answer = await web.get(address);
  expect(answer.status).toBe(200);
  await expect(asLines(await answer.text(), path.extname(name).slice(1))).toMatchFileSnapshot(
    path.join(examplesFolder, name),
  );
});
