// What would show a sealed move, or that one came: rules 9.2.
import type pg from 'pg';
import { call } from '../../db/call.ts';
import { type Door, doors } from '../../db/logins.ts';
import { messageOf } from '../../process/start-error.ts';
import { openInWords } from '../../watch/index.ts';
import { type Check, fail, ok, Unseen } from '../check.ts';
import { once, type Sight } from '../sight.ts';
import { psql } from '../ways.ts';

/** A setting can be another one in the session of each login: all that are here are asked. */
async function gapsSeen({ asOwner, as, config }: Sight): Promise<string[]> {
  const asked: Promise<string[]>[] = [
    asOwner((owner: pg.Client) => call<string[]>(owner, 'engine.seal_gaps')),
    ...doors
      .filter((door): door is Exclude<Door, 'console'> => door !== 'console' && config.loginUrls[door] !== null)
      .map((door) =>
        as(door, async (login) => {
          const name = door === 'web' ? 'api_public.readiness' : 'api_worker.watch';
          return (await call<{ seal: string[] }>(login, name)).seal;
        }),
      ),
  ];
  const answers = await Promise.allSettled(asked);
  const given = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  if (given.length === 0) throw new Unseen(messageOf((answers[0] as PromiseRejectedResult).reason));
  return [...new Set(given.flat())];
}

const seen = new WeakMap<Sight, () => Promise<string[]>>();
const gapsOf = (sight: Sight): Promise<string[]> => {
  const known = seen.get(sight) ?? once(() => gapsSeen(sight));
  seen.set(sight, known);
  return known();
};

const harden = 'psql -d hill -f sql/harden.sql, as a superuser, and then npm run migrate';

export const seal: readonly Check[] = [
  {
    code: 'seal.statistics',
    look: async (sight) =>
      (await gapsOf(sight)).includes('statistics')
        ? fail(`${openInWords(['statistics'])}: sql/harden.sql was not run, or by an older version`)
        : ok('statistics are closed'),
    type: harden,
  },
  {
    code: 'seal.statements',
    look: async (sight) =>
      (await gapsOf(sight)).includes('statements')
        ? fail(`${openInWords(['statements'])}: run sql/harden.sql again`)
        : ok('statements are not counted for others'),
    type: harden,
  },
  {
    code: 'seal.log',
    async look(sight) {
      const open = (await gapsOf(sight)).flatMap((gap) => {
        const [name, wanted] = gap.split('=');
        return wanted === undefined ? [] : [{ name, wanted }];
      });
      if (open.length === 0) return ok("PostgreSQL's log has no statement and no row");
      const statements = open.map(({ name, wanted }) => `-c "alter system set ${name} = '${wanted}'"`);
      return fail(
        `sealed moves may come into PostgreSQL's log: ${open.map(({ name }) => name).join(', ')}`,
        `${psql(sight, `${statements.join(' ')} -c "select pg_reload_conf()"`)}, as a superuser; and see \\drds for what is set for a login or a database`,
      );
    },
    type: 'docs/operations.md, Your own PostgreSQL',
  },
];
