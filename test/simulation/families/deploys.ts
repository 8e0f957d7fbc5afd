// Deploys over a hill that lives.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { call } from '../../../src/db/call.ts';
import { ownSources, prepareDatabase } from '../../../src/db/migrate.ts';
import type { Family, StepKind } from '../family.ts';
import { notePromise } from '../log.ts';
import type { Answer, Deposit } from '../model.ts';
import { momentIn } from '../world.ts';
import { deposit as play } from './playing.ts';

let altered: string | undefined;
/** The hill's SQL with other texts of the functions that deposit and ring. */
function alteredSql(): string {
  if (altered) return altered;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-sql-'));
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  altered = folder;
  fs.cpSync(ownSources.sql, altered, { recursive: true });
  for (const folder of ['moves', 'bell', 'api/agent', 'api/worker', 'ledger'])
    for (const name of fs.readdirSync(path.join(altered, folder))) {
      const file = path.join(altered, folder, name);
      fs.writeFileSync(
        file,
        fs.readFileSync(file, 'utf8').replaceAll('\nbegin\n', '\nbegin\n  -- of another release\n'),
      );
    }
  return altered;
}

/** A deploy: another text of many functions, and back again. */
const deploy: StepKind<{ release: 'own' | 'other' }> = {
  odds: 0.3, // it takes half a second
  fault: true,
  draw: (_, random) => ({ release: random.pick(['own', 'other'] as const) }),
  step: async (world, { release }) => {
    await prepareDatabase(world.hill.ownerUrl, {
      ...ownSources,
      sql: release === 'own' ? ownSources.sql : alteredSql(),
    });
    if (momentIn(world).today > world.model.lastNight + 1) world.reached.add('a deploy while a bell was due');
    return undefined;
  },
};

/** Deposits as a door makes them, once more if a deploy undoes them, while one goes on. */
const deployBeside: StepKind<{ release: 'own' | 'other'; deposits: readonly Deposit[] }> = {
  odds: 0.3,
  fault: true,
  draw: (world, random) => {
    const deposits = Array.from({ length: 8 }, () => play.draw(world, random)).filter((one) => one !== null);
    return deposits.length > 0 ? { release: random.pick(['own', 'other'] as const), deposits } : null;
  },
  step: async (world, { release, deposits }) => {
    const deployed = deploy.step(world, { release });
    const answers: Answer[] = [];
    for (const deposit of deposits) {
      const made = play.call(world, deposit);
      if (!made) continue;
      const answer: Answer = await call(world.hill.as('web'), 'api_agent.play', made.args as never).then(
        (result) => ({ result }),
        ({ code }: { code: string }) => ({ refused: code }),
      );
      play.learn(world.model, momentIn(world), deposit, answer);
      notePromise(world.log, answer);
      answers.push(answer);
    }
    await deployed;
    world.reached.add('a deploy beside a deposit');
    return answers;
  },
};

export const deploys: Family = { steps: { deploy, deployBeside } };
