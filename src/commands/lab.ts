// npm run lab: strategies play many nights on the functions of the hill. docs/laboratory.md.
import path from 'node:path';
import { backtest } from '../lab/backtest.ts';
import { help, parseLab } from '../lab/options.ts';
import { writeReport } from '../lab/report.ts';
import { play, playersOf } from '../lab/run.ts';
import { ranking, summary } from '../lab/summary.ts';
import { tell, write } from '../lab/tell-backtest.ts';
import { type Config, checkout } from '../process/config.ts';
import { makeLog } from '../process/log.ts';

export async function run(config: Config, args: string[]): Promise<number> {
  const asked = parseLab(args);
  if (asked === null) {
    console.log(help);
    return 0;
  }
  if (asked.backtest !== null) {
    const tested = await backtest(asked, asked.backtest, makeLog({ logLevel: 'error', logFormat: config.logFormat }));
    await write(asked.out, tested);
    console.log(`${tell(tested)}\nNight by night it is in ${asked.out}, with report.html.`);
    return 0;
  }
  const players = await playersOf(asked, path.join(checkout, 'src', 'strategies'));
  const played = await play(asked, players);
  const worlds = [...played.gathering.byLabel.values()];
  for (const gathered of asked.tournament === null ? worlds : worlds.slice(0, 1)) console.log(summary(gathered));
  if (asked.tournament !== null)
    console.log(
      ranking(
        played.gathering,
        players.map(({ name }) => name),
        asked.pointCents,
      ),
    );
  const report = path.join(path.resolve(asked.out), 'report.html');
  await writeReport(report, asked, played);
  const floor = worlds.reduce((sum, { floorMs }) => sum + floorMs, 0) / 1_000;
  console.log(
    `${played.nights.toLocaleString('en-US')} nights in ${played.seconds.toFixed(0)} s, of which resolving alone takes ${floor.toFixed(1)} s. In each world the books balance: ledger, settlements and reputations were added up anew.\nThe tables are in ${asked.out}, with ${report}.`,
  );
  return 0;
}
