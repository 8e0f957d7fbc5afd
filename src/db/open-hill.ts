// What the first start of a hill settles for good: the date of day 1, the kind of clock, and whether it is for
// practice.
import type pg from 'pg';
import type { Config } from '../process/config.ts';
import { messageOf, StartError } from '../process/start-error.ts';
import { type Args, call } from './call.ts';
import { type Place, withClient } from './connect.ts';
import { Failure, Refusal } from './errors.ts';
import { type Door, settingOf } from './logins.ts';

type Settings = Pick<Config, 'dayOne' | 'clock'> & Partial<Pick<Config, 'practice'>>;

const settingsOf = ({ dayOne, clock }: Settings): Args => ({ day_one: dayOne, clock });
const useOf = ({ practice = null }: Settings): Args => ({ practice: practice !== null });

export async function openHill(owner: Place, { dayOne, clock, practice }: Settings): Promise<void> {
  await callAsOwner(owner, 'engine.open_hill', { day_one: dayOne, clock, day_seconds: practice?.daySeconds ?? null });
}

/** Calls a function that no serving login may call. What goes wrong is a line for the operator. */
export function callAsOwner<T>(owner: Place, name: `${'engine' | 'trusted'}.${string}`, args: Args): Promise<T> {
  return withClient(owner, 'DATABASE_URL', (client) => orStartError(call<T>(client, name, args)));
}

/** Refuses to serve a hill that began on another day, with another kind of clock, or for another use. */
export async function checkSettings(url: string, door: Door, settings: Settings): Promise<void> {
  await withClient(url, settingOf(door), async (login) => {
    // The console's login has no rights but those of the role that it takes.
    if (door === 'console') await login.query('set role hill_staff');
    await orStartError(call(login, 'api_public.check_use', useOf(settings)));
    await orStartError(call(login, 'api_public.check_settings', settingsOf(settings)));
  });
}

/** The same, before anything is changed in a database that may be of an older version, or empty. */
export async function checkSettingsAsOwner(place: Place, settings: Settings): Promise<void> {
  await withClient(place, 'DATABASE_URL', async (owner) => {
    if (!(await exists(owner, 'engine.check_settings(date, text)'))) return;
    await owner.query('begin; set local role hill_owner');
    if (await exists(owner, 'engine.check_use(boolean)'))
      await orStartError(call(owner, 'engine.check_use', useOf(settings)));
    else if (settings.practice)
      throw new StartError('This database is of a hill from before there was practice. Nothing was changed.');
    await orStartError(call(owner, 'engine.check_settings', settingsOf(settings)));
    await owner.query('rollback');
  });
}

/** The signing keys; undefined in a database that is empty, or of a version that had none. */
export async function keysAsOwner<K>(place: Place): Promise<K | undefined> {
  return withClient(place, 'DATABASE_URL', async (owner) => {
    if (!(await exists(owner, 'engine.signing_keys()'))) return undefined;
    await owner.query('begin; set local role hill_api_oauth');
    const stored = await orStartError(call<K>(owner, 'engine.signing_keys'));
    await owner.query('rollback');
    return stored;
  });
}

async function exists(owner: pg.Client, name: string): Promise<boolean> {
  const { rows } = await owner.query<{ found: boolean }>('select to_regprocedure($1) is not null as found', [name]);
  return rows[0]?.found === true;
}

/** Turns whatever goes wrong into a line for the operator. */
async function orStartError<T>(called: Promise<T>): Promise<T> {
  try {
    return await called;
  } catch (error) {
    if (error instanceof Refusal) throw new StartError(`${error.message}. ${error.hint}`, { cause: error });
    const cause = error instanceof Failure ? error.cause : error;
    throw new StartError(messageOf(cause), { cause });
  }
}
