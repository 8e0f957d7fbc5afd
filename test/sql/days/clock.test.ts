// The one clock, and what is settled at the first start. Rules 17.2, 17.3.
import { describe, expect, test } from 'vitest';
import { dayOne, refusal, useHill } from '../../support/hill/index.ts';

describe('the simulated clock', () => {
  const hill = useHill();
  const now = async () => (await hill.rows<{ now: string }>('select engine.iso(engine.now()) as now'))[0]?.now;

  test('shows what it was set to, in the day that contains it', async () => {
    await hill.asWorker().setClock('2026-03-01T12:34:56.789012Z');

    expect(await now()).toBe('2026-03-01T12:34:56.789012Z');
    expect(await hill.asWorker().readClock()).toMatchObject({
      clock: 'simulated',
      day: 1,
      last_night: 0,
      next_bell_at: '2026-03-02T00:00:00.000000Z',
    });
  });

  test('cannot be set back, not by a microsecond', async () => {
    expect((await refusal(hill.asWorker().setClock('2026-03-01T12:34:56.789011Z'))).code).toBe('INVALID_ARGUMENT');
    expect(await now()).toBe('2026-03-01T12:34:56.789012Z');
  });

  test('runs at the pace it is given, and stands still at none', async () => {
    await hill.asWorker().setClock(null, 86_400);
    const [first] = await hill.rows<{ now: Date }>('select engine.now() as now');
    await hill.rows('select pg_sleep(0.05)');
    const [second] = await hill.rows<{ now: Date }>('select engine.now() as now');
    await hill.asWorker().setClock(null, 0);
    const stopped = await now();
    await hill.rows('select pg_sleep(0.05)');

    // 50 ms are 72 minutes at a day a second
    expect((second?.now.getTime() ?? 0) - (first?.now.getTime() ?? 0)).toBeGreaterThanOrEqual(72 * 60 * 1000);
    expect(await now()).toBe(stopped);
  });

  test.each([-1, -0.001])('does not run backwards (%d)', async (rate) => {
    await expect(hill.asWorker().setClock(null, rate)).rejects.toMatchObject({
      code: expect.stringMatching(/^(23514|ZH)/),
    });
  });

  test('counts days in UTC from day one, 0 before it', async () => {
    const days = await hill.rows(
      `select engine.day_of(t::timestamptz, $1::date) as day from unnest(array[
         '2026-02-01T00:00:00Z', '2026-02-28T23:59:59.999999Z', '2026-03-01T00:00:00Z', '2026-03-01T23:59:59.999999Z', '2026-03-02T00:00:00Z',
         '2026-03-02T01:30:00+02:00', '2027-03-01T00:00:00Z']) t`,
      [dayOne],
    );

    expect(days.map(({ day }) => day)).toEqual([0, 0, 1, 1, 2, 1, 366]);
  });

  test('does not depend on the time zone of a session', async () => {
    const [row] = await hill.asRoot(async (client) => {
      await client.query("set timezone = 'Pacific/Auckland'");
      return (
        await client.query(
          "select engine.iso(engine.bell_at(1)) as bell, engine.day_of('2026-03-01T12:00:00Z', (select day_one from hill.settings)) as day",
        )
      ).rows;
    });

    expect(row).toEqual({ bell: '2026-03-02T00:00:00.000000Z', day: 1 });
  });
});

describe('the real clock', () => {
  const hill = useHill();

  test('is the machine’s, and nobody sets it', async () => {
    await hill.rows("update hill.settings set clock = 'real', shown_at = null, set_at = null, rate = null");

    const [row] = await hill.rows('select abs(extract(epoch from engine.now() - clock_timestamp())) < 1 as near');
    expect(row).toEqual({ near: true });
    expect((await refusal(hill.asWorker().setClock('2199-01-01T00:00:00Z', 1))).code).toBe('SETTING_REFUSED');
    expect((await refusal(hill.asWorker().setClock(null, 2))).code).toBe('SETTING_REFUSED');
    const [after] = await hill.rows(
      'select clock, shown_at, abs(extract(epoch from engine.now() - clock_timestamp())) < 1 as near from hill.settings',
    );
    expect(after).toEqual({ clock: 'real', shown_at: null, near: true });
  });
});

describe('engine.open_hill', () => {
  const hill = useHill();
  const open = (dayOne: string | null, clock: string | null, daySeconds: number | null = null) =>
    hill.owner.query('select engine.open_hill($1::date, $2, $3)', [dayOne, clock, daySeconds]);

  test('takes the settings of the first start again and again', async () => {
    await expect(open(dayOne, 'simulated')).resolves.toBeDefined();
    await expect(open(null, 'simulated')).resolves.toBeDefined();
  });

  test.each([
    ['another day one', '2026-03-02', 'simulated', 'SETTING_REFUSED'],
    ['the real clock on a simulated hill', null, 'real', 'SETTING_REFUSED'],
    ['a clock that there is not', null, 'sundial', 'INVALID_ARGUMENT'],
    ['no clock', null, null, 'INVALID_ARGUMENT'],
    ['practice on a hill that is not for it', null, 'simulated', 'SETTING_REFUSED', 600],
  ])('refuses %s', async (_, day, clock, code, daySeconds?: number) => {
    expect((await refusal(open(day, clock, daySeconds ?? null))).code).toBe(code);
    expect(await hill.rows('select day_one::text, clock from hill.settings')).toEqual([
      { day_one: dayOne, clock: 'simulated' },
    ]);
  });

  test('never lets the simulated clock onto a hill that ran with the real one', async () => {
    await hill.rows('delete from hill.settings');
    await open('2026-01-01', 'real');

    expect((await refusal(open('2026-01-01', 'simulated'))).code).toBe('SETTING_REFUSED');
    expect((await refusal(open('2026-01-01', 'simulated'))).message).toMatch(/real/);
  });

  test('begins seven days ago by default, so that a newcomer’s hill is on its launch day', async () => {
    await hill.rows('delete from hill.settings');
    await open(null, 'real');

    expect(await hill.rows('select engine.today() as today, founders_total from hill.settings')).toEqual([
      { today: 8, founders_total: 7 },
    ]);
  });

  test('begins practice where its bells ring at the multiples of its days, and no other hill goes on there', async () => {
    await hill.rows('delete from hill.settings');
    await open(null, 'simulated', 600);

    const [begun] = await hill.rows(`
      select s.practice, s.rate, engine.today() as today,
             -- in real seconds from the beginning of an hour
             round(extract(epoch from clock_timestamp() + (engine.bell_at(engine.today()) - engine.now()) / s.rate)) % 600 as rings,
             abs(extract(epoch from engine.door_now() - clock_timestamp())) < 1 as doors_are_real
        from hill.settings s`);
    expect(begun).toEqual({ practice: true, rate: 144, today: 8, rings: '0', doors_are_real: true });
    for (const refused of [open(null, 'simulated'), open(null, 'real')])
      expect((await refusal(refused)).message).toMatch(/^this database is of a practice hill/);
    for (const door of ['web', 'worker'] as const)
      expect((await refusal(hill.as(door).query('select api_public.check_use(false)'))).code).toBe('SETTING_REFUSED');
    await open(null, 'simulated', 60);
    expect(await hill.rows('select rate, engine.today() as today from hill.settings')).toEqual([
      { rate: 1440, today: 8 },
    ]);
  });

  test('is for the owner alone', async () => {
    for (const door of ['web', 'worker', 'console'] as const)
      await expect(hill.as(door).query("select engine.open_hill(null, 'real')")).rejects.toMatchObject({
        code: '42501',
      });
  });
});
