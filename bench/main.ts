// npm run bench: figures as ratios against something measured in the same run, on the same server, in turn.
// `-- --small` checks in little time that everything runs; its ratios mean nothing. `-- bell play` runs those alone.
import { benchBell } from './bell.ts';
import { benchBoards } from './boards.ts';
import { benchBulk } from './bulk.ts';
import { benchCrowd } from './crowd.ts';
import { benchEvents } from './events.ts';
import { benchLog } from './log.ts';
import { benchMcp } from './mcp.ts';
import { pgbench } from './pgbench.ts';
import { benchPlay } from './play.ts';
import { benchReads } from './reads.ts';
import { type Figure, table } from './report.ts';
import { startServer } from './server.ts';
import { benchSettling } from './settling.ts';
import { benchStart } from './start.ts';
import { wrk } from './wrk.ts';

const args = process.argv.slice(2);
const small = args.includes('--small');
const named = args.filter((arg) => !arg.startsWith('--'));
const parts = ['start', 'bell', 'play', 'boards', 'mcp', 'reads', 'bulk', 'events', 'log', 'crowd'] as const;
const unknown = named.filter((name) => !parts.includes(name as never));
if (unknown.length > 0) {
  console.error(`There is no benchmark "${unknown[0]}". There are: ${parts.join(', ')}. Options: --small.`);
  process.exit(1);
}
const wanted = (part: (typeof parts)[number]) => named.length === 0 || named.includes(part);

const figures: Figure[] = [];
const note = (text: string) => console.error(text);
/** Told as they come, and once more at the end: a run takes most of an hour. */
const add = (more: readonly Figure[]) => {
  figures.push(...more);
  note(table(more, !small));
};
const server = await startServer();
try {
  if (wanted('start')) {
    note('starting the hill, cold and warm …');
    add(await benchStart(small ? 1 : 5));
  }
  if (wanted('bell')) {
    const times = new Map<number, number>();
    for (const [accounts, granted] of small
      ? ([[1000, 50]] as const)
      : ([
          [10_000, 0],
          [100_000, 0],
          [1_000_000, 0],
          [1_000_000, 50],
        ] as const)) {
      note(`ringing a bell of ${accounts.toLocaleString('en')} accounts, ${granted} % with granted lots …`);
      const bell = await benchBell(server, accounts, granted, small ? 1 : accounts > 100_000 ? 3 : 5);
      add(bell.figures);
      if (granted === 0) times.set(accounts, bell.ms);
    }
    const [large, middle] = [times.get(1_000_000), times.get(100_000)];
    if (large && middle)
      add([
        {
          what: 'growth of the refusal',
          measured: '1,000,000 accounts',
          against: '100,000',
          ratio: large / middle,
          bound: 'most',
          target: 9,
        },
      ]);
    note('depositing while wallets are settled …');
    add([await benchSettling(server, small ? 1000 : 1_000_000, small ? 2 : 16, small ? 0 : 1, small ? 1 : 3)]);
  }
  if (wanted('play')) {
    if (!pgbench()) note('pgbench is not installed, so deposits are not measured: apt-get install postgresql-contrib');
    else {
      note('depositing …');
      add(await benchPlay(server, small ? 1000 : 1_000_000, small ? [2] : [1, 16, 64], small ? 0 : 4, small ? 1 : 5));
    }
  }
  if (wanted('boards')) {
    note('reading boards …');
    add(await benchBoards(server, small ? 1000 : 1_000_000));
  }
  if (wanted('mcp')) {
    if (!wrk()) note('wrk is not installed, so calls of the play interface are not measured: apt-get install wrk');
    else {
      note('calling the play interface …');
      add(await benchMcp(server, small ? 1000 : 60_000, small ? 0 : 3, small ? 1 : 5, !small));
    }
  }
  if (wanted('reads')) {
    if (!wrk()) note('wrk is not installed, so cached reads are not measured: apt-get install wrk nginx-light');
    else {
      note('reading from memory …');
      add(await benchReads(server, small ? 1000 : 100_000, small ? 0 : 3, small ? 1 : 5));
    }
  }
  if (wanted('bulk')) {
    if (!wrk()) note('wrk is not installed, so files of nights are not measured: apt-get install wrk');
    else {
      note('reading files of nights …');
      add(await benchBulk(server, small ? 500 : 25_000, small ? 0 : 3, small ? 1 : 5));
    }
  }
  if (wanted('events')) {
    note('listening for events …');
    add(await benchEvents(server, small ? 20 : 10_000, small ? 1 : 5, small ? 0 : 60_000));
  }
  if (wanted('log')) {
    note('numbering the log …');
    const deposits = small ? { accounts: 1000, calls: 1000 } : { accounts: 300_000, calls: 40_000 };
    add(await benchLog(server, small ? 1000 : 1_000_000, small ? 300 : 5_000, deposits, small ? 0 : 4, small ? 1 : 5));
  }
  if (wanted('crowd')) {
    note('depositing through MCP across a bell …');
    add(await benchCrowd(server, small ? 1000 : 1_000_000, small ? 1 : 60, small ? 1 : 10));
  }
} finally {
  await server.stop();
}
console.log(table(figures, !small));
