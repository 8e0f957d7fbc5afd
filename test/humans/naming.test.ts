// The human names the account with its first agent, at every door; no client's name becomes it. Rules 11.1; decisions
// 136.
import { describe, expect, test } from 'vitest';
import { useBrowserDoor } from '../support/doors/browser-door.ts';
import { useDevice } from '../support/doors/device.ts';
import { succeeded, useOAuth } from '../support/doors/oauth.ts';
import type { Visit, Visitor } from '../support/doors/visitor.ts';
import { useHill } from '../support/hill/index.ts';

const hill = useHill();
const door = useOAuth(hill);
const browser = useBrowserDoor(door);
const device = useDevice(door);
const client_name = 'MCP CLI Proxy';
const drawn = /^[A-Z][a-z]+ [A-Z][a-z]+$/;

/**
 * The page at which a human decides about a new client, where its form goes, and what is typed in it besides the name.
 */
type Door = (
  visitor: Visitor,
  email: string,
) => Promise<{ page: Visit; action: string; more?: Record<string, string> }>;

const doors: Record<string, Door> = {
  claim: async (visitor, email) => {
    const { claim_attempt } = succeeded(await door.claim((await door.register(client_name)).claim_token, email));
    return {
      page: await visitor.go(claim_attempt.verification_uri),
      action: '/claim',
      more: { user_code: claim_attempt.user_code },
    };
  },
  consent: async (visitor) => {
    const { client_id } = await browser.register(undefined, { client_name });
    return {
      page: await visitor.go(`${door.authUrl}/oauth/authorize?${browser.asking(client_id)}`),
      action: '/oauth/authorize',
    };
  },
  device: async (visitor) => {
    const { client_id } = await device.register(client_name);
    return { page: await device.type(visitor, succeeded(await device.ask(client_id)).user_code), action: '/device' };
  },
};

describe.each(Object.keys(doors))('at the %s', (at) => {
  const open = doors[at] as Door;
  const proposed = (page: Visit) => /name="account_name" value="([^"]*)"/.exec(page.text)?.[1];
  const nameOf = async (visitor: Visitor) =>
    /<h1><bdi>(.*?)<\/bdi>/.exec((await visitor.go(`${door.baseUrl}/account`)).text)?.[1];
  const begin = async (email: string) => {
    const visitor = await device.human(email);
    const { page, action, more = {} } = await open(visitor, email);
    const approve = (account_name: string) =>
      visitor.send(page, action, { decision: 'approve', ...more, account_name });
    return { visitor, page, approve };
  };

  test('a name that tells nothing is proposed, and may be kept', async () => {
    const { visitor, page, approve } = await begin(`kept-${at}@example.com`);
    expect(page.text).toContain(client_name);
    expect(proposed(page)).toMatch(drawn);
    expect(proposed(page)).toBe(await nameOf(visitor));

    expect((await approve(proposed(page) as string)).status).toBe(303);

    expect(await nameOf(visitor)).toBe(proposed(page));
  });

  test('a name that may not be is told beside the field, and what was typed stays; another is taken', async () => {
    const email = `chosen-${at}@example.com`;
    const { visitor, page, approve } = await begin(email);
    for (const [name, problem] of [
      ['', 'must have 1 to 60 characters'],
      ['x'.repeat(61), 'must have 1 to 60 characters'],
      ['House 3', 'is reserved'],
      ['\u0410nn', 'mixes Latin letters'],
      ['--', 'needs a letter'],
    ] as const) {
      const { text } = await visitor.landed(page, await approve(name));
      expect(text).toMatch(
        new RegExp(
          `value="${name}"[^>]*aria-describedby="account_name-problem[^>]*aria-invalid[\\s\\S]*?role="alert">The name ${problem}`,
        ),
      );
      expect(text).toContain('value="approve"');
      expect(await nameOf(visitor)).toBe(proposed(page));
    }

    const chosen = `Zoë of the ${at}`;
    expect((await approve(`  ${chosen} `)).status).toBe(303);

    expect(await nameOf(visitor)).toBe(chosen);
    expect(
      await hill.rows("select 1 from hill.accounts where name = $1 or slug like 'mcp-cli%'", [client_name]),
    ).toEqual([]);
    // the next agent is not asked for: an account is named once
    const next = await open(visitor, email);
    expect(next.page.text).not.toContain('account_name');
    expect(next.page.text).toContain(`<bdi>${chosen}</bdi>`);
    expect(
      (await visitor.send(next.page, next.action, { decision: 'approve', ...next.more, account_name: 'Somebody else' }))
        .status,
    ).toBe(303);
    expect(await nameOf(visitor)).toBe(chosen);
  });

  test('of five who want one name at the same instant one has it; the others are told what is free, and keep the code', async () => {
    const all = await Promise.all([1, 2, 3, 4, 5].map((n) => begin(`rush-${n}-${at}@example.com`)));
    const name = `Rush at the ${at}`;
    const answers = await Promise.all(all.map(({ approve }, n) => approve(n % 2 ? name : name.toUpperCase())));
    const seen = await Promise.all(
      all.map(async ({ visitor, page }, n) => {
        const answer = answers[n] as Response;
        // who is let in goes on to the client
        return answer.headers.get('Location')?.startsWith('/') ? (await visitor.landed(page, answer)).text : '';
      }),
    );

    const refused = all.filter((_, n) => seen[n]?.includes('role="alert">'));
    expect(refused).toHaveLength(4);
    for (const text of seen.filter((one) => one.includes('role="alert">')))
      expect(text).toMatch(
        /role="alert">The name is another account(?:'|&#39;)s, or looks like it\. \u2068rush at the \w+ 2\u2069 is free\./i,
      );
    for (const [n, { approve, visitor }] of refused.entries()) {
      expect((await approve(`${name} ${n + 2}`)).status).toBe(303);
      expect(await nameOf(visitor)).toBe(`${name} ${n + 2}`);
    }
    expect(
      await hill.rows('select lower(name) as name from hill.accounts where name ~* $1 order by 1', [`^${name}`]),
    ).toEqual(['', ' 2', ' 3', ' 4', ' 5'].map((end) => ({ name: name.toLowerCase() + end })));
  });
});
