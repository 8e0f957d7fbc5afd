// The hill goes back to an earlier instant: a copy of its database takes its place, as a backup that is restored or a
// standby that is promoted. What came since is lost. The clock goes on, and so does what was signed of the log.
import { call } from '../../../src/db/call.ts';
import { parseCheckpoint } from '../../../src/log/checkpoint.ts';
import { keep } from '../../../src/worker/known.ts';
import { publishLog } from '../../../src/worker/log.ts';
import { aDatabase } from '../../support/hill/database.ts';
import { hillIn } from '../../support/hill/hill.ts';
import { stepClock } from '../clock.ts';
import { closeDoors } from '../doors.ts';
import type { Family, StepKind } from '../family.ts';
import { checkLog, type LogModel } from '../log.ts';
import type { Model } from '../model.ts';
import { isVouchedFor, keptFile, putFile, restarted, settingsOf, signWorld } from '../outside.ts';
import type { World } from '../world.ts';

/** A copy of the database, and all that the world knew of it. */
export interface Backup {
  readonly place: World['place'];
  readonly model: Model;
  readonly maps: Readonly<Record<string, Map<unknown, unknown>>>;
  readonly log: Pick<LogModel, 'entries' | 'promised'>;
}

/** Whatever a family keeps in a map of the world is of its database. */
const mapsOf = ({ tried: _, ...world }: World): Record<string, Map<unknown, unknown>> =>
  Object.fromEntries(
    Object.entries(world).flatMap(([name, value]) =>
      value instanceof Map ? [[name, value as Map<unknown, unknown>]] : [],
    ),
  );

/** A database is copied while nobody is connected to it. */
async function hangUp(world: World): Promise<void> {
  await closeDoors(world);
  world.reading?.release(true);
  world.reading = null;
  await world.place.hangUp();
}

const backup: StepKind<object> = {
  odds: 0.3,
  fault: true,
  draw: () => ({}),
  step: async (world) => {
    await checkLog(world);
    await hangUp(world);
    await world.backup?.place.drop();
    const place = aDatabase(world.place.database.name);
    await place.create();
    await place.hangUp();
    world.backup = asItIs(world, place);
    return undefined;
  },
};

const asItIs = (world: World, place: World['place']): Backup => ({
  place,
  ...structuredClone({
    model: world.model,
    maps: mapsOf(world),
    log: { entries: world.log.entries, promised: world.log.promised },
  }),
});

interface Restores {
  /** A standby is the database that it was, and a backup is another one. */
  readonly as: 'backup' | 'standby';
  /** Whether the file of the last checkpoint is there, which is in no backup. */
  readonly file: 'last' | 'none';
  readonly adopt: boolean;
}
const restore: StepKind<Restores> = {
  odds: 0.6,
  fault: true,
  draw: ({ backup: there }, random) =>
    there && {
      as: random.pick(['backup', 'standby'] as const),
      file: random.chance(0.8) ? 'last' : 'none',
      adopt: random.chance(0.6),
    },
  step: async (world, { as, file, adopt }) => {
    const { backup: copy, outside, reached, log } = world;
    if (!copy) return 'nothing to restore';
    await checkLog(world);
    const [signed, lost] = [log.signed.size, promisedTonight(world)];
    await hangUp(world);
    await world.place.drop();
    world.place = copy.place;
    world.hill = hillIn(copy.place.database);
    world.backup = null;
    world.model = copy.model;
    Object.assign(log, copy.log);
    for (const [name, map] of Object.entries(mapsOf(world))) {
      map.clear();
      for (const [key, value] of copy.maps[name] ?? []) map.set(key, value);
    }
    await stepClock(world, world.now);
    restarted(world);
    putFile(world, file === 'none' ? null : outside.last);
    const identity = await call<string>(world.hill.as('worker'), 'api_worker.database_identity');
    const last = keptFile(world);
    if (as === 'standby' && last) await keep(outside.file, parseCheckpoint(last), identity);
    if (promisedTonight(world) < lost) reached.add('a backup restored with deposits of tonight lost');
    const generations = log.entries.size;
    if (adopt) await publishLog(world.hill.as('worker'), settingsOf(world.hill, outside, true));
    else await signWorld(world);
    await checkLog(world);
    if (log.entries.size > generations && as === 'standby' && !adopt)
      reached.add('a standby that began another log by itself');
    return { another: log.entries.size > generations, signed: log.signed.size > signed };
  },
};

const promisedTonight = ({ log, model }: World) => log.promised.get(model.lastNight + 1)?.length ?? 0;

interface Changes {
  readonly file: 'as it is' | 'last' | 'copied' | 'older' | 'none';
  readonly address: 'shows' | 'away';
  readonly restart: boolean;
}
/** Something happens to what is known outside the database: its file is lost, or an older copy of it is put there. */
const outside: StepKind<Changes> = {
  odds: 1.5,
  fault: true,
  draw: (_, random) => ({
    file: random.pick(['as it is', 'last', 'last', 'copied', 'older', 'none'] as const),
    address: random.pick(['shows', 'away'] as const),
    restart: random.chance(0.5),
  }),
  step: async (world, { file, address, restart }) => {
    const there = keptFile(world);
    world.outside.address = address;
    if (restart) restarted(world);
    if (file === 'copied') world.outside.copy = there;
    if (file === 'last') putFile(world, world.outside.last);
    if (file === 'older') putFile(world, world.outside.copy);
    if (file === 'none') putFile(world, null);
    if (!(await isVouchedFor(world))) world.reached.add('a file of the last checkpoint that is older than the log');
    return undefined;
  },
};

/** The quarter hour, on which the log is signed in the middle of a day. */
const quarter: StepKind<object> = {
  odds: 2,
  draw: () => ({}),
  step: async (world) => {
    const answer = await signWorld(world);
    await checkLog(world);
    return answer;
  },
};

/** The operator says that this database is the one to go on with. */
const adopt: StepKind<object> = {
  odds: 1,
  fault: true,
  draw: () => ({}),
  step: async (world) => {
    await publishLog(world.hill.as('worker'), settingsOf(world.hill, world.outside, true));
    await checkLog(world);
    return undefined;
  },
};

export const recovery: Family = { steps: { backup, restore, outside, quarter, adopt } };
