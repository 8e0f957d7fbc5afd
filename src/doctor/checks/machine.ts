// The machines: their clocks, their disks, and the one that stands by.
import fs from 'node:fs';
import path from 'node:path';
import { apartMs, clockVerdict } from '../../watch/index.ts';
import { type Check, fail, none, ok, Unseen, warn } from '../check.ts';
import type { Sight } from '../sight.ts';
import { psql } from '../ways.ts';

/** Beyond this something is wrong with NTP, though nothing is refused yet. */
const worryMs = 2_000;

const clock: Check = {
  code: 'clock.apart',
  look: ({ asAnybody }) =>
    asAnybody(async (client) => {
      const asked = Date.now();
      const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at');
      const apart = apartMs((rows[0]?.at ?? new Date(0)).toISOString(), asked);
      const wrong = clockVerdict(apart);
      if (wrong) return fail(wrong.split(' See')[0] as string);
      const says = `this machine and the database are ${(apart / 1_000).toFixed(1)} s apart`;
      return apart > worryMs ? warn(says) : ok(says);
    }),
  type: 'timedatectl set-ntp true on both machines, and chronyc tracking; docs/runbook.md#clock-stepped',
};

/** Whom PostgreSQL waits for, and how many of them: of "ANY 1 (second, third)". */
function standbyNames(setting: string): { names: string[]; wanted: number } {
  const [, count, listed] = /^\s*(?:(?:any|first)\s+)?(\d+)\s*\((.*)\)\s*$/i.exec(setting) ?? [];
  const names = [...(listed ?? setting).matchAll(/"([^"]+)"|([^\s,]+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
  return { names, wanted: count ? Number(count) : 1 };
}

const standby: Check = {
  code: 'standby.connected',
  async look(sight) {
    const setting = await sight.asAnybody(async (client) => {
      const { rows } = await client.query<{ names: string }>(
        "select current_setting('synchronous_standby_names') as names",
      );
      return rows[0]?.names ?? '';
    });
    if (setting.trim() === '')
      return sight.setting === 'production'
        ? warn(
            'none is synchronous: with the machine of the database its last moves can be lost',
            'docs/scaling.md#a-standby: make one, then psql -c "alter system set synchronous_standby_names = \'ANY 1 (…)\'" -c "select pg_reload_conf()"',
          )
        : none('a standby');
    const { names, wanted } = standbyNames(setting);
    const there = await sight.asOwner(async (owner) => {
      const { rows } = await owner.query<{ may: boolean; names: string[] }>(
        `select pg_has_role('pg_read_all_stats', 'usage') as may,
                array(select a.application_name from pg_stat_activity a where a.backend_type = 'walsender' and a.state = 'active') as names`,
      );
      if (!rows[0]?.may)
        throw new Unseen('the owner may not see who replicates: psql -f sql/harden.sql, npm run migrate');
      return rows[0].names;
    }, 'hill_owner');
    const found = there.filter((name) => names.includes('*') || names.includes(name));
    return found.length >= wanted
      ? ok(`${found.join(', ')} follows, of ${setting}`)
      : fail(`${found.length} of the ${wanted} that deposits wait for are connected (${setting})`);
  },
  type: 'start the standby; if it is gone for good: psql -c "alter system set synchronous_standby_names = \'\'" -c "select pg_reload_conf()" (docs/runbook.md#replica-lag)',
};

function sizeOf(folder: string): number {
  let bytes = 0;
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      bytes += fs.statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  return bytes;
}

/** What it takes a day on average since it was made; null of one that is younger than a week, or cannot be measured. */
type Growth = (sight: Sight) => Promise<number | null>;

const ofEmbedded: Growth = async ({ dataDir }) => {
  const data = path.join(dataDir, 'data');
  const days = (Date.now() - fs.statSync(path.join(data, 'PG_VERSION')).mtimeMs) / 86_400_000;
  return days < 7 ? null : sizeOf(data) / days;
};

/**
 * The sizes that PostgreSQL shows at any time tell of deposits, and are closed: these are what it last noted in its
 * catalogue, without what deposits write before the bell, as in sql/verify/sizes.sql. A night is a day on a real clock.
 */
const ofOwn: Growth = async (sight) => {
  const { last_night } = await sight.figures();
  if (sight.config.clock !== 'real' || last_night < 7) return null;
  return sight.asAnybody(async (client) => {
    const { rows } = await client.query<{ bytes: number }>(
      `select sum(c.relpages + coalesce(t.relpages, 0) + (
                select coalesce(sum(x.relpages), 0)
                  from pg_index i join pg_class x on x.oid = i.indexrelid where i.indrelid in (c.oid, t.oid)))
              * current_setting('block_size')::float8 as bytes
         from pg_class c
         left join pg_class t on t.oid = c.reltoastrelid
        where c.relnamespace::regnamespace::text in ('hill', 'oauth') and c.relkind = 'r'
          and c.relname not in ('sealed_moves', 'reservations', 'log_waiting')`,
    );
    return (rows[0]?.bytes ?? 0) / last_night;
  });
};

/**
 * Where a PostgreSQL of one's own keeps its data, if it runs on this machine (Linux): the command line of the server
 * names it, which is the parent of the process that answers here. No login of the hill may ask the server itself.
 */
const folderHere = ({ asAnybody }: Sight): Promise<string | null> =>
  asAnybody(async (client) => {
    const { rows } = await client.query<{ pid: number; title: string }>(
      `select pg_backend_pid() as pid, session_user || ' ' || current_database() || ' '
              || coalesce(host(inet_client_addr()) || '(' || inet_client_port() || ')', '[local]') as title`,
    );
    const { pid, title } = rows[0] as { pid: number; title: string };
    const line = (of: number | string) => fs.readFileSync(`/proc/${of}/cmdline`, 'utf8').split('\0');
    try {
      if (!line(pid)[0]?.includes(title)) return null; // on another machine the number is somebody else's
      const server = line(/^PPid:\t(\d+)$/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? pid);
      const at = server.indexOf('-D');
      return at < 0 ? null : (server[at + 1] ?? null);
    } catch {
      return null;
    }
  });

/** In steps that no day's moves show in. */
function howLong(free: number, aDay: number): string {
  const days = free / aDay;
  if (days > 365) return 'more than a year';
  return days > 60 ? `${Math.floor(days / 30)} months` : `${Math.floor(days / 7)} weeks`;
}

function howFast(aDay: number): string {
  const [unit, size] = aDay * 30 < 1e9 ? ['MB', 1e6] : ['GB', 1e9];
  return `about ${Number(((aDay * 30) / size).toPrecision(1))} ${unit} a month`;
}

function diskOf(folder: string): { share: number; free: number } | null {
  try {
    const { bavail, blocks, bsize } = fs.statfsSync(folder);
    return { share: blocks > 0 ? bavail / blocks : 1, free: bavail * bsize };
  } catch {
    return null;
  }
}

const disk: Check = {
  code: 'disk.data',
  async look(sight) {
    const { dataDir, embedded } = sight;
    const aDay = await (embedded ? ofEmbedded : ofOwn)(sight).catch(() => null);
    const folder = embedded ? dataDir : await folderHere(sight).catch(() => null);
    const [own, kept] = [folder === null ? null : diskOf(folder), diskOf(dataDir)];
    const left = own && aDay ? howLong(own.free, aDay) : null;
    const percent = (share: number) => `${Math.floor(share * 100)} %`;
    const ofKept = kept && !embedded ? `${percent(kept.share)} of the disk of HILL_DATA_DIR is free` : null;
    const grows = aDay ? `, and grows by ${howFast(aDay)}` : '';
    const says = own
      ? `${percent(own.share)} of the disk of the database is free${left ? `, enough for ${left} at this rate` : ''}`
      : `the disk of the database is not seen from here${grows}`;
    const all = [says, ofKept].filter(Boolean).join('; ');
    const least = Math.min(own?.share ?? 1, kept?.share ?? 1);
    if (least < 0.03) return fail(all);
    if (least < 0.1 || left?.endsWith('weeks')) return warn(all);
    return own || kept ? ok(all) : none(says);
  },
  type: 'df -h on the machine of the database and of HILL_DATA_DIR, and docs/runbook.md#disk-full',
};

const writes: Check = {
  code: 'disk.writes',
  look: (sight) =>
    sight.asAnybody(async (client) => {
      const { rows } = await client.query<{ standby: boolean; refused: string }>(
        "select pg_is_in_recovery() as standby, (select setting from pg_settings where name = 'default_transaction_read_only' and reset_val = 'on') as refused",
      );
      if (rows[0]?.standby)
        return fail('this database is a standby: it takes no writes', 'lead the database URLs to the primary');
      return rows[0]?.refused
        ? fail(
            'default_transaction_read_only is on: no deposit is taken',
            psql(sight, '-c "alter system reset default_transaction_read_only" -c "select pg_reload_conf()"'),
          )
        : ok();
    }),
  type: 'docs/runbook.md#database-cannot-write',
};

export const machine: readonly Check[] = [clock, standby, disk, writes];
