// What the pages of a browser take of memory, as Linux counts it.
import fs from 'node:fs';

/** Of one that has ended, nothing. */
function read(pid: string, file: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
const numberIn = (status: string, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);

/** The largest peak of a process that shows pages, of all below this one: in MiB, without the code that it shares. */
export function largestPage(): number {
  const all = fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid: Number(pid), status: read(pid, 'status'), command: read(pid, 'cmdline') }));
  const below = new Set([process.pid]);
  for (let size = 0; size !== below.size; ) {
    size = below.size;
    for (const { pid, status } of all) if (below.has(numberIn(status, 'PPid'))) below.add(pid);
  }
  const pages = all.filter(
    ({ pid, status, command }) =>
      below.has(pid) && (/--type=renderer/.test(command) || /^Name:\s+(Isolated )?Web Co/.test(status)),
  );
  return Math.round(
    Math.max(0, ...pages.map(({ status }) => numberIn(status, 'VmHWM') - numberIn(status, 'RssFile'))) / 1_024,
  );
}
