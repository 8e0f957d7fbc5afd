// db/open-hill.ts · what is settled once for a hill, at its first start: the date of day 1 and the kind of its clock.
import type pg from 'pg';
import type { Config } from '../config.ts';
import { StartError } from '../start-error.ts';
import { withClient } from './connect.ts';

export async function openHill(ownerUrl: string, { dayOne, clock }: Pick<Config, 'dayOne' | 'clock'>): Promise<void> {
  await withClient(ownerUrl, 'DATABASE_URL', async (owner) => {
    try {
      await owner.query('select engine.open_hill($1::date, $2::text)', [dayOne, clock]);
    } catch (error) {
      const { message, hint } = error as pg.DatabaseError;
      throw new StartError(hint ? `${message}. ${hint}` : message, { cause: error });
    }
  });
}
