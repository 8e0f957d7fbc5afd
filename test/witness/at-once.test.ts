// Three hills that witness each other, and seven witnesses in all on one host: one of them that is slow, drips, lies or
// is away costs no other's signature, and no bell its time. Rules 20.30, 20.31, 20.41.
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { verifierKey } from '../../src/log/note.ts';
import { derivedSigner, witnessSigners } from '../../src/log/signing.ts';
import { Metrics } from '../../src/process/metrics.ts';
import { openWitness } from '../../src/witness/index.ts';
import { closeNextDay, ringNextBell } from '../../src/worker/calls.ts';
import { closingMs, type Sign, signerOf } from '../../src/worker/closing.ts';
import { sharedByLog } from '../../src/worker/publish.ts';
import { type Account, anAccount, type Hill, useHill } from '../support/hill/index.ts';
import { secret } from '../support/hill/secret.ts';
import { aLog, workerSettings } from '../support/hill/worker.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';

/** A little more than a worker gives it, since a machine that runs tests is busy. */
const withinMs = closingMs + 900;

const hills = [useHill(), useHill(), useHill()] as const;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-at-once-'));
const ends: (() => void)[] = [];
afterAll(() => {
  for (const end of ends) end();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function listen(handler: http.RequestListener): Promise<number> {
  const server = http.createServer(handler);
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  ends.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return port;
}

/** Of the third hill's witness. */
const faults: Record<string, http.RequestListener> = {
  slow: () => {},
  dripping(_req, res) {
    res.writeHead(200, { 'Content-Type': 'text/plain' });
    const drip = setInterval(() => res.write('x'), 200);
    res.on('close', () => clearInterval(drip));
  },
  lying: (_req, res) => void res.writeHead(200).end('\u2014 liar AAAAAAAAAAAAAAAA\n'),
  away: (_req, res) => void res.destroy(),
};
let fault = '';

interface Player {
  readonly hill: Hill;
  readonly account: Account;
  readonly sign: Sign;
}
const players: Player[] = [];
const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
const keyOf = (name: string) => verifierKey(witnessSigners(secret, `${name}.example/witness`)[0] as never);

beforeAll(async () => {
  const addresses = await Promise.all(
    hills.map(() => listen((_req, res) => void res.writeHead(404, { 'Hill-Log': 'none' }).end())),
  );
  const origins = addresses.map((port) => `127.0.0.1:${port}/log`);
  const logs = origins.map((origin) => verifierKey(derivedSigner(secret, origin, 'ed25519')));
  const ports = await Promise.all(
    names.map((name) => {
      const signers = witnessSigners(secret, `${name}.example/witness`);
      const witness = openWitness({ logs, signers, file: path.join(folder, `${name}.sqlite`) }, aLog().log);
      ends.push(() => witness.close());
      return listen((req, res) => ((name === 'three' && faults[fault]) || witness.handler)(req, res));
    }),
  );
  for (const [n, hill] of hills.entries()) {
    const config = workerSettings({
      BASE_URL: `http://127.0.0.1:${addresses[n]}`,
      HILL_CHECKPOINT: path.join(folder, `checkpoint-${n}`),
      HILL_WITNESSES: names
        .flatMap((name, m) => (m === n ? [] : [`witness ${name} ${keyOf(name)} http://127.0.0.1:${ports[m]}`]))
        .join('; '),
    });
    const { log } = aLog();
    const sign = signerOf(config, hill.as('worker'), log, sharedByLog(new Metrics(), log));
    players.push({ hill, account: await anAccount(hill, { credits: 50_000 }), sign });
    await until('the empty log is signed', () =>
      sign(closingMs).then(
        () => true,
        () => false,
      ),
    );
  }
});

test.for(['', ...Object.keys(faults)])('one that is %s', async (now, { expect }) => {
  fault = now;
  for (const [n, { hill, account, sign }] of players.slice(0, 2).entries()) {
    await hill.clock.tick(60_000);
    await hill.asAgent(account).play({ slot: 4, move: 'PEACE' });
    await hill.clock.toMidnight();
    const worker = hill.as('worker');
    const closed = await closeNextDay(worker);
    await sign(withinMs);
    await ringNextBell(worker);
    const honest = names.filter((name, m) => m !== n && !(now !== '' && name === 'three')).map(keyOf);
    const [night] = await hill.rows<{ witnesses: string[] }>(
      'select witnesses from hill.sealed_nights where day = $1',
      [closed?.day],
    );
    expect(night?.witnesses.toSorted()).toEqual(honest.toSorted());
  }
});
