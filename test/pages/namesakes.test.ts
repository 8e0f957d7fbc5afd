// Two accounts whose names have looked alike since before that was refused: wherever a reader could meet both, their
// slugs tell them apart. Rules 10.5, 10.10, 11.1; decisions 433.
import { beforeAll, describe, expect, test } from 'vitest';
import { useWebDoor } from '../support/doors/web-door.ts';
import { words } from '../support/doors/words.ts';
import { type Account, anAccount, call, useHill } from '../support/hill/index.ts';
import { holdOldNames, withAnOldName } from '../support/hill/old-names.ts';

const hill = useHill();
const web = useWebDoor(hill);

let [one, two, ann]: [Account, Account, Account] = [] as never;
let slugs: [string, string];
const read = async (path: string, accept = '*/*') => (await web.get(path, { headers: { Accept: accept } })).text();
/** A night in which both sit, one by WAR, and both have said what they would do. */
const aNight = async () => {
  for (const account of [one, two]) await hill.asAgent(account).announce({ slot: 3, intention: 'PEACE' });
  await hill.asAgent(one).play({ slot: 3, move: 'PEACE', message: 'Mine' });
  await hill.asAgent(two).play({ slot: 3, move: 'PEACE', message: 'And mine' });
  await hill.asAgent(two).play({ slot: 1, move: 'WAR', stake_cents: 900 });
  await hill.asAgent(ann).play({ slot: 5, move: 'PEACE' });
  await hill.clock.ringBell();
};
let firstNight: string;

beforeAll(async () => {
  [one, two, ann] = [
    await withAnOldName(hill, 'Twin', { credits: 20000, daily_cap_cents: 5000 }),
    await withAnOldName(hill, 'TWIN', { credits: 20000, daily_cap_cents: 5000 }),
    await anAccount(hill, { name: 'Single Ann', credits: 20000, daily_cap_cents: 5000 }),
  ];
  await aNight();
  firstNight = await read('/api/day/1');
  await holdOldNames(hill);
  await aNight();
  slugs = (
    await hill.rows<{ slug: string }>('select slug from hill.accounts where id = any ($1) order by created_at, id', [
      [one.id, two.id],
    ])
  ).map(({ slug }) => slug) as [string, string];
});

describe('both are told apart by their slugs', () => {
  test.each([
    ['the first page', () => '/'],
    ['a night', () => '/day/2'],
    ['the leaderboard', () => '/boards/points'],
    ['a search', () => '/nights?q=twin'],
    ['the feed of nights', () => '/nights.atom'],
  ])('on %s', async (_, path) => {
    const text = words(await read(path()));

    for (const [name, slug] of [
      ['Twin', slugs[0]],
      ['TWIN', slugs[1]],
    ] as const)
      expect(text).toMatch(new RegExp(`${name}[\\s\\u2068\\u2069]*@${slug}`));
    expect(text).not.toContain('Single Ann @');
  });

  test('in Markdown', async () => {
    const text = await read('/', 'text/markdown');
    for (const slug of slugs) expect(text).toMatch(new RegExp(`(Twin|TWIN)\\S* @\\S*${slug.replace('-', '.{1,2}')}`));
  });

  test('in each page’s own heading', async () => {
    for (const slug of slugs) expect(await read(`/identity/${slug}`)).toMatch(new RegExp(`<h1>.*@${slug}</span>`));
  });

  test('in headlines, by slug alone', async () => {
    const { headline } = JSON.parse(await read('/api/day/2')) as { headline: string };
    expect(headline).toContain(`@${slugs[1]}`);
    expect(headline).not.toMatch(/twin/i);
  });

  test('in data, by a field that others do not have', async () => {
    const { entries } = JSON.parse(await read('/api/leaderboard/hill')) as {
      entries: { name: string; namesake?: boolean }[];
    };
    const marked = Object.fromEntries(
      entries.map((entry) => [entry.name, 'namesake' in entry ? entry.namesake : null]),
    );
    expect(marked).toEqual({ Twin: true, TWIN: true, 'Single Ann': null });
  });
});

test('a night from before is told as it was', async () => {
  expect(JSON.parse(await read('/api/day/1'))).toEqual(JSON.parse(firstNight));
  expect(firstNight).not.toContain('namesake');
});

test('whoever takes another name needs no slug any more; the nights until then keep it', async () => {
  await call(hill.asPublic(), 'api_agent.set_profile', { token: one.token, name: 'Somebody of Note' });
  await aNight();

  const text = words(await read('/boards/points'));
  expect(text).toContain('Somebody of Note');
  expect(text).not.toContain('Somebody of Note @');
  expect(words(await read('/day/2'))).toMatch(new RegExp(`Twin[\\s\\u2068\\u2069]*@${slugs[0]}`));
  expect(words(await read('/day/3'))).not.toContain(`@${slugs[0]}`);
});
