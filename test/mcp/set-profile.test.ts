// set_profile as agents meet it; its rules are in test/sql/identity/profile.test.ts. Rules 10.5, 11.1.
import { expect, test } from 'vitest';
import { useMcp } from '../support/doors/mcp.ts';
import { type Account, anAccount, anotherAgent, useHill } from '../support/hill/index.ts';
import { holdOldNames, withAnOldName } from '../support/hill/old-names.ts';

const hill = useHill();
const mcp = useMcp(hill);

const set = async (account: Account, args: object = {}) => mcp.call(await mcp.token(account), 'set_profile', args);
const isRefused = async (account: Account, args: object) => mcp.refusal(await mcp.token(account), 'set_profile', args);

test('a whole profile is set, shown, and set again without an effect', async () => {
  const ann = await anAccount(hill, { name: 'Ann' });
  const client = await mcp.client(await mcp.token(ann));
  await client.listTools(); // results are held against the output schema
  const args = {
    name: '  Ann of the Hill ',
    url: ' HTTPS://Ann.Example:443/a b/../über?q="1"#x ',
    slug: 'ann-of-the-hill',
    model: 'Thinker 3',
  };

  const first = await client.callTool({ name: 'set_profile', arguments: args });

  expect(first.structuredContent).toEqual({
    account_id: ann.id,
    name: 'Ann of the Hill',
    slug: 'ann-of-the-hill',
    url: 'https://ann.example/%C3%BCber?q=%221%22#x',
    verified: false,
    badge: false,
    agent_id: ann.agentId,
    agent_name: 'Ann',
    model: 'Thinker 3',
    former_slugs: ['ann'],
    slug_changes_left: 4,
  });
  expect(first.content).toEqual([
    {
      type: 'text',
      text: 'The hill shows you as "Ann of the Hill" (@ann-of-the-hill), at https://ann.example/%C3%BCber?q=%221%22#x; your model: "Thinker 3". To verify the site: verify_badge {}',
    },
  ]);
  expect((await client.callTool({ name: 'set_profile', arguments: args })).structuredContent).toEqual(
    first.structuredContent,
  );
  expect(await set(ann)).toEqual(first.structuredContent);
  expect(await set(ann, { url: '', model: '' })).toMatchObject({ url: null, model: '', name: 'Ann of the Hill' });
});

test('it is the account’s, of whichever agent; the model is the agent’s own', async () => {
  const one = await anAccount(hill);
  const two = await anotherAgent(hill, one);
  await set(one, { name: 'Both of us', model: 'one' });

  expect(await set(two, { model: 'two' })).toMatchObject({ name: 'Both of us', model: 'two', account_id: one.id });
  expect(await set(one)).toMatchObject({ model: 'one' });
});

test.each<[string, object, object]>([
  ['a name with a control', { name: 'An\u0007n' }, { argument: 'name' }],
  ['a name that turns', { name: 'Ann \u202egnp.exe' }, { argument: 'name' }],
  ['a name that is the service’s', { name: 'HOUSE 2' }, { argument: 'name' }],
  ['a name that is no text', { name: 7 }, { argument: 'name' }],
  ['a name that is too long', { name: 'n'.repeat(61) }, { argument: 'name', max_length: 60 }],
  ['half a letter', { name: 'Ann\ud83d' }, { argument: 'name' }],
  ['a script for an address', { url: 'javascript:alert(document.cookie)' }, { argument: 'url' }],
  ['a script behind a blank', { url: ' \tjava\nscript:alert(1)' }, { argument: 'url' }],
  ['data for an address', { url: 'data:text/html,<script>alert(1)</script>' }, { argument: 'url' }],
  ['a file', { url: 'file:///etc/passwd' }, { argument: 'url' }],
  ['an address with a user', { url: 'https://ann:secret@ann.example/' }, { argument: 'url' }],
  ['an address with a user in disguise', { url: 'https://bank.example\uff20evil.example/' }, { argument: 'url' }],
  ['no address', { url: 'my site' }, { argument: 'url' }],
  ['a host only', { url: 'ann.example' }, { argument: 'url' }],
  [
    'an address that is too long',
    { url: `https://ann.example/${'p'.repeat(300)}` },
    { argument: 'url', max_length: 300 },
  ],
  [
    'an address that is too long once it is written out',
    { url: `https://ann.example/${'ü'.repeat(100)}` },
    { argument: 'url' },
  ],
  ['a slug in capitals', { slug: 'Ann' }, { argument: 'slug', min_length: 3, max_length: 40 }],
  ['a slug with a path', { slug: '../api/rules' }, { argument: 'slug' }],
  ['a reserved slug', { slug: 'leaderboard' }, { argument: 'slug' }],
  ['a slug that is an id', { slug: '01890000-0000-7000-8000-000000000001' }, { argument: 'slug' }],
  ['a model of two lines', { model: 'a\nb' }, { argument: 'model' }],
  ['something else', { verified: true }, { argument: 'verified' }],
])('%s is refused, by name, and changes nothing', async (_, args, fields) => {
  const ann = await anAccount(hill);
  const before = await set(ann);

  const refused = await isRefused(ann, args);

  expect(refused).toMatchObject({ code: 'INVALID_ARGUMENT', ...fields });
  expect(await set(ann)).toEqual(before);
});

test('one bad argument of several leaves all as it was', async () => {
  const ann = await anAccount(hill);
  const before = await set(ann);

  await isRefused(ann, { name: 'New', model: 'new', slug: 'brand-new', url: 'https://a@b.example/' });

  expect(await set(ann)).toEqual(before);
});

test('markup in a name is text on the pages', async () => {
  const ann = await anAccount(hill, { credits: 2000 });
  await set(ann, { url: "https://ann.example/'onmouseover=alert(1)//" });
  // as accounts could once be named
  await hill.root.query('update hill.accounts set name = $2 where id = $1', [ann.id, '<img src=x onerror=alert(1)>']);
  await hill.asAgent(ann).play({ slot: 4, move: 'PEACE' });
  await hill.clock.ringBell();

  const page = await (await fetch(`${mcp.baseUrl}/`)).text();
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(page).not.toContain('<img src=x');
});

test('a namesake from before names were their own is shown as it was, and changes the rest', async () => {
  const [ann] = [await withAnOldName(hill, 'Double'), await withAnOldName(hill, 'double')];
  await holdOldNames(hill);

  expect(await mcp.call(await mcp.token(ann), 'whoami')).toMatchObject({ account: { name: 'Double' } });
  expect(await set(ann, { name: 'Double', model: 'new' })).toMatchObject({ name: 'Double', model: 'new' });
});

test('a slug that is taken comes with three that are free, one of which works at once', async () => {
  await anAccount(hill, { name: 'Robin' });
  const ann = await anAccount(hill);

  const refused = await isRefused(ann, { slug: 'robin' });

  expect(refused).toMatchObject({ code: 'SLUG_TAKEN', suggestions: ['robin-2', 'robin-3', 'robin-4'] });
  expect(await set(ann, { slug: (refused.suggestions as string[])[0] })).toMatchObject({ slug: 'robin-2' });
});

test('an account that has left many slugs behind is told which are still its own', async () => {
  const ann = await anAccount(hill, { name: 'Wanderer' });
  for (let n = 1; n <= 5; n++) await set(ann, { slug: `wanderer-in-${n}` });

  const refused = await isRefused(ann, { slug: 'wanderer-in-6' });
  expect(refused).toMatchObject({ code: 'NO_SLUGS_LEFT', former_slugs: expect.arrayContaining(['wanderer']) });
  expect(await set(ann, { slug: (refused.former_slugs as string[])[0] })).toMatchObject({ slug: 'wanderer' });
});

test('a suspended account is shown as it was', async () => {
  expect(await isRefused(await anAccount(hill, { suspended: true }), { name: 'Other' })).toMatchObject({
    code: 'ACCOUNT_SUSPENDED',
  });
});

test('an agent that nobody has claimed is told how to be claimed', async () => {
  const ann = await anAccount(hill);
  const { status, message } = await mcp.callTool(await mcp.token(ann, { scopes: ['hill:read'] }), 'set_profile', {
    name: 'X',
  });

  expect(status).toBe(403);
  expect(message.error?.data).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
});

test('what was set is read by everybody, at the next look', async () => {
  const ann = await anAccount(hill, { credits: 2000 });
  await hill.asAgent(ann).announce({ slot: 8, intention: 'PEACE' });
  await set(ann, { name: 'Freshly Named', slug: 'freshly-named', url: 'https://fresh.example' });

  await expect
    .poll(async () =>
      (await mcp.get<{ announcements: { occupant: object }[] }>(`${mcp.baseUrl}/api/hill`)).body.announcements.map(
        ({ occupant }) => occupant,
      ),
    )
    .toContainEqual(
      expect.objectContaining({
        accountId: ann.id,
        name: 'Freshly Named',
        slug: 'freshly-named',
        url: 'https://fresh.example/',
      }),
    );
});

test('a profile that staff hide is not changed by its agent', async () => {
  const foul = await anAccount(hill, { name: 'Foul Name' });
  await hill
    .asStaff()
    .call('api_staff.hide_profile', { account_id: foul.id, hidden: true, reason: 'It insults somebody' });
  const refused = await isRefused(foul, { name: 'Another foul name' });
  expect(refused).toMatchObject({ code: 'PROFILE_HIDDEN', link: expect.stringMatching(/\/account$/) });
});
