// The machines: their clocks, their disks, and the one that stands by.
import fs from 'node:fs';
import path from 'node:path';
import { apartMs, clockVerdict } from '../../watch/index.ts';
import { type Check, fail, none, ok, Unseen, warn } from '../check.ts';
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

/**
 * By what the database took on average since it was made, in steps that no day's moves show in; null of one that is
 * younger than a week, or that whoever asks may not read.
 */
function daysUntilFull(data: string, free: number): string | null {
  try {
    const days = (Date.now() - fs.statSync(path.join(data, 'PG_VERSION')).mtimeMs) / 86_400_000;
    if (days < 7) return null;
    const left = free / (sizeOf(data) / days);
    if (left > 365) return 'more than a year';
    return left > 60 ? `${Math.floor(left / 30)} months` : `${Math.floor(left / 7)} weeks`;
  } catch {
    return null;
  }
}

const disk: Check = {
  code: 'disk.data',
  look(sight) {
    const { dataDir, embedded } = sight;
    let share: number;
    let free: number;
    try {
      const { bavail, blocks, bsize } = fs.statfsSync(dataDir);
      [share, free] = [blocks > 0 ? bavail / blocks : 1, bavail * bsize];
    } catch {
      return none('HILL_DATA_DIR is not on this machine');
    }
    const left = embedded ? daysUntilFull(path.join(dataDir, 'data'), free) : null;
    const where = embedded ? 'of the database' : "of HILL_DATA_DIR (the database's is not seen from here)";
    const says = `${Math.floor(share * 100)} % of the disk ${where} is free${left ? `, enough for ${left} at this rate` : ''}`;
    if (share < 0.03) return fail(says);
    return share < 0.1 || left?.endsWith('weeks') ? warn(says) : ok(says);
  },
  type: 'df -h, and docs/runbook.md#disk-full',
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
