// icon: what becomes of an account's icon when its site is checked, and who is served which picture. Rules 11.3.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Account, anAccount, call, refusal, useHill } from '../../support/hill/index.ts';

const hill = useHill();

const head = Buffer.from('89504e470d0a1a0a0000000d4948445200000040000000400806000000', 'hex');
/** What the database takes for a picture. */
const picture = (of: string) => Buffer.concat([head, Buffer.from(of)]);
const hashOf = (image: Buffer) => createHash('sha256').update(image).digest('hex');

const url = 'https://ann.example/';
const verified = async () => {
  const ann = await anAccount(hill);
  await hill.rows('update hill.accounts set url = $2 where id = $1', [ann.id, url]);
  await call(hill.as('web'), 'api_agent.verify_badge', { token: ann.token });
  await check(ann, true);
  return ann;
};
const check = ({ id }: Account, tag: boolean | null) =>
  call(hill.as('worker'), 'api_worker.end_site_check', {
    account_id: id,
    url,
    result: 'found',
    status: 200,
    tag,
    badge: tag === null ? null : false,
  });
const keep = async ({ id }: Account, result: string, image: Buffer | null = null, site = url) =>
  (
    await call<{ state: string }>(hill.as('worker'), 'api_worker.keep_icon', {
      account_id: id,
      url: site,
      result,
      image,
    })
  ).state;
const shown = async ({ id }: Account) => {
  const [row] = await hill.rows<{ icon: boolean; slug: string; kept: number }>(
    'select icon, slug, (select count(*)::integer from hill.icons where account_id = id) as kept from hill.accounts where id = $1',
    [id],
  );
  const hashes = await call<Record<string, string>>(hill.as('web'), 'api_public.icons', { ids: [id] });
  expect(hashes[id] !== undefined, 'no picture without icon, and no icon without a picture').toBe(row?.icon);
  expect(row?.kept).toBe(row?.icon ? 1 : 0);
  return hashes[id] ?? null;
};

describe('an icon', () => {
  test('that was drawn is served by its hash, and found by the slug', async () => {
    const ann = await verified();
    expect(await keep(ann, 'drawn', picture('one'))).toBe('shown');
    const hash = hashOf(picture('one'));
    expect(await shown(ann)).toBe(hash);
    const [{ slug } = { slug: '' }] = await hill.rows<{ slug: string }>(
      'select slug from hill.accounts where id = $1',
      [ann.id],
    );
    expect(await call(hill.as('web'), 'api_public.icon_of', { slug })).toEqual({ hash });
    const { image } = await call<{ image: string }>(hill.as('web'), 'api_public.icon', { hash });
    expect(Buffer.from(image, 'base64')).toEqual(picture('one'));
    expect(await call<object>(hill.as('web'), 'api_public.identity', { slug })).toMatchObject({
      icon: true,
      verified: true,
    });

    expect(await keep(ann, 'drawn', picture('two'))).toBe('shown');
    expect(await shown(ann)).toBe(hashOf(picture('two')));
    expect((await refusal(call(hill.as('web'), 'api_public.icon', { hash }))).code, 'the one before').toBe('NOT_FOUND');
  });

  test.each([
    ['with the tag that vouched for the site', (ann: Account) => check(ann, false)],
    [
      'with the site, when another is set',
      (ann: Account) => hill.rows("update hill.accounts set url = 'https://b.example/' where id = $1", [ann.id]),
    ],
    [
      'with the site, when none is left',
      (ann: Account) => hill.rows('update hill.accounts set url = null where id = $1', [ann.id]),
    ],
    ['when the site has none any more', (ann: Account) => keep(ann, 'no_icon')],
    [
      'with a site that cannot be read three times',
      async (ann: Account) => {
        for (let n = 0; n < 3; n += 1) await check(ann, null);
      },
    ],
  ])('goes %s', async (_, change) => {
    const ann = await verified();
    await keep(ann, 'drawn', picture('one'));
    await change(ann);
    expect(await shown(ann)).toBe(null);
  });

  test('that cannot be fetched or drawn stays until the third time in a row', async () => {
    const ann = await verified();
    await keep(ann, 'drawn', picture('one'));
    for (const state of ['kept', 'kept']) expect(await keep(ann, 'unreachable')).toBe(state);
    expect(await keep(ann, 'drawn', picture('one'))).toBe('shown');
    for (const state of ['kept', 'kept']) expect(await keep(ann, 'cannot_be_drawn')).toBe(state);
    expect(await keep(ann, 'busy'), 'we did not get round to it').toBe('left');
    expect(await shown(ann)).not.toBe(null);
    expect(await keep(ann, 'too_large')).toBe('gone');
    expect(await shown(ann)).toBe(null);
  });

  test('says nothing of another site, nor of one that is not verified', async () => {
    const ann = await verified();
    expect(await keep(ann, 'drawn', picture('one'), 'https://other.example/')).toBe('left');
    await check(ann, false);
    expect(await keep(ann, 'drawn', picture('one'))).toBe('left');
    expect(await shown(ann)).toBe(null);
  });

  test('that staff hide goes, and does not come back until they say so', async () => {
    const ann = await verified();
    await keep(ann, 'drawn', picture('one'));
    const hide = (hidden: boolean | null, account = ann) =>
      hill.asStaff().call('api_staff.hide_icon', { account_id: account.id, hidden, reason: 'It looks like ours' });
    await hide(true);
    expect(await shown(ann)).toBe(null);
    expect(await keep(ann, 'drawn', picture('one'))).toBe('hidden');
    expect(await shown(ann)).toBe(null);
    expect(await call<object>(hill.as('web'), 'api_agent.verify_badge', { token: ann.token })).toMatchObject({
      icon_result: 'hidden',
      verified: true,
    });
    const [entry] = await hill.rows(
      'select action, account_id, details, reason from hill.audit_log order by id desc limit 1',
    );
    expect(entry).toEqual({
      action: 'hide_icon',
      account_id: ann.id,
      details: { hidden: true, was_hidden: false },
      reason: 'It looks like ours',
    });

    await hide(false);
    expect(
      (await call<{ account_id: string }>(hill.as('worker'), 'api_worker.take_site_check')).account_id,
      'a look is due',
    ).toBe(ann.id);
    await check(ann, true);
    expect(await keep(ann, 'drawn', picture('one'))).toBe('shown');
    expect(await shown(ann)).toBe(hashOf(picture('one')));
    expect((await refusal(hide(null))).code).toBe('INVALID_ARGUMENT');
    expect((await refusal(hide(true, await anAccount(hill)))).code, 'it never had one').toBe('NOT_FOUND');
  });

  test('is told to its agent', async () => {
    const ann = await verified();
    await keep(ann, 'not_an_image');
    expect(await call<object>(hill.as('web'), 'api_agent.verify_badge', { token: ann.token })).toMatchObject({
      icon: false,
      icon_result: 'not_an_image',
    });
    await keep(ann, 'drawn', picture('one'));
    expect(await call<object>(hill.as('web'), 'api_agent.verify_badge', { token: ann.token })).toMatchObject({
      icon: true,
      icon_result: 'drawn',
    });
  });
});

test.each([
  ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['a PNG of another size', Buffer.from(picture('').toString('hex').replaceAll('00000040', '00000041'), 'hex')],
  ['a megabyte', Buffer.concat([head, Buffer.alloc(1_000_000)])],
])('%s is not stored as an icon, whoever stores it', async (_, image) => {
  const ann = await verified();
  await expect(
    hill.rows('insert into hill.icons (account_id, image, drawn_at) values ($1, $2, now())', [ann.id, image]),
  ).rejects.toThrow(/icons_image_check/);
});
