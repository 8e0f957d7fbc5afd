// npm run witness: signs the logs of HILL_WITNESS_LOGS, each as far as it goes on from what was signed before. Rules
// 20.32.
import path from 'node:path';
import { verifierKey } from '../log/note.ts';
import { witnessSigners } from '../log/signing.ts';
import type { Config } from '../process/config.ts';
import { serve } from '../process/lifecycle.ts';
import { listen } from '../process/listen.ts';
import { makeLog } from '../process/log.ts';
import { signingSecret } from '../process/secret.ts';
import { StartError } from '../process/start-error.ts';
import { openWitness } from '../witness/index.ts';

export async function run(config: Config): Promise<number> {
  const { port, logs } = config.witness;
  if (logs.length === 0)
    throw new StartError(
      'HILL_WITNESS_LOGS must name the logs that are to be signed: "log" and a verifier key, as the /log page of a hill shows it.',
    );
  const log = makeLog(config);
  return serve(log, async (life) => {
    const signers = witnessSigners(signingSecret(config), `${new URL(config.baseUrl).host}/witness`);
    const witness = openWitness({ logs, signers, file: path.join(config.dataDir, 'witness.sqlite') }, log);
    life.onStop(async () => witness.close());
    life.onStop((await listen(witness.handler, { setting: 'HILL_WITNESS_PORT', port, host: config.host })).stop);
    log.info(
      `the witness listens on port ${port}, for ${logs.length === 1 ? 'one log' : `${logs.length} logs`}; its key is ${verifierKey(signers[0] as (typeof signers)[number])}`,
    );
  });
}
