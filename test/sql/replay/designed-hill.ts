// A hill of a few days, made by its own functions, on which every rule of a night has something to decide. Names,
// instants, amounts and deposit numbers are the same in every run; only ids are not.
import { type Account, anAccount, grant, type Hill } from '../../support/hill/index.ts';

const names = ['Ann', 'Bob', 'Cyd', 'Dee', 'Eve', 'Fay', 'Gus', 'Hal', 'Ida'] as const;
export type Cast = Readonly<Record<Lowercase<(typeof names)[number]>, Account>>;

export async function designHill(hill: Hill): Promise<Cast> {
  const cast = {} as Record<string, Account>;
  // Deposits are made one after the other, by one connection: so the numbers that they leave out by chance are the same
  // ones each time.
  await hill.as('web').query('select setseed(0.5)');
  await hill.clock.at('10:00');
  for (const name of names) {
    cast[name.toLowerCase()] = await anAccount(hill, {
      name,
      credits: 20000,
      daily_cap_cents: 6000,
      max_stake_cents: 2000,
    });
    // Hal and Ida came in the same instant as Gus: nothing but the deposit tells them apart.
    if (!['Gus', 'Hal'].includes(name)) await hill.clock.tick(60_000);
  }
  const { ann, bob, cyd, dee, eve, fay, gus, hal, ida } = cast as Cast;
  const play = async (account: Account, slot: number, move: string, stake_cents?: number, message?: string) => {
    await hill.asAgent(account).play({ slot, move, stake_cents, message });
    await hill.clock.tick(1000);
  };
  const announce = (account: Account, slot: number, intention: string, message?: string) =>
    hill.asAgent(account).announce({ slot, intention, message });
  await grant(hill, cyd, 450);
  await grant(hill, cyd, 1000);
  await grant(hill, fay, 100);

  // Day 1: peace that is shared and one too many for it; one WAR over a PEACE; and who says so before.
  await hill.clock.at('11:00');
  await announce(ann, 1, 'PEACE', 'Room for two here.');
  await announce(eve, 3, 'PEACE');
  await announce(fay, 3, 'PEACE');
  await announce(gus, 4, 'WAR', 'Stay away from four.');
  await play(ann, 1, 'PEACE', undefined, 'Good morning, hill.');
  await play(bob, 1, 'PEACE');
  await play(cyd, 1, 'PEACE');
  await play(dee, 2, 'PEACE');
  await play(fay, 3, 'PEACE', undefined, 'I come in peace.');
  await play(eve, 3, 'WAR', 900, 'Mine.');
  await play(hal, 5, 'PEACE');
  await play(gus, 5, 'PEACE');
  await hill.clock.ringBell();

  // Day 2: holders come first; one leaves; one changes its mind, one takes it back; a warrior stays by WAR.
  await hill.clock.at('09:00');
  await announce(bob, 1, 'PASS', 'Off to the sea.');
  await announce(dee, 2, 'WAR');
  await play(cyd, 1, 'PEACE');
  await play(ida, 1, 'PEACE');
  await play(ann, 1, 'PEACE', undefined, 'Still here.');
  await play(dee, 2, 'WAR', 1200);
  await play(dee, 2, 'PEACE', undefined, 'Changed my mind.');
  await play(fay, 3, 'WAR', 800);
  await play(fay, 3, 'PASS');
  await play(eve, 3, 'WAR', 800);
  await play(gus, 4, 'PEACE');
  await play(hal, 5, 'PEACE');
  await hill.clock.ringBell();

  // Day 3: three places burn. One keeps its holder at peace, two are served from the queue, which passes over those who
  // may not sit there.
  await hill.clock.at('08:30');
  await announce(bob, 7, 'WAR', 'Seven burns tonight.');
  await announce(cyd, 1, 'PEACE');
  await play(ann, 1, 'PEACE');
  await play(cyd, 1, 'PEACE', undefined, 'Third time lucky.');
  await play(dee, 1, 'PEACE');
  await play(ida, 1, 'PEACE');
  await play(gus, 4, 'PEACE');
  await play(bob, 4, 'WAR', 800);
  await play(eve, 4, 'WAR', 2000, 'Nobody keeps four.');
  await play(bob, 7, 'WAR', 800);
  await play(fay, 7, 'WAR', 1500);
  await play(ida, 7, 'PEACE');
  await play(dee, 9, 'WAR', 800);
  await play(hal, 9, 'WAR', 800);
  await play(fay, 8, 'PEACE');
  await play(hal, 8, 'PEACE');
  await play(eve, 8, 'PEACE');
  await play(gus, 8, 'WAR', 800);
  await hill.clock.ringBell();

  // Day 4: deposits of one instant, told apart by reputation, by seniority and by number.
  await hill.clock.at('12:00');
  const together = async (slot: number, ...accounts: Account[]) => {
    for (const account of accounts) await hill.asAgent(account).play({ slot, move: 'PEACE' });
  };
  await together(6, eve, hal, cyd);
  await together(10, ida, gus, hal);
  await together(2, bob, fay, dee);
  await hill.clock.ringBell();

  // Day 5: nobody moves.
  await hill.clock.ringBell();
  return cast as Cast;
}
