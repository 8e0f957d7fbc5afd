// The worker, last night, and the books.
import type pg from 'pg';
import { call } from '../../db/call.ts';
import { rule } from '../../db/rules.ts';
import { type HillWords, hillVerdicts } from '../../watch/index.ts';
import { type Check, fail, none, ok, warn } from '../check.ts';
import type { Sight } from '../sight.ts';
import { psql, start } from '../ways.ts';

/** What /readyz follows, by whichever login is here. */
async function words(sight: Sight): Promise<HillWords> {
  try {
    return await sight.figures();
  } catch (error) {
    return sight
      .as('web', (web: pg.Client) => call<HillWords>(web, 'api_public.readiness'))
      .catch(() => {
        throw error;
      });
  }
}

const verdictOf = async (sight: Sight, check: string): Promise<string | null> =>
  hillVerdicts(await words(sight), Date.now())[check] ?? null;

/** What is checked after each bell is checked once a day; what each hour, much more often. */
const mostHours = 26;

export const bell: readonly Check[] = [
  {
    code: 'bell.worker',
    async look(sight) {
      const wrong = await verdictOf(sight, 'worker');
      return wrong ? fail(wrong, start(sight, 'worker')) : ok('a worker was heard of');
    },
    type: 'npm run worker',
  },
  {
    code: 'bell.rung',
    async look(sight) {
      const wrong = await verdictOf(sight, 'bell');
      if (wrong) return fail(wrong);
      const night = await sight.figures().then(
        ({ last_night }) => (last_night === 0 ? 'no bell was due yet' : `night ${last_night} is published`),
        () => 'no bell is due',
      );
      return ok(night);
    },
    type: 'journalctl -u hill-worker, and docs/runbook.md#bell-overdue',
  },
  {
    code: 'bell.books',
    async look(sight) {
      const wrong = await verdictOf(sight, 'books');
      if (!wrong) return ok('the books hold');
      const named = await sight.figures().then(
        ({ checks, delta_cents }) => [
          ...(delta_cents === 0 ? [] : [`all balances add up to ${delta_cents} cents`]),
          ...checks.flatMap(({ name, wrong: n }) => (n > 0 ? [name] : [])),
        ],
        () => [],
      );
      return fail(
        `what must hold does not: ${named.join('; ') || 'a night failed its checks'}`,
        `${psql(sight, '-f sql/verify/ledger.sql')}; then docs/runbook.md#books-do-not-balance`,
      );
    },
    type: 'docs/runbook.md#books-do-not-balance',
  },
  {
    code: 'bell.checked',
    async look(sight) {
      const { checks, worker, counted_seconds } = await sight.figures();
      if (worker !== 'ok') return none('no worker checks the books just now');
      const parts = await sight.asOwner((owner) => call<string[]>(owner, 'engine.check_parts'));
      const since = (part: string) =>
        Math.max(0, ...checks.flatMap((check) => (check.part === part ? Date.parse(check.checked_at ?? '') || 0 : [])));
      const late = parts.filter((part) => Date.now() - since(part) > mostHours * 3_600_000);
      if (late.length > 0)
        return warn(`of the books these were not checked for a day: ${late.join(', ')}`, start(sight, 'worker'));
      return counted_seconds !== null && counted_seconds < 600
        ? ok(`all ${parts.length} parts of them were checked`)
        : warn('balances were not added up for ten minutes', start(sight, 'worker'));
    },
    type: 'npm run worker',
  },
  {
    code: 'bell.queue',
    look: (sight) =>
      sight.asAnybody(async (client) => {
        const { rows } = await client.query<{ share: number }>('select pg_notification_queue_usage() as share');
        const share = rows[0]?.share ?? 0;
        return share > rule('notify_limit')
          ? fail(
              `${Math.round(share * 100)} % of PostgreSQL's queue of notifications is taken: a session holds it back`,
              psql(
                sight,
                '-c "select pid, usename, application_name, why from engine.in_the_way() where why is not null"',
              ),
            )
          : ok();
      }),
    type: 'docs/runbook.md#server-filled',
  },
];
