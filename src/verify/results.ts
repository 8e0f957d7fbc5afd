// Compares two results of a night, as texts of the form that the log has the hash of, line by line. Rules 20.10.

/** One thing to compare, by where it stands. */
type Lines = ReadonlyMap<string, string>;

const placeFields = ['outcome', 'PEACE moves', 'WAR moves', 'burned cents'];
const seatFields = ['account', 'days held', 'way to it', 'points'];

/** Each place, and each seat by its number on the place, with each field of it. */
function linesOf(text: string): Lines {
  const lines = new Map<string, string>();
  const seats = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [kind = '', slot = '', ...values] = line.split(' ');
    if (kind === '') continue;
    const seat = kind === 'seat' ? (seats.get(slot) ?? 0) + 1 : 0;
    if (kind === 'seat') seats.set(slot, seat);
    const where = kind === 'day' ? 'the day' : `place ${slot}${seat > 0 ? `, seat ${seat}` : ''}`;
    const fields = kind === 'place' ? placeFields : seatFields;
    if (kind === 'day') lines.set(where, slot);
    else for (const [i, value] of values.entries()) lines.set(`${where}: ${fields[i] ?? 'more'}`, value);
  }
  return lines;
}

/** Of what should be and what is: in words, without a full stop. None where they are the same. */
export function differences(due: string, shown: string): string[] {
  const [right, other] = [linesOf(due), linesOf(shown)];
  return [...new Set([...right.keys(), ...other.keys()])]
    .filter((where) => right.get(where) !== other.get(where))
    .map((where) => `${where} should be ${right.get(where) ?? 'nothing'}, and is ${other.get(where) ?? 'nothing'}`);
}
