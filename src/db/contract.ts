// Checks that the database has the functions that this code calls. A process that is older or newer than its database
// does not start.
import path from 'node:path';
import type pg from 'pg';
import { StartError } from '../process/start-error.ts';
import { withClient } from './connect.ts';
import { type Door, settingOf } from './logins.ts';
import { cached } from './sql-cache.ts';
import { sqlFolderSegments } from './sql-folder.ts';
import { readSignatures } from './sql-items.ts';

/** The schemas that each door calls. */
const schemas: Readonly<Record<Door, readonly string[]>> = {
  web: ['api_public', 'api_agent', 'api_human', 'api_oauth'],
  worker: ['api_worker'],
  console: ['api_staff'],
};

/**
 * Functions that this code does not know do no harm, so a process can be restarted while a newer version is being
 * deployed.
 */
export async function checkContract(url: string, door: Door): Promise<void> {
  await withClient(url, settingOf(door), async (login) => {
    const problem = await contractProblem(login, door);
    if (problem !== null) throw new StartError(problem);
  });
}

/** What is wrong between this code and the database, in words for the operator; null if they fit. */
export async function contractProblem(login: pg.Client | pg.Pool, door: Door): Promise<string | null> {
  const there = await signaturesOf(login, schemas[door]);
  const lacking = [...(await wantedOf(door))].filter(
    ([name, signature]) => schemas[door].includes(name.split('.')[0] as string) && there.get(name) !== signature,
  );
  if (lacking.length === 0) return null;
  const names = lacking.slice(0, 3).map(([name]) => `${name} ${there.has(name) ? 'is another one' : 'is missing'}`);
  const more = lacking.length > names.length ? ` and ${lacking.length - names.length} more` : '';
  return (
    `The database is of another version than this code (${names.join(', ')}${more}). ` +
    'If the code is newer, run "npm run migrate" with it first; if it is older, start the version that the database was migrated with.'
  );
}

const wanted = new Map<Door, Promise<Map<string, string>>>();

/** As this process was started with: a deploy replaces the files under it. */
function wantedOf(door: Door): Promise<Map<string, string>> {
  const known = wanted.get(door);
  if (known) return known;
  const folders = sqlFolderSegments().filter(({ file }) =>
    schemas[door].includes(`api_${path.basename(path.dirname(file))}`),
  );
  const read = cached(`signatures-${door}`, folders, readSignatures);
  wanted.set(door, read);
  return read;
}

/** Name to arguments and result, in the form of readSignatures. */
async function signaturesOf(login: pg.Client | pg.Pool, schemas: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await login.query<{ name: string; signature: string }>(
    `select n.nspname || '.' || p.proname as name,
            concat((select string_agg(concat_ws(' ', nullif(coalesce(a.mode, 'i'), 'i'), p.proargnames[a.i], t.typname,
                                                case when coalesce(a.mode, 'i') = 'i' and a.i > p.pronargs - p.pronargdefaults then 'default' end), ', ' order by a.i)
                      from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargmodes::text[]) with ordinality a (type, mode, i)
                      join pg_type t on t.oid = a.type), ' -> ',
                   case when p.proretset then 'setof ' end, r.typname) as signature
       from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_type r on r.oid = p.prorettype
      where n.nspname = any ($1)`,
    [schemas],
  );
  return new Map(rows.map(({ name, signature }) => [name, signature]));
}
