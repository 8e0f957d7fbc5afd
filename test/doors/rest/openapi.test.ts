// /openapi.json describes what is served. Specification 9.
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import * as records from '../../../src/records.ts';
import { aLivelyNight } from '../../support/a-lively-night.ts';
import { useHill } from '../../support/index.ts';
import { useWebDoor } from '../../support/web-door.ts';

const hill = useHill();
const web = useWebDoor(hill);
interface Description {
  openapi: string;
  info: { version: string };
  servers: { url: string }[];
  paths: Record<
    string,
    {
      get: {
        parameters?: { name: string; in: string }[];
        responses: { 200: { content: { 'application/json': { schema: { $ref: string } } } } };
      };
    }
  >;
  components: { schemas: Record<string, unknown> };
}
let description: Description;
beforeAll(async () => {
  await aLivelyNight(hill);
  description = await web.read<Description>('/openapi.json');
});

/** A schema whose objects, at every depth, take no field that it does not name. */
function strict(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject && schema.def.catchall === undefined)
    return z.strictObject(Object.fromEntries(Object.entries(schema.shape).map(([key, inner]) => [key, strict(inner as z.ZodType)])));
  if (schema instanceof z.ZodArray) return z.array(strict(schema.element as z.ZodType));
  return schema;
}

describe('the description', () => {
  test('is OpenAPI 3.1.0 of API version 0.1.0', () => {
    expect(description).toMatchObject({ openapi: '3.1.0', info: { version: '0.1.0' } });
  });

  test.each([
    ['/api/rules', '/api/rules', records.rulesRecord],
    ['/api/hill', '/api/hill', records.hillRecord],
    ['/api/day/{n}', '/api/day/1', records.dayRecord],
    ['/api/wall', '/api/wall', records.wallRecord],
    ['/api/leaderboard/hill', '/api/leaderboard/hill', records.leaderboardRecord],
    ['/api/leaderboard/efficiency', '/api/leaderboard/efficiency', records.efficiencyRecord],
  ] as const)('%s answers exactly what it describes', async (described, path, schema) => {
    expect(description.paths[described]?.get.responses[200].content['application/json'].schema.$ref).toBe(
      `#/components/schemas/${records.named.get(schema)?.id}`,
    );
    const parsed = strict(schema).safeParse(await web.read(path));
    expect(parsed.error?.issues).toBeUndefined();
  });

  test('names every path that is served and every argument', () => {
    expect(Object.keys(description.paths)).toEqual([
      '/api/rules',
      '/api/hill',
      '/api/day/{n}',
      '/api/wall',
      '/api/leaderboard/hill',
      '/api/leaderboard/efficiency',
    ]);
    expect(description.paths['/api/day/{n}']?.get.parameters?.map(({ name, in: where }) => [name, where])).toEqual([
      ['n', 'path'],
      ['limit', 'query'],
      ['cursor', 'query'],
    ]);
  });

  test('refers to nothing that it does not hold', () => {
    const referred = [...JSON.stringify(description).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name]) => name as string,
    );
    expect(referred.length).toBeGreaterThan(10);
    for (const name of referred) expect(description.components.schemas).toHaveProperty(name);
  });
});
