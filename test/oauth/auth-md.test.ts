// /auth.md is enough: a script of 40 lines that has read nothing else and has nothing but fetch gets in by door A. And
// it tells what each field of a registration is. Protocol 3.1.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { beforeAll, describe, expect, test } from 'vitest';
import { payloadOf, type Registration, useOAuth } from '../support/doors/oauth.ts';
import { useHill } from '../support/hill/index.ts';

const hill = useHill();
const door = useOAuth(hill, 'two hosts');
const script = path.join(import.meta.dirname, 'follow-auth-md.mjs');

beforeAll(async () => {
  // the script's seconds are real ones
  await hill.rows('update hill.settings set shown_at = engine.now(), set_at = clock_timestamp(), rate = 1');
});

test('a script that follows /auth.md is claimed by its human', async () => {
  const email = 'reader@example.com';
  const human = await door.human(email);
  const child = spawn(process.execPath, [script, door.baseUrl, email], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said: Record<string, string>[] = [];
  for await (const line of readline.createInterface({ input: child.stdout })) {
    const words = JSON.parse(line) as Record<string, string>;
    said.push(words);
    if (words.open) {
      const attempt = new URL(words.open).searchParams.get('claim_attempt_token') as string;
      expect(await door.approve(human, attempt, words.type as string)).toMatchObject({
        outcome: 'approved',
        client_name: 'A reader of auth.md',
      });
    }
  }

  expect(said).toEqual([
    { reading: 'hill:read' },
    { open: expect.stringContaining('/claim?'), type: expect.stringMatching(/^\d{6}$/) },
    { playing: 'hill:read hill:play' },
    { renewed: 'hill:read hill:play', next: true },
  ]);
  expect(fs.readFileSync(script, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(40);
});

describe('protocol 3.1', () => {
  let described: Map<string, { type: string; meaning: string }>;
  let registration: Registration;
  beforeAll(async () => {
    const guide = (await door.get<string>(`${door.baseUrl}/auth.md`)).body as unknown as string;
    const [, table = ''] = /\| field \| type \| what it is \|\n\|---\|---\|---\|\n((?:\|.*\n)+)/.exec(guide) ?? [];
    described = new Map(
      [...table.matchAll(/^\| `(\w+)` \| (.+?) \| (.+) \|$/gm)].map(([, field = '', type = '', meaning = '']) => [
        field,
        { type, meaning },
      ]),
    );
    registration = await door.register();
  });

  const types: Record<string, (value: unknown) => boolean> = {
    string: (value) => typeof value === 'string' && value !== '',
    timestamp: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value),
    URL: (value) => typeof value === 'string' && URL.canParse(value),
    'array of strings': (value) =>
      Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string'),
  };
  const fields: [field: keyof Registration, type: string, meaning: RegExp][] = [
    ['registration_id', 'string', /registration/],
    ['registration_type', 'string', /anonymous/],
    ['client_id', 'string', /client/],
    ['identity_assertion', 'string', /signed.*24 hours/],
    ['assertion_expires', 'timestamp', /assertion ends/],
    ['pre_claim_scopes', 'array of strings', /until.*claimed/],
    ['claim_url', 'URL', /claim begins/],
    ['claim_token', 'string', /once.*24 hours/],
    ['claim_token_expires', 'timestamp', /claim token ends/],
    ['post_claim_scopes', 'array of strings', /once.*claimed/],
  ];
  test.each(fields)('%s (%s) is in the registration and told in /auth.md', (field, type, meaning) => {
    expect(described.get(field)).toEqual({ type, meaning: expect.stringMatching(meaning) });
    expect([registration[field], types[type]?.(registration[field])]).toEqual([registration[field], true]);
  });

  test('and there is no other field, in neither', () => {
    const named = fields.map(([field]) => field).sort();
    expect([...described.keys()].sort()).toEqual(named);
    expect(Object.keys(registration).sort()).toEqual(named);
  });

  test('what they say is so', async () => {
    const { iat, exp } = payloadOf(registration.identity_assertion) as { iat: number; exp: number };
    expect(exp - iat).toBe(24 * 3600);
    for (const expires of [registration.assertion_expires, registration.claim_token_expires])
      expect(Math.abs(Date.parse(expires) / 1000 - exp)).toBeLessThanOrEqual(1);
    expect(registration).toMatchObject({
      ...{
        registration_type: 'anonymous',
        pre_claim_scopes: ['hill:read'],
        post_claim_scopes: ['hill:read', 'hill:play'],
      },
      claim_url: `${door.authUrl}/agent/identity/claim`,
    });
    const claim = await door.claim(registration.claim_token, 'once@example.com');
    expect(claim.status).toBe(200);
    expect(JSON.stringify(claim.body)).not.toContain(registration.claim_token);
  });
});
