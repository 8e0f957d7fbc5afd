// Runs bench/population.sql, which makes thousands of accounts with live moves in bulk.
import fs from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { checkout } from '../../../src/process/config.ts';

/** As the head of bench/population.sql describes them. */
export interface PopulationSettings {
  accounts?: number;
  moves?: boolean;
  war_percent?: number;
  granted_percent?: number;
  history?: boolean;
  tokens?: boolean;
  seed?: number;
}

/** `superuser` is one session of the superuser's in the hill's database. */
export async function populate(superuser: pg.ClientBase, settings: PopulationSettings): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await superuser.query('select set_config($1, $2, false)', [`population.${name}`, String(value)]);
  await superuser.query(fs.readFileSync(path.join(checkout, 'bench', 'population.sql'), 'utf8'));
}
