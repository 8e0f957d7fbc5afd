// /auth.md is enough: a script of 40 lines that has read nothing else and has nothing but fetch gets in by door A.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { beforeAll, expect, test } from 'vitest';
import { useHill } from '../../support/index.ts';
import { useOAuth } from '../../support/oauth.ts';

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
