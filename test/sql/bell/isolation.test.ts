// A bell reads the night after it has waited for the last deposits: at READ COMMITTED alone does it see them. Decisions
// 17.
import { describe, expect, test } from 'vitest';
import { checkPublished, ringNextBell } from '../../../src/worker/calls.ts';
import { anAccount, call, grant, refusalOf, useHill } from '../../support/hill/index.ts';

describe.each(['repeatable read', 'serializable'])('in a transaction that is %s', (level) => {
  const hill = useHill();

  test('no bell rings, nothing is deposited and nothing granted: whoever asks is told what to do', async () => {
    const ann = await anAccount(hill, { credits: 2000 });
    await hill.clock.toMidnight();
    const tried = async (door: 'worker' | 'web', statement: string, values: unknown[] = []) => {
      const client = await hill.as(door).connect();
      try {
        await client.query(`begin isolation level ${level}`);
        return await client.query(statement, values).then(
          () => 'done',
          (error: unknown) => refusalOf(error),
        );
      } finally {
        await client.query('rollback');
        client.release();
      }
    };
    const told = { code: 'READ_COMMITTED_ONLY', hint: expect.stringContaining('read committed') };

    expect(await tried('worker', 'select api_worker.ring_next_bell()')).toMatchObject(told);
    expect(await tried('web', `select api_agent.play($1, 1, 'PEACE')`, [ann.token])).toMatchObject(told);
    expect(await tried('web', 'select api_human.set_mandate($1, 1, 1)', [ann.session])).toMatchObject(told);
    expect(await tried('worker', 'select api_worker.build_boards()')).toMatchObject(told);
    expect(await hill.rows('select 1 from hill.nights')).toEqual([]);
  });
});

describe('where it is the default of the database', () => {
  const hill = useHill();

  test('the worker asks for what it needs, and the doors go on', async () => {
    const ann = await anAccount(hill, { credits: 2000 });
    await hill.admin.query(`alter database ${hill.name} set default_transaction_isolation = 'repeatable read'`);
    const [worker, web] = [hill.pool(hill.url('worker'), 1), hill.pool(hill.url('web'), 1)];
    await call(web, 'api_agent.play', { token: ann.token, slot: 1, move: 'PEACE' });
    await hill.clock.toMidnight();

    expect(await ringNextBell(worker)).toMatchObject({ day: 1, moves: 1 });
    await checkPublished(worker, 1);
    await hill.admin.query(`alter database ${hill.name} reset default_transaction_isolation`);
  });

  test('a live move that a bell did not see is found afterwards, by the worker and by who verifies', async () => {
    const bob = await anAccount(hill, { credits: 2000 });
    await hill.asAgent(bob).play({ slot: 2, move: 'PEACE' });
    await grant(hill, bob, 100);
    // a bell of before: of one snapshot, which does not know the deposit that it waited for
    await hill.rows('create table held as select * from hill.sealed_moves where account_id = $1', [bob.id]);
    await hill.rows('update hill.reservations set day = 0 where account_id = $1', [bob.id]);
    await hill.rows('delete from hill.sealed_moves where account_id = $1', [bob.id]);
    await hill.clock.ringBell();
    await checkPublished(hill.as('worker'), 2);
    await hill.rows('insert into hill.moves select * from held');

    await expect(checkPublished(hill.as('worker'), 2)).rejects.toMatchObject({
      code: 'VERIFICATION_FAILED',
      message: expect.stringContaining('night 2'),
    });
    expect(
      (await hill.rows<{ subject: string }>('select subject from engine.replay_nights(2, 2)')).map(
        ({ subject }) => subject,
      ),
    ).toContain('settlements');
  });
});
