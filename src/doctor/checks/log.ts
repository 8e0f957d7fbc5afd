// The public log: what was signed, and whether everybody else is shown the same.
import type pg from 'pg';
import { call } from '../../db/call.ts';
import { type Checkpoint, parseCheckpoint } from '../../log/checkpoint.ts';
import { hillVerdicts } from '../../watch/index.ts';
import { askAddress, type Question, readKept, whereAddressLeads } from '../../worker/known.ts';
import { type Check, fail, none, ok, warn } from '../check.ts';
import type { Sight } from '../sight.ts';
import { ago, start } from '../ways.ts';

interface Head {
  readonly origin: string;
  readonly checkpoint: string | null;
  readonly continues: boolean;
}

/** The database's own, and whether it goes on from this one: trusted.log_head. */
const headOf = ({ asWorker }: Sight, known?: Checkpoint): Promise<Head | null> =>
  asWorker((client: pg.Client) =>
    call<Head | null>(client, 'api_worker.log_head', known ? { size: known.size, root: known.root } : {}),
  );

/** Why a checkpoint from elsewhere is not one of this database; undefined if it is. */
async function whyAnother(sight: Sight, shown: Checkpoint): Promise<string | undefined> {
  const head = await headOf(sight, shown);
  if (!head) return 'and this database has no log';
  if (head.origin !== shown.origin) return `of ${shown.origin}, and the log of this database is ${head.origin}`;
  return head.continues ? undefined : 'that the log of this database does not go on from';
}

/** A cache in front may keep one for seconds. */
const mostBehindMs = 120_000;

export const log: readonly Check[] = [
  {
    code: 'log.signed',
    async look({ figures }) {
      const wrong = hillVerdicts(await figures(), Date.now()).log;
      return wrong ? fail(wrong) : ok('all that was due is signed');
    },
    type: 'journalctl -u hill-worker, and docs/runbook.md#log-not-signed',
  },
  {
    code: 'log.closing',
    async look({ figures }) {
      const { unsealed, last_night } = await figures();
      if (last_night === 0) return none('no night was closed yet');
      return unsealed
        ? fail(`night ${last_night} is UNSEALED: its closing was not signed before its bell`)
        : ok(`night ${last_night} was closed as promised`);
    },
    type: 'journalctl -u hill-worker, and docs/runbook.md#closing-not-signed',
  },
  {
    code: 'log.address',
    async look(sight) {
      const { baseUrl } = sight.config;
      const head = await headOf(sight);
      const own = head?.checkpoint ? parseCheckpoint(head.checkpoint) : null;
      let text: string | null;
      try {
        text = await askAddress(baseUrl);
      } catch (error) {
        return fail((error as Error).message.replace(/\.$/, ''), start(sight, 'web'));
      }
      if (text === null)
        return own ? fail(`${baseUrl} shows no log, and this database has one`) : none('nothing was signed yet');
      const shown = parseCheckpoint(text);
      const another = await whyAnother(sight, shown);
      if (another) return fail(`${baseUrl}/log/last/checkpoint shows a checkpoint ${another}`);
      if (!own || shown.size >= own.size) return ok(`${baseUrl} shows it`);
      const since = await sight.asWorker(async (client) => {
        const { rows } = await client.query<{ seconds: number }>(
          'select extract(epoch from clock_timestamp() - w.log_signed_at)::float8 as seconds from hill.watch w',
        );
        return rows[0]?.seconds ?? 0;
      });
      return since * 1_000 > mostBehindMs
        ? fail(`${baseUrl}/log/last/checkpoint shows an earlier checkpoint than this database has: a cache keeps it`)
        : ok(`${baseUrl} shows it`);
    },
    type: 'curl -sS $BASE_URL/log/last/checkpoint: does BASE_URL lead to this hill, and do caches follow Cache-Control?',
  },
  {
    code: 'log.database',
    async look(sight) {
      const { baseUrl } = sight.config;
      const last = await sight.asOwner(async (owner) => {
        const { rows } = await owner.query<Question>(
          'select question, answer from hill.address_questions order by asked_at desc limit 1',
        );
        return rows[0];
      }, 'hill_owner');
      if (!last) return none('no worker has asked at the address within the hour');
      const led = await whereAddressLeads(baseUrl, last);
      if (led === 'silent') return none(`${baseUrl} does not say which database it leads to`);
      return led === 'here'
        ? ok(`${baseUrl} leads to this database`)
        : fail(`${baseUrl} leads to another database: this one is a copy, and its worker signs nothing`);
    },
    type: 'see what serves there: docs/runbook.md#log-not-signed',
  },
  {
    code: 'log.file',
    async look(sight) {
      const { checkpointFile } = sight.config;
      if (checkpointFile === null) return none('HILL_CHECKPOINT is not set here');
      const kept = await readKept(checkpointFile, 5_000);
      if (kept.says === 'silent') return fail(kept.why.replace(/\.$/, ''));
      if (kept.says === 'none')
        return (await headOf(sight))?.checkpoint
          ? fail(`${checkpointFile} is not there: nothing outside the database says what was signed`)
          : none('nothing was signed yet');
      const another = await whyAnother(sight, kept.checkpoint);
      if (another) return fail(`${checkpointFile} has a checkpoint ${another}`);
      const own = await sight.asWorker((client) => call<string | null>(client, 'api_worker.database_identity'));
      return kept.database !== undefined && own !== null && kept.database !== own
        ? fail(`${checkpointFile} is of another database: it was restored, or its server was upgraded`)
        : ok('the file has it');
    },
    type: 'docs/operations.md#the-public-log, then once: npm run worker -- --adopt',
  },
  {
    code: 'log.witnesses',
    async look(sight) {
      const seen = await sight.asOwner(async (owner) => {
        const { rows } = await owner.query<{ key: string; at: Date; last: boolean }>(
          `select s.witness as key, max(s.seen_at) as at, bool_or((s.generation, s.size) = (l.generation, l.size)) as last
             from hill.log_cosignatures s
            cross join (select c.generation, c.size from hill.log_checkpoints c order by 1 desc, 2 desc limit 1) l
            group by 1`,
        );
        return new Map(rows.map(({ key, ...signed }) => [key, signed]));
      }, 'hill_owner');
      const { witnesses } = sight.config;
      const named =
        witnesses.length > 0 ? witnesses : [...seen.keys()].map((key) => ({ key, name: key.split('+')[0] }));
      if (named.length === 0) return none('no witness is named');
      const told = named.map(({ key, name }) => {
        const signed = seen.get(key);
        if (!signed) return { late: true, says: `${name} has never signed` };
        // where nothing is deposited, nothing new is signed, and nobody is asked
        const late = !signed.last && Date.now() - signed.at.getTime() > 3_600_000;
        return { late, says: `${name} signed ${ago(signed.at)}${late ? ', and nothing since' : ''}` };
      });
      const says = told.map(({ says }) => says).join(', ');
      return told.some(({ late }) => late) ? warn(says) : ok(says);
    },
    type: 'journalctl -u hill-worker | grep witness, and ask its operator: docs/operations.md#witnesses',
  },
];
