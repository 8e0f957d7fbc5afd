// Public names that look alike: what looks like what, whose a name is, and who keeps one that somebody else has. Rules
// 11.1; decisions 431 to 434.
import { beforeAll, describe, expect, test } from 'vitest';
import { prepareDatabase } from '../../../src/db/migrate.ts';
import { type Account, anAccount, call, closeAccount, refusal, useHill } from '../../support/hill/index.ts';
import { holdOldNames, withAnOldName } from '../../support/hill/old-names.ts';
import { randomFrom, seed } from '../../support/random.ts';

const hill = useHill();

const set = (account: Account, name: string) =>
  call<{ name: string }>(hill.asPublic(), 'api_agent.set_profile', { token: account.token, name });
const rename = (account: Account, name: string) =>
  call<boolean>(hill.as('web'), 'api_human.rename', { session: account.session, name });
const shown = async ({ id }: Pick<Account, 'id'>) =>
  (
    await hill.rows<{ name: string; slug: string; namesake: boolean }>(
      'select name, slug, namesake from hill.accounts where id = $1',
      [id],
    )
  )[0] as { name: string; slug: string; namesake: boolean };
const taken = { code: 'NAME_TAKEN', detail: { argument: 'name' } };
const reserved = { code: 'INVALID_ARGUMENT', detail: { argument: 'name' } };

let ann: Account;
beforeAll(async () => {
  ann = await anAccount(hill, { name: 'Ann' });
});

describe('a name looks like', () => {
  const common = async (one: string, other: string) =>
    (
      await hill.rows<{ alike: boolean }>('select engine.name_skeletons($1) && engine.name_skeletons($2) as alike', [
        one,
        other,
      ])
    )[0]?.alike;

  test.each([
    ['PayPal', 'paypal'],
    ['PayPal', 'PaypaI'], // a capital i
    ['PayPal', 'раураІ'], // Cyrillic throughout
    ['apple', 'аррӏе'],
    ['PayPal', 'pAypaI'],
    ['HOLLY', 'H0lly'],
    ['Bill', 'BilI'],
    ['Bill', 'B1ll'],
    ['BILL', 'BlLL'],
    ['Mara', 'rnara'],
    ['Karl', 'Ｋａｒｌ'],
    ['Karl', 'ⓚⓐⓡⓛ'],
    ['Karl', '𝓚𝓪𝓻𝓵'],
    ['Karl', 'K\u200ba\u00adrl'],
    ['Karl', '  Karl '],
    ['Karl May', 'Karl  May'],
    ['Karl May', 'Karl\u00a0May'],
    ['Strauß', 'STRAUSS'],
    ['Zoë', 'Zoe\u0308'],
    ['Νίκος', 'ΝΊΚΟΣ'],
    ['fun', 'ſun'], // as it is written
    ['sun', 'ſun'], // as it is meant
    ['Ann 1', 'Ann l'],
    ['Ann ❤️', 'Ann ❤'],
  ])('%j and %j each other', async (one, other) => {
    expect(await common(one, other)).toBe(true);
  });

  test.each([
    ['Mei', 'Mel'],
    ['Ali', 'All'],
    ['Carl', 'Cari'],
    ['Ann', 'Anna'],
    ['Ann', 'Ánn'],
    ['Ann', 'Ann.'],
    ['Ann 2', 'Ann 3'],
    ['木村', '本村'],
    ['Heron', 'Haron'],
    ['Пётр', 'Петр'],
  ])('%j and %j do not', async (one, other) => {
    expect(await common(one, other)).toBe(false);
  });

  test('the confusables are those of one Unicode version, which is that of the server’s normal forms', async () => {
    expect(
      await hill.rows(
        `select count(*) as letters, left(unicode_version(), 2) as unicode,
                encode(sha256(convert_to(string_agg(letter || prototype, '' order by letter), 'UTF8')), 'hex') as digest
           from hill.confusables`,
      ),
    ).toEqual([
      {
        letters: 6355,
        unicode: '16',
        digest: '30ce20680d67f91dd4a67c26bcc42b7e428f2937172f6f772960c0bb025d63b2',
      },
    ]);
    // what replaces a letter is not replaced itself
    expect(
      await hill.rows(
        `select letter from hill.confusables c
          where exists (select from string_to_table(c.prototype, null) p (letter) join hill.confusables o using (letter))`,
      ),
    ).toEqual([]);
  });
});

describe('a name that an active account has', () => {
  test('is refused by the tool and by the page, with whose it is and what is free; and the free one is taken', async () => {
    const [owner, eve] = [await anAccount(hill, { name: 'Marlowe' }), await anAccount(hill)];
    await set(eve, 'Marlowe 2');
    const bob = await anAccount(hill);

    for (const name of ['Marlowe', 'mar1owe', 'MARLOWE', 'Rnarlowe', 'Ｍarlowe'])
      for (const give of [set, rename])
        expect(await refusal(give(bob, name))).toMatchObject({
          code: 'NAME_TAKEN',
          message: "name is another account's, or looks like it.",
          detail: { argument: 'name', slug: (await shown(owner)).slug, suggestions: expect.any(Array) },
        });

    const { detail } = await refusal(set(bob, 'Marlowe'));
    expect(detail.suggestions).toEqual(['Marlowe 3', 'Marlowe 4', 'Marlowe 5']);
    expect(await set(bob, 'Marlowe 3')).toMatchObject({ name: 'Marlowe 3' });
  });

  test('of sixty letters has suggestions that fit, too', async () => {
    await set(await anAccount(hill), 'w'.repeat(60));

    const { detail } = await refusal(set(ann, 'W'.repeat(60)));

    expect(detail.suggestions).toEqual([2, 3, 4].map((n) => `${'W'.repeat(58)} ${n}`));
  });

  test('may be written otherwise by that account, and is free once it has another', async () => {
    const [bob, eve] = [await anAccount(hill, { name: 'Lorelei' }), await anAccount(hill)];
    for (const name of ['LORELEI', 'Lore1ei', 'Lorelei']) expect(await set(bob, name)).toMatchObject({ name });
    expect(await refusal(set(eve, 'lorelei'))).toMatchObject(taken);

    await set(bob, 'Undine');

    expect(await set(eve, 'lorelei')).toMatchObject({ name: 'lorelei' });
    expect(await refusal(set(bob, 'Lorelei'))).toMatchObject(taken);
  });

  test('is free once it is closed; and not while it is suspended, or staff hide what it is called', async () => {
    const [closed, , hidden, eve] = [
      await anAccount(hill, { name: 'Closing Time' }),
      await anAccount(hill, { name: 'Suspended Belief', suspended: true }),
      await anAccount(hill, { name: 'Hidden Agenda' }),
      await anAccount(hill),
    ];
    const hide = (hidden_: boolean) =>
      hill
        .asStaff()
        .call('api_staff.hide_profile', { account_id: hidden.id, hidden: hidden_, reason: 'It insults somebody' });
    await hide(true);
    await closeAccount(hill, closed);

    expect(await set(eve, 'Closing time')).toMatchObject({ name: 'Closing time' });
    expect(await refusal(set(eve, 'Suspended belief'))).toMatchObject(taken);
    const refused = await refusal(set(eve, 'Hidden agenda'));
    expect(refused).toMatchObject(taken);
    // whose it is nobody is told
    expect(refused.detail).not.toHaveProperty('slug');
    expect(JSON.stringify(refused)).not.toContain((await shown(hidden)).slug);

    await hide(false);
    expect(await shown(hidden)).toMatchObject({ name: 'Hidden Agenda', namesake: false });
    expect(await refusal(set(eve, 'Hidden agenda'))).toMatchObject(taken);
  });

  test('is its own whatever writes it: an update by a superuser, too', async () => {
    const bob = await anAccount(hill, { name: 'Psalter' });

    expect(await refusal(hill.rows("update hill.accounts set name = 'PsaIter' where id = $1", [ann.id]))).toMatchObject(
      taken,
    );
    expect(
      await refusal(
        hill.rows("insert into hill.accounts (name, slug, created_at) values ('psalter', 'psalter-x', engine.now())"),
      ),
    ).toMatchObject(taken);
    expect(await shown(bob)).toMatchObject({ name: 'Psalter' });
  });
});

describe('a random look-alike', () => {
  test('of a name is its own account’s alone, whichever letters are exchanged', async () => {
    const name = 'Robin Goodfellow';
    const bob = await anAccount(hill, { name });
    const random = randomFrom(seed);
    const likes = await hill.rows<{ prototype: string; letter: string; fit: boolean }>(
      `select prototype, letter,
              letter !~ engine.unfit_letters() and letter !~ '[|{}<>]'
                and not engine.mixes_alphabets('a' || normalize(letter, NFC)) as fit
         from hill.confusables where prototype ~ '^[A-Za-z]$'`,
    );
    const disguised = (letters: typeof likes) =>
      [...name]
        .map((letter) => {
          const like = letters.filter(({ prototype }) => prototype === letter);
          return like.length > 0 && random.chance(0.4) ? random.pick(like).letter : letter;
        })
        .join('');

    for (let n = 0; n < 60; n++) {
      // what other rules refuse, such as a mix of alphabets, looks like it, too
      const any = disguised(likes);
      expect(
        await hill.rows(
          `select engine.name_holder($1, engine.name_skeletons($3)) as other,
                engine.name_holder($2, engine.name_skeletons($3)) as own`,
          [ann.id, bob.id, any],
        ),
        `${any} (HILL_SEED=${seed})`,
      ).toEqual([{ other: bob.id, own: null }]);

      const fit = disguised(likes.filter((like) => like.fit));
      expect(await refusal(set(ann, fit)), `${fit} (HILL_SEED=${seed})`).toMatchObject(taken);
    }
  });

  test('of a word that nobody is called by is refused, and so is one of an office', async () => {
    for (const name of ['hiII', 'H1ll', 'ΗΙLL'.normalize(), 'реасе', 'Y0U', 'yоu', 'AII', 'Rnodel', 'R1val'])
      expect(await refusal(set(ann, name)), name).toMatchObject(reserved);
    for (const name of ['H0use 3', 'HOUSE l0', 'Hi11 Team', '-= H0USE 3 =-', 'newcorner 7', 'ѕtaff', '𝐇𝐨𝐮𝐬𝐞 𝟑'])
      expect(await refusal(set(ann, name)), name).toMatchObject(reserved);

    for (const name of ['Ali', 'ALI', 'Lo', 'Allie', 'Hilla', 'House of Cards', 'ماء'])
      expect(await set(ann, name)).toMatchObject({ name });
  });
});

describe('a name that nobody chose', () => {
  test('gets the first free number, in its slug as well', async () => {
    const made: { name: string; slug: string }[] = [];
    for (const name of ['Quiet Heron', 'Quiet Heron', 'quiet heron', 'n'.repeat(60), 'n'.repeat(60)])
      made.push(await shown(await anAccount(hill, { name })));

    expect(made.map(({ name }) => name)).toEqual([
      'Quiet Heron',
      'Quiet Heron 2',
      'quiet heron 3',
      'n'.repeat(60),
      `${'n'.repeat(58)} 2`,
    ]);
    expect(made.slice(0, 3).map(({ slug }) => slug)).toEqual(['quiet-heron', 'quiet-heron-2', 'quiet-heron-3']);
  });

  test('and that twelve accounts get at one instant is another for each', async () => {
    const made = await Promise.all(Array.from({ length: 12 }, () => anAccount(hill, { name: 'All At Once' })));
    const rows = await Promise.all(made.map(shown));

    expect(new Set(rows.map(({ name }) => name)).size).toBe(12);
    expect(new Set(rows.map(({ slug }) => slug)).size).toBe(12);
    for (const { name } of rows) expect(name).toMatch(/^All At Once( \d+)?$/);
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['All At Once', 'All At Once 2']));
  });
});

describe('at one instant', () => {
  test('two clients want one name, by the tool and by the page: one has it, the other is told so', async () => {
    for (let round = 1; round <= 8; round++) {
      const [bob, eve] = [await anAccount(hill), await anAccount(hill)];
      const outcomes = await Promise.allSettled([set(bob, `Race ${round}`), rename(eve, `raCe ${round}`)]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'ZHNAM' });
    }
  });

  test('a name is left and wanted: whoever wants it waits for what becomes of that', async () => {
    const [bob, eve] = [await anAccount(hill, { name: 'Vacancy' }), await anAccount(hill)];
    for (const end of ['rollback', 'commit'] as const) {
      await hill.asRoot(async (leaving) => {
        await leaving.query('begin');
        await leaving.query("select api_agent.set_profile($1, name => 'Gone')", [bob.token]);
        expect(await refusal(set(eve, 'vacancy'))).toMatchObject(taken); // not free before it is certain
        await leaving.query(end);
      });
      expect(await shown(bob)).toMatchObject({ name: end === 'commit' ? 'Gone' : 'Vacancy' });
    }
    expect(await set(eve, 'vacancy')).toMatchObject({ name: 'vacancy' });
  });

  test('two accounts exchange their names: neither waits for the other for ever', async () => {
    const [bob, eve] = [await anAccount(hill, { name: 'Heads' }), await anAccount(hill, { name: 'Tails' })];

    const outcomes = await Promise.allSettled([set(bob, 'Tails'), set(eve, 'Heads')]);

    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'ZHNAM' });
    expect((await shown(bob)).name).not.toBe((await shown(eve)).name);
  });
});

describe('names from before each was one account’s own', () => {
  test('are held in pieces; those that look alike stay, and are namesakes of each other until one is renamed', async () => {
    const [one, two, three, other] = [
      await withAnOldName(hill, 'Twin'),
      await withAnOldName(hill, 'TWIN'),
      await withAnOldName(hill, 'Tw1n'),
      await withAnOldName(hill, 'Only Child'),
    ];

    expect(await holdOldNames(hill, 3)).toEqual([3, 1, 0]);

    for (const [account, name] of [
      [one, 'Twin'],
      [two, 'TWIN'],
      [three, 'Tw1n'],
    ] as const)
      expect(await shown(account)).toMatchObject({ name, namesake: true });
    expect(await shown(other)).toMatchObject({ name: 'Only Child', namesake: false });
    expect(await refusal(set(ann, 'twin'))).toMatchObject(taken);
    expect(await refusal(set(ann, 'only child'))).toMatchObject(taken);

    // each may write its own as it did
    expect(await set(two, 'TWIN')).toMatchObject({ name: 'TWIN' });
    await set(one, 'No Twin');
    expect(await shown(one)).toMatchObject({ name: 'No Twin', namesake: false });
    expect(await refusal(set(one, 'Twin'))).toMatchObject(taken);
    // and nobody else gets it while one of them has it
    await closeAccount(hill, two);
    expect(await refusal(set(ann, 'twin'))).toMatchObject(taken);
    expect(await refusal(hill.rows("update hill.accounts set name = 'twin' where id = $1", [ann.id]))).toMatchObject(
      taken,
    );
    await set(three, 'Third');
    expect(await set(ann, 'twin')).toMatchObject({ name: 'twin' });
  });

  test('of a hidden account is held as it was by npm run migrate, and shown again as it was', async () => {
    const foul = await withAnOldName(hill, 'Foul Play');
    const hide = (hidden: boolean) =>
      hill.asStaff().call('api_staff.hide_profile', { account_id: foul.id, hidden, reason: 'It insults somebody' });
    await hide(true);
    const bob = await anAccount(hill, { name: 'foul play' }); // nobody has held it yet
    await prepareDatabase(hill.ownerUrl);

    expect(await refusal(set(ann, 'Foul play'))).toMatchObject(taken);
    await hide(false);

    expect(await shown(foul)).toMatchObject({ name: 'Foul Play', namesake: true });
    expect((await shown(bob)).name).toBe('foul play');
  });

  test('of a closed account are nobody’s', async () => {
    const gone = await withAnOldName(hill, 'Long Gone');
    await closeAccount(hill, gone);
    await holdOldNames(hill);

    expect(await set(ann, 'Long gone')).toMatchObject({ name: 'Long gone' });
  });
});
