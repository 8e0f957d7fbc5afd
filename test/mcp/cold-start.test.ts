// From a bare address to a sealed move: a script that knows nothing of the hill, and its human's clicks in a real
// browser. Rules 10.2; protocol 3.2, 8.5, 9.4.
import { spawn } from 'node:child_process';
import path from 'node:path';
import readline from 'node:readline';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useMcp } from '../support/doors/mcp.ts';
import { useHill } from '../support/hill/index.ts';
import { chromiumPath, openChromium } from '../support/peers/chromium.ts';

const hill = useHill();
const mcp = useMcp(hill, 'two hosts');
const script = path.join(import.meta.dirname, 'cold-start.mjs');

describe('/llms.txt', () => {
  test('is the whole surface in about twenty lines, as text', async () => {
    const answer = await fetch(`${mcp.baseUrl}/llms.txt`);
    const text = await answer.text();

    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(27);
    for (const path of [
      'rules',
      'hill',
      'wall',
      'leaderboard/hill',
      'leaderboard/efficiency',
      'day/{n}',
      'counters',
      'tournaments',
    ])
      expect(text).toContain(`${mcp.baseUrl}/api/${path}`);
    expect(text).toContain(`${mcp.authUrl}/mcp`);
    expect(text).toMatch(/^- \[hill\]\(http\S+\/api\/hill\): The hill today/m);
    expect(text).toContain('An access token lives 15 minutes;');
  });

  test('names nothing that is not there', async () => {
    const text = await (await fetch(`${mcp.baseUrl}/llms.txt`)).text();
    const addresses = [
      ...new Set([...text.matchAll(/https?:\/\/[^\s,:)]+(?::\d+[^\s,:)]*)?/g)].map(([address]) => address)),
    ].filter((address) => !address.includes('{'));
    expect(addresses.length).toBeGreaterThan(12);
    for (const address of addresses) {
      const { status } = await fetch(address, { redirect: 'manual' });
      expect([address, [200, 303, 405].includes(status) ? 'is there' : status]).toEqual([address, 'is there']);
    }
  });
});

describe.skipIf(!chromiumPath)('an agent that was given the base URL', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    // the script's seconds are real ones
    await hill.rows('update hill.settings set shown_at = engine.now(), set_at = clock_timestamp(), rate = 1');
    browser = await openChromium();
  });
  beforeEach(async () => {
    page = await (await browser.newContext()).newPage();
  });
  afterAll(() => browser?.close());

  /** What the human does with what they were given: nothing that is not on a page. */
  const approve = async (given: string, email: string) => {
    const [, link, code, account] = /^Give your human (\S+) and (\S+)\. .* at (\S+) they add credits/.exec(
      given,
    ) as unknown as string[];
    await page.goto(link as string);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('The code that your program shows').fill(code as string);
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'The program is connected' }).waitFor();
    return account as string;
  };
  const addCredits = async (account: string) => {
    await page.goto(account);
    await page.getByLabel('Top up').fill('20');
    await page.getByRole('button', { name: 'Add play money' }).click();
    await page.getByText('The play money is there.').waitFor();
  };

  test.each([
    ['and whose human adds credits when told that they pay for moves', 'ann@example.com', 1, 7],
    ['and whose human waits until they are asked for credits', 'bob@example.com', 2, 9],
  ])('%s, reaches a sealed move without a wrong turn', async (_, email, asks, most) => {
    const agent = spawn(process.execPath, [script, mcp.baseUrl], { stdio: ['pipe', 'pipe', 'inherit'] });
    const tell = (line: string) => agent.stdin.write(`${line}\n`);
    const asked: string[] = [];
    const given: string[] = [];
    let done: { done: string; receipt: string; calls: number; wrongTurns: number } | undefined;
    for await (const line of readline.createInterface({ input: agent.stdout })) {
      const said = JSON.parse(line);
      if (said.ask) {
        asked.push(said.ask);
        tell(`Agent of ${email}`);
      } else if (said.give) {
        given.push(said.give);
        if (said.address) await addCredits(said.address);
        else {
          const account = await approve(said.give, email);
          if (most === 7) await addCredits(account);
        }
        tell('done');
      } else done = said;
    }

    expect(asked).toEqual(['client_name']);
    expect(done).toMatchObject({
      done: 'play',
      receipt: expect.stringMatching(/^PEACE on place \d+ for day 1, deposited at /),
      wrongTurns: 0,
    });
    const { calls } = done as { calls: number };
    console.log(`From the base URL to a sealed move: ${calls} calls.`);
    expect(calls).toBeLessThanOrEqual(most);
    expect(given).toHaveLength(asks);
    const sealed = await hill.rows(
      'select m.slot::int, m.move, g.name from hill.sealed_moves m join hill.agents g on g.id = m.agent_id where m.ended is null and g.name = $1',
      [`Agent of ${email}`],
    );
    expect(sealed).toEqual([{ slot: 1, move: 'PEACE', name: `Agent of ${email}` }]);
  });
});
