// A hill that changes its address: another log begins, and both are served, verified and promised by. Rules 20.2,
// 20.17.
import { expect, test } from 'vitest';
import { receipts } from '../../src/mcp/receipts.ts';
import { parseConfig } from '../../src/process/config.ts';
import { verifyHill } from '../../src/verify/index.ts';
import { servedAt } from '../../src/verify/reading.ts';
import { receiptsIn } from '../../src/verify/receipts.ts';
import { archiveNight } from '../../src/worker/archives.ts';
import { closeNextDay, ringNextBell } from '../../src/worker/calls.ts';
import { publishLog } from '../../src/worker/log.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { anAccount, useHill } from '../support/hill/index.ts';
import { secret } from '../support/hill/secret.ts';
import { useRelease } from '../support/log/release.ts';
import { heldBy, signing } from '../support/log/sign.ts';

const hill = useHill();
const withRelease = useRelease();
const web = useWebDoor(hill);
const hostOf = (url: string) => new URL(url).host;

test('all that it signed and promised under either address holds under the new one', async () => {
  const account = await anAccount(hill, { credits: 5000, daily_cap_cents: 5000 });
  const worker = hill.as('worker');
  const told: string[] = [];
  const as = async (url: string, slot: number) => {
    const settings = { origin: `${hostOf(url)}/log`, adopt: true, witnessed: heldBy(worker) };
    const sign = () => publishLog(worker, signing(settings));
    await sign();
    const promise = receipts(parseConfig({ BASE_URL: url, HILL_SIGNING_SECRET: secret }), hill.as('web'));
    await promise.ready();
    await hill.clock.tick();
    told.push(JSON.stringify(promise.sign(await hill.asAgent(account).play({ slot, move: 'PEACE' }))));
    await hill.clock.at(slot === 4 ? '10:15' : '10:30');
    await sign();
    return sign;
  };
  await as('http://old.localhost', 4);
  const sign = await as(web.baseUrl, 5);
  await hill.clock.toMidnight();
  await closeNextDay(worker);
  await sign();
  await ringNextBell(worker);
  await hill.asWorker().buildAllBoards();
  while (await archiveNight(worker));
  await hill.clock.at('00:20');
  await sign();

  const host = hostOf(web.baseUrl);
  const { logs } = await web.read<{ logs: { origin: string; checkpoint: string }[] }>('/api/log');
  expect(logs).toMatchObject([
    { origin: `${host}/log/2`, checkpoint: expect.stringMatching(/\/log\/2\/checkpoint$/) },
    { origin: 'old.localhost/log', checkpoint: expect.stringMatching(/\/log\/checkpoint$/) },
  ]);
  const wrong: string[] = [];
  const held: string[] = [];
  await verifyHill({
    ...{ hill: servedAt(web.baseUrl), days: [], held: receiptsIn(told), seen: {} },
    withEngine: (_source, use) => use(hill.root),
    withRelease,
    say: (holds, sentence) => void (holds ? held : wrong).push(sentence),
    note: () => {},
  });
  expect(wrong).toEqual([]);
  expect(held.filter((sentence) => sentence.includes('lived, and the night opened it'))).toHaveLength(2);
});
