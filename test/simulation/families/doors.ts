// What agents and the public are told over HTTP: each answer is as described, agrees with the model, and is fresh.
import { tookPlace } from '../compare.ts';
import { asDescribed, doorsOf, overHttp, type Page, readPage } from '../doors.ts';
import type { Action, CallKind, Family, StepKind } from '../family.ts';
import { bellAt } from '../model.ts';
import { pageHolds, pagesOf } from '../pages.ts';
import type { State } from '../states.ts';
import { callAlone, momentIn, setNow, type World } from '../world.ts';
import { close } from './accounts.ts';
import { worker } from './nights.ts';
import { announce, deposit } from './playing.ts';
import { rename, seesNight, status, whoami } from './telling.ts';

const kinds = { deposit, announce, close, rename, status, whoami, seesNight } as unknown as Readonly<
  Record<string, CallKind<Action>>
>;

/** What no other account can tell, so that it may come in any order; and what it can. */
const apart = ['deposit', 'deposit', 'status', 'whoami', 'seesNight'];
const aloud = ['announce', 'rename'];

/** What is asked for over HTTP: by agents of several accounts, all at once, or by one. */
const atTheDoor: StepKind<{ asked: readonly Action[] }> = {
  odds: 4,
  draw: (world, random) => {
    const of = new Set<string>();
    const count = random.pick([1, 1, 2, 4]);
    const asked = Array.from({ length: count }, () => {
      const name = random.pick([...apart, ...apart, ...(count === 1 ? aloud : [])]);
      const drawn = kinds[name]?.draw(world, random);
      return drawn && ({ ...drawn, do: name } as Action);
    }).filter((one): one is Action => {
      const member = world.model.agents[`${one?.agent}`]?.of;
      if (!member || of.has(member)) return false;
      of.add(member);
      return true;
    });
    return asked.length > 0 ? { asked } : null;
  },
  step: async (world, { asked }) => {
    const answers = await Promise.all(asked.map((action) => overHttp(world, action)));
    for (const [i, answer] of answers.entries()) {
      const action = asked[i] as Action;
      if (!answer) continue;
      kinds[action.do]?.learn(world.model, momentIn(world), action, answer);
      promised(world, answer);
      if (action.do === 'status' && momentIn(world).today > world.model.lastNight + 1)
        world.reached.add('a status over HTTP while a bell was due');
    }
    return answers;
  },
};

/** What a receipt promises of the log. */
function promised({ log }: World, answer: object): void {
  const { day, commitment } = ('result' in answer ? answer.result : {}) as { day?: number; commitment?: string };
  if (day && commitment) log.promised.set(day, [...(log.promised.get(day) ?? []), commitment]);
}

type Change = 'announce' | 'rename' | 'deposit' | 'close' | 'ring';
const freshAfter: Readonly<Partial<Record<Change, State>>> = {
  announce: 'a page that was fresh after an announcement',
  rename: 'a page that was fresh after a change of name',
  close: 'a page that was fresh after an account closed',
  ring: 'a page that was fresh after a bell',
};

/**
 * Pages that a reader has, and that the server may keep, through one thing that happens: whoever asks again when the
 * server has looked is told what is so now. The clock stands still meanwhile, for its every step outdates all pages.
 */
const fresh: StepKind<{ change: Action; pages: readonly string[] }> = {
  odds: 1.5,
  draw: (world, random) => {
    const name = random.pick(['announce', 'announce', 'rename', 'rename', 'deposit', 'close', 'ring'] as const);
    const drawn =
      name === 'ring' ? {} : name === 'close' && random.chance(0.7) ? null : kinds[name]?.draw(world, random);
    if (!drawn) return null;
    const pages = random.shuffle(pagesOf(world)).slice(0, 2);
    return { change: { ...drawn, do: name }, pages: ['/api/hill', ...pages] };
  },
  step: async (world, { change, pages }) => {
    const name = change.do as Change;
    if (name === 'ring') await readyToRing(world);
    const read = async (known: readonly Page[] = []) => {
      await (await doorsOf(world)).mcp.caughtUp();
      return Promise.all(pages.map((path, i) => readPage(world, path, known[i])));
    };
    const before = await read();
    const answer = await happens(world, change);
    const after = await read(before);
    for (const [i, path] of pages.entries()) await pageHolds(world, path, after[i] as Page);
    const state = freshAfter[name];
    if (state && answer && typeof answer === 'object' && !('refused' in answer)) world.reached.add(state);
    return answer;
  },
};

async function readyToRing(world: World): Promise<void> {
  const { today } = momentIn(world);
  if (today === world.model.lastNight + 1) await setNow(world, bellAt(today));
  for (const step of ['close', 'sign'] as const) await worker.step(world, { step });
}

async function happens(world: World, change: Action): Promise<object | null> {
  if (change.do === 'ring') return (await worker.step(world, { step: 'ring' })) as object;
  const call = kinds[change.do]?.call(world, change);
  if (!call) return null;
  const answer = await callAlone(world, call);
  await tookPlace(world, kinds[change.do]?.learn(world.model, momentIn(world), change, answer));
  promised(world, answer);
  return answer;
}

/** Anybody reads anything. */
const reads: StepKind<{ page: string }> = {
  odds: 2,
  draw: (world, random) => ({ page: random.pick(pagesOf(world)) }),
  step: async (world, { page }) => {
    await (await doorsOf(world)).mcp.caughtUp();
    const read = await readPage(world, page);
    await asDescribed(page, read);
    await pageHolds(world, page, read);
    return undefined;
  },
};

export const doors: Family = { steps: { atTheDoor, fresh, reads } };
