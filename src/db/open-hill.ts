// db/open-hill.ts · what is settled once for a hill, at its first start: the date of day 1 and the kind of its clock.
import type pg from 'pg';
import type { Config } from '../process/config.ts';
import { StartError } from '../process/start-error.ts';
import { withClient } from './connect.ts';
import { type Door, settingOf } from './logins.ts';

type Settings = Pick<Config, 'dayOne' | 'clock'>;

export async function openHill(ownerUrl: string, { dayOne, clock }: Settings): Promise<void> {
  await withClient(ownerUrl, 'DATABASE_URL', async (owner) => {
    await told(owner.query('select engine.open_hill($1::date, $2::text)', [dayOne, clock]));
  });
}

/** Refuses to serve a hill that began on another day, or with another kind of clock. `setting` is the environment variable that the URL came from. */
export async function checkSettings(url: string, door: Door, { dayOne, clock }: Settings): Promise<void> {
  await withClient(url, settingOf(door), async (login) => {
    // The console's login has no right but those of the role that it takes on.
    if (door === 'console') await login.query('set role hill_staff');
    await told(login.query('select api_public.check_settings($1::date, $2::text)', [dayOne, clock]));
  });
}

/** The same before anything is changed in a database that may be of an older version, or empty. */
export async function checkSettingsAsOwner(ownerUrl: string, { dayOne, clock }: Settings): Promise<void> {
  await withClient(ownerUrl, 'DATABASE_URL', async (owner) => {
    if (!(await exists(owner, 'engine.check_settings(date, text)'))) return;
    await owner.query('begin; set local role hill_owner');
    await told(owner.query('select engine.check_settings($1::date, $2::text)', [dayOne, clock]));
    await owner.query('rollback');
  });
}

/** The signing keys of a database that may be of an older version, or empty; nothing then. */
export async function keysAsOwner<K>(ownerUrl: string): Promise<K | undefined> {
  return withClient(ownerUrl, 'DATABASE_URL', async (owner) => {
    if (!(await exists(owner, 'engine.signing_keys()'))) return undefined;
    await owner.query('begin; set local role hill_api_oauth');
    const { rows } = await owner.query<{ stored: K }>('select engine.signing_keys() as stored');
    await owner.query('rollback');
    return rows[0]?.stored;
  });
}

async function exists(owner: pg.Client, name: string): Promise<boolean> {
  const { rows } = await owner.query<{ found: boolean }>('select to_regprocedure($1) is not null as found', [name]);
  return rows[0]?.found === true;
}

/** Its refusals are lines for the operator. */
async function told(query: Promise<unknown>): Promise<void> {
  try {
    await query;
  } catch (error) {
    const { message, hint } = error as pg.DatabaseError;
    throw new StartError(hint ? `${message}. ${hint}` : message, { cause: error });
  }
}
