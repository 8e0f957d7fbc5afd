// /openapi.json describes what is served. Rules 16.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import * as records from '../../src/records/index.ts';
import { eventsPath } from '../../src/rest/events.ts';
import { openApi } from '../../src/rest/openapi/index.ts';
import { archive, nightFile, resources } from '../../src/rest/resources/index.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aLivelyNight } from '../support/hill/a-lively-night.ts';
import { useHill } from '../support/hill/index.ts';
import { springCup } from '../support/hill/spring-cup.ts';

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
  components: { schemas: Record<string, unknown>; responses: Record<string, unknown> };
}
interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
}
interface Response {
  content?: Record<string, { example?: unknown }>;
}
let description: Description;
beforeAll(async () => {
  await aLivelyNight(hill);
  await springCup(hill);
  description = await web.read<Description>('/openapi.json');
});

/** A schema whose objects, at every depth, take no field that it does not name. */
function strict(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject && schema.def.catchall === undefined)
    return z.strictObject(
      Object.fromEntries(Object.entries(schema.shape).map(([key, inner]) => [key, strict(inner as z.ZodType)])),
    );
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
    ['/api/announcements', '/api/announcements', records.announcementsRecord],
    ['/api/days', '/api/days', records.daysRecord],
    ['/api/day/{n}', '/api/day/1', records.dayRecord],
    ['/api/wall', '/api/wall', records.wallRecord],
    ['/api/leaderboard/hill', '/api/leaderboard/hill', records.leaderboardRecord],
    ['/api/leaderboard/efficiency', '/api/leaderboard/efficiency', records.efficiencyRecord],
    ['/api/tournaments', '/api/tournaments', records.tournamentsRecord],
    ['/api/tournaments/{slug}', '/api/tournaments/spring-cup', records.tournamentRecord],
    ['/api/leaderboard/hill', '/api/leaderboard/hill?day=1', records.leaderboardRecord],
    ['/api/leaderboard/efficiency', '/api/leaderboard/efficiency?day=1', records.efficiencyRecord],
    ['/api/identities', '/api/identities?q=an', records.identitiesRecord],
    ['/api/counters', '/api/counters?ids=ann,bob', records.countersRecord],
    ['/api/status', '/api/status', records.statusRecord],
  ] as const)('%s answers exactly what it describes', async (described, path, schema) => {
    expect(description.paths[described]?.get.responses[200].content['application/json'].schema.$ref).toBe(
      `#/components/schemas/${records.named.get(schema)?.id}`,
    );
    const parsed = strict(schema).safeParse(await web.read(path));
    expect(parsed.error?.issues).toBeUndefined();
  });

  test('describes a tournament that runs, with its boards', async () => {
    await hill.clock.toDay(8);
    for (const [path, schema] of [
      ['/api/tournaments', records.tournamentsRecord],
      ['/api/tournaments/spring-cup', records.tournamentRecord],
    ] as const)
      expect([path, strict(schema).safeParse(await web.read(path)).error?.issues]).toEqual([path, undefined]);
  });

  test('has the fields that were reviewed, each with its type and its meaning', async () => {
    const typeOf = ({ $ref, anyOf, enum: values, type, format }: Schema): string =>
      $ref?.split('/').at(-1) ??
      anyOf?.map(typeOf).join(' or ') ??
      values?.join(', ') ??
      [type ?? 'any', format].flat().filter(Boolean).join(' ');
    const lines: string[] = [];
    const look = (schema: Schema, at: string): void => {
      for (const [name, field] of Object.entries(schema.properties ?? {})) {
        lines.push(`${at}.${name} | ${typeOf(field)} | ${field.description ?? ''}`);
        look(field, `${at}.${name}`);
      }
      for (const one of [schema.items ?? [], schema.anyOf ?? []].flat()) look(one, schema.items ? `${at}[]` : at);
    };
    for (const [name, schema] of Object.entries(description.components.schemas)) look(schema as Schema, name);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../snapshots/openapi.txt');
  });

  test('says at every field what it is', () => {
    const silent: string[] = [];
    const look = (schema: Schema, at: string): void => {
      for (const [name, field] of Object.entries(schema.properties ?? {})) {
        if (!field.$ref && !field.description) silent.push(`${at}.${name}`);
        look(field, `${at}.${name}`);
      }
      if (schema.items) look(schema.items, `${at}[]`);
    };
    for (const [name, schema] of Object.entries(description.components.schemas)) look(schema as Schema, name);
    expect(silent).toEqual([]);
  });

  test('has a summary, a description, an example, and every way to be refused at each address', () => {
    for (const [path, { get }] of Object.entries(description.paths)) {
      const {
        summary,
        description: words,
        tags,
        responses,
      } = get as unknown as Record<string, unknown> & { responses: Record<string, Response> };
      expect([path, typeof summary, typeof words, Array.isArray(tags)]).toEqual([path, 'string', 'string', true]);
      const ofTheDatabase = path === '/llms.txt' ? [] : ['503'];
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '429', ...ofTheDatabase, 'default']));
      for (const media of Object.values((responses['200'] as Response).content ?? {}))
        expect([path, media.example === undefined]).toEqual([path, false]);
    }
    for (const [name, { content }] of Object.entries(
      description.components.responses as unknown as Record<string, Response>,
    ))
      if (content)
        expect([name, content['application/problem+json']?.example]).toEqual([
          name,
          expect.objectContaining({ code: expect.any(String) }),
        ]);
  });

  test('has nothing that a public linter would mend (Redocly, recommended rules)', async () => {
    const source = JSON.stringify(openApi('https://hill.example')); // it minds localhost
    expect(source).toBe(
      JSON.stringify(description).replaceAll(description.servers[0]?.url as string, 'https://hill.example'),
    );
    const problems = await lintFromString({
      source,
      absoluteRef: 'openapi.json',
      config: await createConfig({ extends: ['recommended'] }),
    });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  test('names amounts of money as rules 10.1 say, or says that the name is to go', () => {
    const named: string[] = [];
    const look = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [name, of] of Object.entries((value as { properties?: object }).properties ?? {}))
        if (/[a-z]Cents/.test(name) && !(of as { deprecated?: boolean }).deprecated) named.push(name);
      for (const part of Object.values(value)) look(part);
    };
    look(description);
    expect([...new Set(named)].sort()).toEqual(['burnedCents', 'burnedLastNightCents']);
  });

  test('names every path that is served and every argument', () => {
    expect(Object.keys(description.paths)).toEqual(
      [
        ...resources.map(({ path }) => path),
        ...resources.filter(({ lines }) => lines).flatMap(({ path }) => [`${path}.ndjson`, `${path}.csv`]),
        ...[eventsPath, '/api/day/:n/:list.ndjson', '/api/day/:n/:list.csv', '/api/identity/:slug/moves.ndjson'],
        ...[nightFile.path, archive.path, '/llms.txt'],
      ].map((path) => path.replace(/:(\w+)/g, '{$1}')),
    );
    expect(
      description.paths['/api/day/{n}']?.get.parameters?.slice(0, 3).map(({ name, in: where }) => [name, where]),
    ).toEqual([
      ['n', 'path'],
      ['limit', 'query'],
      ['cursor', 'query'],
    ]);
  });

  test('gives each media type an operation of its own, closes no object, and leaves codes open', () => {
    // a file by its hash is what it was made as
    for (const [path, { get }] of Object.entries(description.paths).filter(([path]) => !path.startsWith('/archive/')))
      expect([path, Object.keys(get.responses[200].content)]).toEqual([path, [expect.any(String)]]);
    const { Problem, ...others } = description.components.schemas as Record<string, Schema>;
    expect(JSON.stringify([others.Rules, others.Act])).not.toContain('"additionalProperties":{}');
    expect(JSON.stringify(others)).not.toContain('"additionalProperties":false');
    expect(Problem?.properties?.code).toMatchObject({
      anyOf: [{ enum: expect.arrayContaining(['NOT_FOUND']) }, { type: 'string' }],
    });
  });

  test('describes every limit of the rules record, and all that tells how to play', async () => {
    const { limits, _act } = await web.read<{ limits: object; _act: object }>('/api/rules');
    const { Rules, Act } = description.components.schemas as Record<string, Schema>;
    expect(Object.keys(Rules?.properties?.limits?.properties ?? {}).sort()).toEqual(Object.keys(limits).sort());
    expect(Object.keys(Act?.properties ?? {}).sort()).toEqual(Object.keys(_act).sort());
  });

  test('refers to nothing that it does not hold', () => {
    const referred = [...JSON.stringify(description).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name]) => name as string,
    );
    expect(referred.length).toBeGreaterThan(10);
    for (const name of referred) expect(description.components.schemas).toHaveProperty(name);
  });
});
