// Four nights with whatever a verifier may look at: closings that a witness saw, a bell without one, deposits that were
// replaced and withdrawn, announcements, words that are hidden, receipts, and a log that goes on in another one.
import { call } from '../../../src/db/call.ts';
import { parseCheckpoint } from '../../../src/log/checkpoint.ts';
import { signatureLine, type Verifier, verifierKey } from '../../../src/log/note.ts';
import { cosign, witnessSigners } from '../../../src/log/signing.ts';
import { receipts } from '../../../src/mcp/receipts.ts';
import { parseConfig } from '../../../src/process/config.ts';
import { archiveNight } from '../../../src/worker/archives.ts';
import { closeNextDay, ringNextBell } from '../../../src/worker/calls.ts';
import { publishLog } from '../../../src/worker/log.ts';
import { type Account, anAccount, type Hill } from '../hill/index.ts';
import { secret } from '../hill/secret.ts';
import { heldBy, signing } from './sign.ts';

export interface SealedSeason {
  /** What `play` answered, a line each. */
  readonly told: readonly string[];
  readonly witness: Verifier;
  /** One more night, with a deposit. */
  more(): Promise<void>;
}

const witness = witnessSigners(secret, 'witness.example')[0] as ReturnType<typeof witnessSigners>[number];

export async function aSealedSeason(hill: Hill): Promise<SealedSeason> {
  const worker = hill.as('worker');
  const told: string[] = [];
  let host = 'old.localhost';
  const sign = async () => {
    const note = await publishLog(
      worker,
      signing({ origin: `${host}/log`, adopt: true, witnessed: heldBy(worker), tell: () => {} }),
    );
    await cosigned(hill, note);
  };
  const play = async (
    account: Account,
    move: { slot: number; move: string; stake_cents?: number; message?: string },
  ) => {
    const promise = receipts(parseConfig({ BASE_URL: `http://${host}`, HILL_SIGNING_SECRET: secret }), hill.as('web'));
    await promise.ready();
    await hill.clock.tick();
    told.push(JSON.stringify(promise.sign(await hill.asAgent(account).play(move))));
  };
  const say = async (account: Account, slot: number, intention: string, message?: string) => {
    await hill.clock.tick();
    await hill.asAgent(account).announce({ slot, intention, message });
  };
  const night = async (sealed = true) => {
    await hill.clock.toMidnight();
    const closed = await closeNextDay(worker);
    if (sealed) await sign();
    else
      await hill.root.query("insert into hill.unsealed_days values ($1, engine.now(), 'the key is lost.')", [
        closed?.day,
      ]);
    await ringNextBell(worker);
    await hill.asWorker().buildAllBoards();
    while (await archiveNight(worker));
    await hill.clock.at('00:20');
    await sign();
  };

  await sign();
  const [ann, bob, cid, dan] = (await Promise.all(
    ['Ann', 'Bob', 'Cid', 'Dan'].map((name) => anAccount(hill, { name, credits: 50_000, daily_cap_cents: 20_000 })),
  )) as [Account, Account, Account, Account];
  await play(ann, { slot: 1, move: 'PEACE', message: 'Good night' });
  await play(bob, { slot: 2, move: 'PEACE', message: 'At first' });
  await play(bob, { slot: 2, move: 'WAR', stake_cents: 900, message: 'Changed my mind' });
  await play(cid, { slot: 3, move: 'PEACE' });
  await play(cid, { slot: 3, move: 'PASS' });
  await play(dan, { slot: 2, move: 'PEACE', message: 'Foul' });
  await say(ann, 1, 'PEACE', 'I come in peace');
  await say(bob, 2, 'PEACE');
  await say(cid, 3, 'WAR', 'Foul');
  await night();
  const staff = hill.asStaff();
  const hide = { day: 1, hidden: true, reason: 'a test' };
  await staff.call('api_staff.hide_message', { ...hide, account_id: dan.id, slot: 2 });

  await play(ann, { slot: 1, move: 'PEACE' });
  await play(bob, { slot: 1, move: 'PEACE', message: 'Room for two?' });
  await play(cid, { slot: 4, move: 'WAR', stake_cents: 800 });
  await play(dan, { slot: 4, move: 'WAR', stake_cents: 1000 });
  await say(ann, 1, 'PASS', 'I leave');
  await say(dan, 4, 'WAR');
  await night();

  await play(ann, { slot: 1, move: 'PEACE' });
  await play(cid, { slot: 5, move: 'PEACE' });
  await hill.clock.at('10:20');
  await sign();
  host = 'hill.localhost'; // a new address: the log goes on in another one
  await sign();
  await play(bob, { slot: 6, move: 'PEACE', message: 'Here now' });
  await play(dan, { slot: 6, move: 'WAR', stake_cents: 1200 });
  await play(cid, { slot: 7, move: 'PEACE' });
  await hill.asHuman(cid).withdrawMove(7);
  await say(bob, 6, 'PEACE', 'Still here');
  await night();
  // the salt of what her human withdrew
  const debrief = { token: cid.token, day: 3, proofs: true };
  told.push(JSON.stringify(await call(hill.as('web'), 'api_agent.debrief', debrief)));

  await play(ann, { slot: 8, move: 'PEACE', message: 'The last one' });
  await say(ann, 8, 'PEACE');
  await night(false);
  const more = async () => {
    await play(bob, { slot: 9, move: 'PEACE' });
    await night();
  };
  return { told, witness, more };
}

/** As a witness that is there at once, by the clock of the hill. */
async function cosigned(hill: Hill, note: string): Promise<void> {
  const head = parseCheckpoint(note);
  const [{ at } = { at: 0 }] = await hill.rows<{ at: number }>(
    'select floor(extract(epoch from engine.now()))::int as at',
  );
  await hill.root.query(
    `select trusted.keep_cosignature(c.generation, c.size, $1, $2, to_timestamp($3)) from hill.log_checkpoints c
      order by c.generation desc, c.size desc limit 1`,
    [verifierKey(witness), signatureLine(cosign(head, witness, at)).trimEnd(), at],
  );
}
