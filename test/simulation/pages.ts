// Pages of the public API, as they have to be of a world.
import { hillBoards } from '../support/naive/naive-boards.ts';
import { same } from './compare.ts';
import type { Page } from './doors.ts';
import { Contradiction } from './model.ts';
import {
  inOrder,
  known,
  nameOf,
  type PublicHill,
  type PublicNight,
  saidToday,
  shown,
  slugOf,
  toldHill,
  toldMoves,
} from './told.ts';
import { momentIn, type World } from './world.ts';

/** Addresses that can be read of a world, and one that cannot. */
export function pagesOf({ model }: World): string[] {
  const members = Object.keys(model.members).flatMap((member) => slugOf(model, member) ?? []);
  const night = Math.max(1, model.lastNight);
  return [
    ...['/api/hill', '/api/announcements', '/api/leaderboard/hill', '/api/leaderboard/efficiency', '/api/wall'],
    ...[`/api/day/${night}`, `/api/day/${1 + Math.floor(night / 2)}`, `/api/day/${night + 1}`],
    ...members.slice(-2).map((member) => `/api/identity/${member}`),
    ...['/api/rules', '/api/tournaments', '/llms.txt', '/'],
    ...(members.length > 0 ? [`/api/counters?ids=${members.slice(0, 3).join(',')}`] : []),
  ];
}

type Holds = (world: World, page: Page, argument: string) => Promise<unknown> | unknown;
const json = <T>({ status, body }: Page): T => {
  if (status !== 200) throw new Contradiction(`${status} ${body}`);
  return JSON.parse(body) as T;
};

async function hillHolds(world: World, page: Page): Promise<void> {
  const told = json<PublicHill & { sealedTonight: number }>(page);
  toldHill(world.model, momentIn(world), told);
  // moves of the whole hill at the last quarter hour
  const [count] = await world.hill.rows<{ moves: number }>('select moves::int from hill.sealed_counts where day = $1', [
    told.day,
  ]);
  same('sealedTonight', told.sealedTonight, count?.moves ?? 0);
}

type Ranked = Readonly<Record<string, unknown>> & { readonly rank: number; readonly accountId: string };
const boardHolds =
  (board: 'leaderboard' | 'efficiency' | 'wall'): Holds =>
  async ({ hill }, page) => {
    const boards = await hillBoards(hill);
    const entries = boards[board].map(({ account, ...figures }) => ({ ...figures, account }));
    const figures = Object.keys(entries[0] ?? {}).filter((key) => key !== 'account');
    const told = json<{ entries: Ranked[] }>(page).entries.map((entry) => ({
      ...Object.fromEntries(figures.map((figure) => [figure, entry[figure]])),
      account: entry.accountId,
    }));
    same(`the board ${board}`, told, entries.slice(0, told.length));
    if (told.length < Math.min(entries.length, 100)) throw new Contradiction(`The board ${board} is too short`);
  };

/** What was withdrawn or replaced is never there for whoever answers the public, or keeps the database. */
async function onlyLive(hill: World['hill']): Promise<void> {
  for (const role of ['hill_api_public', 'hill_dba']) {
    const { rows } = await hill.asOwnerOf(role, (client) =>
      client.query<{ moves: number }>('select count(*)::int as moves from hill.moves where ended is not null'),
    );
    same(`what ${role} sees of moves that were withdrawn`, rows[0]?.moves, 0);
  }
}

interface Announced {
  readonly announcements: PublicHill['announcements'];
}

const holds: readonly (readonly [RegExp, Holds])[] = [
  [/^\/api\/hill$/, hillHolds],
  [
    /^\/api\/announcements$/,
    (world, page) =>
      same(
        'what was announced today',
        inOrder(json<Announced>(page).announcements.map((one) => ({ ...one, by: one.occupant.slug }))),
        inOrder(saidToday(world.model, momentIn(world))),
      ),
  ],
  [/^\/api\/leaderboard\/hill$/, boardHolds('leaderboard')],
  [/^\/api\/leaderboard\/efficiency$/, boardHolds('efficiency')],
  [/^\/api\/wall$/, boardHolds('wall')],
  [
    /^\/api\/day\/(\d+)$/,
    async ({ hill, model, nights }, page, day) => {
      const published = nights.get(Number(day));
      if (published) {
        toldMoves(model, published, json<PublicNight>(page));
        return onlyLive(hill);
      }
      if (page.status !== 404 || Number(day) <= model.lastNight)
        throw new Contradiction(`Night ${day}: ${page.status} ${page.body}`);
      return undefined;
    },
  ],
  [
    /^\/api\/identity\/([\w-]+)$/,
    ({ model }, page, slug) => {
      const member = known(slug);
      if (!(member in model.members)) return same(`${slug}, which nobody has`, page.status, 404);
      if (shown(model, member) === 'hidden')
        return same(`${member}, hidden`, json<{ name: string }>(page).name, 'Hidden by staff');
      if (shown(model, member) === member)
        return same(`${member}`, json<{ name: string }>(page).name, nameOf(model, member));
      return same(`${member}, which is closed`, page.status, 404);
    },
  ],
  [/^\/$/, ({ model }, page) => frontHolds(model, page)],
  [/./, (_, page) => same('any page', page.status, 200)],
];

function frontHolds(model: World['model'], { status, body }: Page): void {
  same('the front page', status, 200);
  for (const held of Object.values(model.holders))
    for (const member of Object.keys(held)) {
      const name = shown(model, member) === member ? nameOf(model, member) : '';
      if (!body.includes(name)) throw new Contradiction(`The front page does not name ${name}`);
    }
}

/** Throws a Contradiction for what is not so. */
export async function pageHolds(world: World, path: string, page: Page): Promise<void> {
  for (const [address, one] of holds) {
    const found = address.exec(path);
    if (!found) continue;
    try {
      await one(world, page, found[1] ?? '');
    } catch (error) {
      if (error instanceof Contradiction) throw new Contradiction(`${path}: ${error.message}`);
      throw error;
    }
    return;
  }
}
