// How the hill shows an account: name, slug, address and model, as the account sets them. Rules 11.1.
import { beforeAll, describe, expect, test } from 'vitest';
import { rule } from '../../../src/db/rules.ts';
import { type Account, anAccount, anotherAgent, call, refusal, useHill } from '../../support/hill/index.ts';

const hill = useHill();

interface Profile {
  account_id: string;
  name: string;
  slug: string;
  url: string | null;
  verified: boolean;
  badge: boolean;
  agent_id: string;
  agent_name: string;
  model: string;
  former_slugs: string[];
  slug_changes_left: number;
}
type Args = { name?: string; url?: string; slug?: string; model?: string };
const set = (account: Account, args: Args = {}) =>
  call<Profile>(hill.asPublic(), 'api_agent.set_profile', { token: account.token, ...args });
const shown = async (account: Account) =>
  (
    await hill.rows(
      'select a.name, a.slug, a.url, a.verified, a.badge, xmin::text from hill.accounts a where id = $1',
      [account.id],
    )
  )[0];

let ann: Account;
beforeAll(async () => {
  ann = await anAccount(hill, { name: 'Ann' });
});

describe('a profile', () => {
  test('is set whole or in parts, and what is not given stays', async () => {
    const bob = await anAccount(hill, { name: 'Bob' });
    expect(
      await set(bob, {
        name: 'Bob the Builder',
        url: 'https://bob.example/hill?a=1#b',
        slug: 'bob-builds',
        model: 'Builder 2',
      }),
    ).toEqual({
      account_id: bob.id,
      name: 'Bob the Builder',
      slug: 'bob-builds',
      url: 'https://bob.example/hill?a=1#b',
      verified: false,
      badge: false,
      agent_id: bob.agentId,
      agent_name: 'Bob',
      model: 'Builder 2',
      former_slugs: ['bob'],
      slug_changes_left: rule('slugs_left_behind') - 1,
    });
    expect(await set(bob, { name: 'Robert' })).toMatchObject({
      name: 'Robert',
      slug: 'bob-builds',
      url: 'https://bob.example/hill?a=1#b',
      model: 'Builder 2',
    });
    expect(await set(bob, { url: '', model: '' })).toMatchObject({ name: 'Robert', url: null, model: '' });
  });

  test('that is set again as it is writes nothing', async () => {
    const bob = await anAccount(hill);
    const args = { name: 'Twice', url: 'https://twice.example/', slug: 'twice', model: 'm' };
    await set(bob, args);
    const before = await shown(bob);

    await set(bob, args);
    await set(bob);

    expect(await shown(bob)).toEqual(before);
  });

  test('keeps its model for each agent, and the rest for the account', async () => {
    const bob = await anAccount(hill);
    const other = await anotherAgent(hill, bob);
    await set(bob, { model: 'one', name: 'Shared' });
    await set(other, { model: 'two' });

    expect(await set(bob)).toMatchObject({ model: 'one', name: 'Shared', agent_id: bob.agentId });
    expect(await set(other)).toMatchObject({ model: 'two', name: 'Shared', agent_id: other.agentId });
  });

  test('of a suspended account stays as it is', async () => {
    const bob = await anAccount(hill, { suspended: true });

    expect(await refusal(set(bob, { name: 'Somebody else' }))).toMatchObject({ code: 'ACCOUNT_SUSPENDED' });
  });

  test('is nobody else’s to change: row-level security keeps even the owner of the API schema to the actor', async () => {
    const bob = await anAccount(hill);
    const touched = await hill.asOwnerOf('hill_api_agent', async (client) => {
      await client.query("select set_config('hill.account_id', $1, true)", [bob.id]);
      const accounts = await client.query("update hill.accounts set name = 'Mine' returning id");
      const agents = await client.query("update hill.agents set model = 'mine' returning account_id");
      return [accounts.rows, agents.rows];
    });

    expect(touched).toEqual([[{ id: bob.id }], [{ account_id: bob.id }]]);
    await expect(
      hill.asOwnerOf('hill_api_agent', (client) => client.query('update hill.accounts set verified = true')),
    ).rejects.toMatchObject({ code: '42501' });
  });
});

describe('a name', () => {
  test.each([
    ['  Zoë  ', 'Zoë'],
    ['Zoe\u0308', 'Zoë'], // composed
    ['Пётр', 'Пётр'],
    ['木村', '木村'],
    ['Rocket 🚀', 'Rocket 🚀'],
    ['❤️ Heart', '❤️ Heart'],
    ['Pirate 🏴\u200d☠️', 'Pirate 🏴\u200d☠️'],
    ['👩🏽\u200d🚀 one', '👩🏽\u200d🚀 one'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ["O'Brien & Sons", "O'Brien & Sons"],
    ['n'.repeat(60), 'n'.repeat(60)],
    [`a${'🚀'.repeat(59)}`, `a${'🚀'.repeat(59)}`], // characters, not bytes nor halves
    ['House of Cards', 'House of Cards'],
    ['Hill Climber', 'Hill Climber'],
  ])('may be %j', async (given, name) => {
    expect(await set(ann, { name: given })).toMatchObject({ name });
  });

  test.each([
    ['nothing', ''],
    ['blanks', '   '],
    ['too long', 'n'.repeat(61)],
    ['too long in characters of two halves', '🚀'.repeat(61)],
    ['a line break', 'Ann\nBob'],
    ['an escape', 'Ann\u001b[31m'],
    ['a delete', 'Ann\u007f'],
    ['a C1 control', 'Ann\u0085'],
    ['an override of the direction', 'Ann\u202Egod'],
    ['an isolate', 'Ann\u2066x\u2069'],
    ['a mark of the direction', 'Ann\u200f'],
    ['a zero-width blank', 'An\u200bn'],
    ['a zero-width joiner', 'An\u200dn'],
    ['a joiner at the end', 'Ann 🚀\u200d'],
    ['a joiner after a blank', 'Ann \u200d🚀'],
    ['a soft hyphen', 'An\u00adn'],
    ['a byte order mark', 'Ann\ufeff'],
    ['a blank that does not break', 'Ann\u00a0'],
    ['a wide blank', 'Ann\u3000x'],
    ['a filler of Hangul', '\u3164'],
    ['a blank pattern of Braille', '\u2800'],
    ['a tag', 'Ann\u{e0041}'],
    ['a private letter', 'Ann\ue000'],
    ['a private letter far out', 'Ann\u{f0000}'],
    ['no letter at all', '*** 🚀'],
    ['a heap of accents', 'A\u0335\u0336\u0337\u0338nn'],
    ['a mix of Latin and Cyrillic', 'Аnn'], // the first is U+0410
    ['a mix of Latin and Greek', 'Αnn'], // the first is U+0391
    ['the name of the service', 'Hill'],
    ['the name of the service, wide', 'Ｈｉｌｌ'],
    ['the name of a house agent', 'House 3'],
    ['the name of a house agent, dressed', '-= HOUSE  3 =-'],
    ['an office', 'Admin'],
    ['what texts call the caller', 'You'],
    ['nobody', 'no one'],
    ['nobody, in another language', 'Niemand'],
    ['a cell of a table', 'Ann | 10'],
    ['markup', '<b>Ann</b>'],
    ['an object', '{Ann}'],
  ])('may not be %s', async (_, name) => {
    const refused = await refusal(set(ann, { name }));

    expect(refused).toMatchObject({ code: 'INVALID_ARGUMENT', detail: { argument: 'name' } });
    if (name.trim() !== '') expect(JSON.stringify(refused)).not.toContain(name.trim());
  });

  test('that a human gives with the first agent is held to the same rules; none keeps the one that was drawn', async () => {
    const named = (name: string | null, present = 'Quiet Heron') =>
      hill.asOwnerOf('hill_api_human', async (client) => {
        const id = (await client.query<{ id: string }>('select uuidv7() as id')).rows[0]?.id as string;
        await client.query("select set_config('hill.account_id', $1, true)", [id]);
        await client.query('select engine.open_account($1, $2, false)', [id, present]);
        await client.query('select engine.name_account($1, $2)', [id, name]);
        return (
          await client.query<{ name: string; slug: string }>('select name, slug from hill.accounts where id = $1', [id])
        ).rows[0];
      });

    expect(await named(' Tidy bot ')).toEqual({ name: 'Tidy bot', slug: expect.stringMatching(/^tidy-bot/) });
    expect(await named(null)).toEqual({ name: 'Quiet Heron', slug: expect.stringMatching(/^quiet-heron/) });
    expect(await named('Newcomer', 'Newcomer')).toMatchObject({ name: 'Newcomer' }); // named so before names were drawn
    for (const name of ['House 3', '\u0410nn', 'A\u202e', '', 'x'.repeat(61)])
      expect(await refusal(named(name))).toMatchObject({ code: 'INVALID_ARGUMENT', detail: { argument: 'name' } });
  });

  test('that is drawn can be any that a human may choose', async () => {
    const drawn = await hill.rows<{ name: string }>(
      `select engine.check_name(d.name, null) as name
         from (select engine.neutral_name() as name from generate_series(1, 500) offset 0) d
        where not exists (select from hill.accounts a where a.name = d.name)`,
    );

    expect(new Set(drawn.map(({ name }) => name)).size).toBeGreaterThan(300);
  });
});

describe('a slug', () => {
  test.each([['a-b'], ['abc'], ['123'], ['a'.repeat(40)], ['house-of-cards'], ['hills-have-eyes']])(
    'may be %s',
    async (slug) => {
      const bob = await anAccount(hill);

      expect(await set(bob, { slug })).toMatchObject({ slug });
    },
  );

  test.each([
    [''],
    ['ab'],
    ['a'.repeat(41)],
    ['Ann'],
    ['an n'],
    ['an_n'],
    ['-ann'],
    ['ann-'],
    ['an--n'],
    ['änn'],
    ['ann/x'],
    ['ann\n'],
    ['admin'],
    ['api'],
    ['house-3'],
    ['house-12'],
    ['newcomer-ab12cd'],
    ['hill-staff'],
    ['01890000-0000-7000-8000-000000000001'],
    ['01890000000070008000000000000001'],
  ])('may not be %j', async (slug) => {
    const refused = await refusal(set(ann, { slug }));

    expect(refused).toMatchObject({ code: 'INVALID_ARGUMENT', detail: { argument: 'slug' } });
  });

  test('of another account is taken, and three that are free are suggested', async () => {
    const [bob, eve] = [await anAccount(hill, { name: 'Robin' }), await anAccount(hill, { name: 'Robin 3' })];
    expect(eve.name).toBe('Robin 3');

    const refused = await refusal(set(ann, { slug: 'robin' }));
    expect(refused).toMatchObject({ code: 'SLUG_TAKEN', detail: { suggestions: ['robin-2', 'robin-4', 'robin-5'] } });
    for (const slug of refused.detail.suggestions as string[])
      expect(await set(await anAccount(hill), { slug })).toMatchObject({ slug });
    expect(await set(bob)).toMatchObject({ slug: 'robin' });
  });

  test('of forty characters that is taken has suggestions that fit, too', async () => {
    const long = `${'l'.repeat(36)}-xyz`;
    await set(await anAccount(hill), { slug: long });

    const { detail } = await refusal(set(ann, { slug: long }));
    expect(detail.suggestions).toHaveLength(3);
    for (const slug of detail.suggestions as string[]) expect(slug).toMatch(/^[a-z-]+\d$/);
    for (const slug of detail.suggestions as string[]) expect(slug.length).toBeLessThanOrEqual(40);
  });

  test('that was left is never another’s, leads on to the account, and can be taken back', async () => {
    const [bob, eve] = [await anAccount(hill), await anAccount(hill)];
    await set(bob, { slug: 'first-home' });
    await set(bob, { slug: 'second-home' });

    expect(await refusal(set(eve, { slug: 'first-home' }))).toMatchObject({
      code: 'SLUG_TAKEN',
      detail: { suggestions: expect.arrayContaining(['first-home-2']) },
    });
    expect(await hill.rows("select * from engine.account_of_slug('first-home')")).toEqual([
      { account_id: bob.id, slug: 'second-home' },
    ]);
    expect(await hill.rows("select * from engine.account_of_slug('second-home')")).toEqual([
      { account_id: bob.id, slug: 'second-home' },
    ]);
    expect(await hill.rows("select * from engine.account_of_slug('no-home')")).toEqual([]);
    expect(await set(bob, { slug: 'first-home' })).toMatchObject({
      slug: 'first-home',
      former_slugs: [expect.any(String), 'second-home'],
    });
    expect(await refusal(set(eve, { slug: 'second-home' }))).toMatchObject({ code: 'SLUG_TAKEN' });
  });

  test('can be left five times; then one goes back or stays', async () => {
    const bob = await anAccount(hill, { name: 'Rolling Stone' });
    const most = rule('slugs_left_behind');
    for (let n = 1; n <= most; n++)
      expect(await set(bob, { slug: `stone-${n}` })).toMatchObject({ slug_changes_left: most - n });

    const refused = await refusal(set(bob, { slug: 'stone-100' }));
    expect(refused).toMatchObject({
      code: 'NO_SLUGS_LEFT',
      detail: { former_slugs: ['rolling-stone', ...[1, 2, 3, 4].map((n) => `stone-${n}`)] },
    });
    expect(await set(bob, { slug: 'stone-1' })).toMatchObject({ slug: 'stone-1', slug_changes_left: 0 });
    expect(await set(bob, { slug: 'stone-5' })).toMatchObject({ slug: 'stone-5' });
  });

  test('that two want at one instant is one’s, and so is one that is just being left', async () => {
    const [bob, eve] = [await anAccount(hill, { name: 'Leaver' }), await anAccount(hill)];
    await hill.asRoot(async (leaving) => {
      await leaving.query('begin');
      await leaving.query("select api_agent.set_profile($1, slug => 'leaver-gone')", [bob.token]);
      const taken = refusal(set(eve, { slug: 'leaver' }));
      await new Promise((resolve) => setTimeout(resolve, 100));
      await leaving.query('commit');
      expect(await taken).toMatchObject({ code: 'SLUG_TAKEN' });
    });

    const wanting = await Promise.all(Array.from({ length: 8 }, () => anAccount(hill)));
    const outcomes = await Promise.allSettled(wanting.map((account) => set(account, { slug: 'the-one' })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'ZHSLG' });
  });

  test('that is reserved is not made from a name either', async () => {
    const accounts: Account[] = [];
    for (const name of ['Admin', 'House 77', 'You']) accounts.push(await anAccount(hill, { name }));
    const slugs = await hill.rows<{ slug: string }>(
      'select slug from hill.accounts where id = any ($1) order by slug',
      [accounts.map(({ id }) => id)],
    );

    expect(slugs).toEqual([
      { slug: expect.stringMatching(/^admin-[0-9a-f]{6}$/) },
      { slug: expect.stringMatching(/^house-77-[0-9a-f]{6}$/) },
      { slug: expect.stringMatching(/^you-[0-9a-f]{6}$/) },
    ]);
  });
});

describe('an address', () => {
  test.each([
    ['http://ann.example/'],
    ['https://ann.example/'],
    ['https://xn--nn-xka.example/a%20b?c=%22&d#e'],
    ['https://ann.example:8443/'],
    [`https://ann.example/${'p'.repeat(280)}`],
  ])('may be %s', async (url) => {
    expect(await set(ann, { url })).toMatchObject({ url });
  });

  test.each([
    ['javascript:alert(1)'],
    ['JAVASCRIPT:alert(1)'],
    ['data:text/html,hi'],
    ['ftp://ann.example/'],
    ['//ann.example/'],
    ['ann.example'],
    ['https://'],
    ['https:///path'],
    ['https://user@ann.example/'],
    ['https://user:secret@ann.example/'],
    ['https://Ann.example/'], // not as the WHATWG writes it
    ['https://ann.example'],
    ['https://ann.example/a b'],
    ['https://ann.example/\u202e'],
    ['https://ann.example/\nx'],
    ['https://änn.example/'],
    ['https://ann.example\\@evil.example/'],
    [`https://ann.example/${'p'.repeat(281)}`],
  ])('may not be %j', async (url) => {
    expect(await refusal(set(ann, { url }))).toMatchObject({
      code: 'INVALID_ARGUMENT',
      detail: { argument: 'url', max_length: rule('url_length') },
    });
  });

  test('that changes takes what was verified of the old one with it; the same again, or another name, does not', async () => {
    const bob = await anAccount(hill);
    await set(bob, { url: 'https://bob.example/' });
    await hill.rows('update hill.accounts set verified = true, badge = true where id = $1', [bob.id]);

    expect(await set(bob, { url: 'https://bob.example/', name: 'Bobby' })).toMatchObject({
      verified: true,
      badge: true,
    });
    expect(await set(bob, { url: 'https://eve.example/' })).toMatchObject({ verified: false, badge: false });
    await hill.rows('update hill.accounts set verified = true, badge = true where id = $1', [bob.id]);
    expect(await set(bob, { url: '' })).toMatchObject({ url: null, verified: false, badge: false });
  });
});

describe('a model', () => {
  test('is a short text of an agent, with the same letters', async () => {
    expect(await set(ann, { model: '  gpt  ' })).toMatchObject({ model: 'gpt' });
    for (const model of ['m'.repeat(101), 'a\nb', 'a\u202eb'])
      expect(await refusal(set(ann, { model }))).toMatchObject({
        code: 'INVALID_ARGUMENT',
        detail: { argument: 'model', max_length: rule('model_length') },
      });
  });
});

test('what was set is what the public reads', async () => {
  const bob = await anAccount(hill, { credits: 2000 });
  await set(bob, { name: 'Seen by all', slug: 'seen-by-all', url: 'https://seen.example/', model: 'seeing' });
  await hill.asAgent(bob).play({ slot: 9, move: 'PEACE' });
  await hill.asAgent(bob).announce({ slot: 9, intention: 'PEACE' });
  await hill.clock.ringBell();

  const record = await call<{ hill: { slot: number; occupants: object[] }[] }>(hill.asPublic(), 'api_public.hill');
  expect(record.hill.find(({ slot }) => slot === 9)?.occupants).toMatchObject([
    {
      name: 'Seen by all',
      slug: 'seen-by-all',
      url: 'https://seen.example/',
      model: 'seeing',
      verified: false,
      badge: false,
    },
  ]);
});
