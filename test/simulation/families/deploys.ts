// Deploys over a hill that lives.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ownSources, prepareDatabase } from '../../../src/db/migrate.ts';
import type { Family, StepKind } from '../family.ts';
import { momentIn } from '../world.ts';

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
  odds: 0.15, // it takes half a second
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

export const deploys: Family = { steps: { deploy } };
