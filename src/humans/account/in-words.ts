// An amount in words, as on a cheque, so that no digit can be mistaken.
import { plural } from '../../html/words.ts';

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

function words(n: number): string {
  if (n < 20) return small[n] as string;
  if (n < 100) return `${tens[Math.floor(n / 10)]}${n % 10 ? `-${small[n % 10]}` : ''}`;
  const [size, name] = n < 1_000 ? ([100, 'hundred'] as const) : ([1_000, 'thousand'] as const);
  return `${words(Math.floor(n / size))} ${name}${n % size ? ` ${words(n % size)}` : ''}`;
}

/** Of less than a million dollars: 2150 is "twenty-one US dollars and fifty cents". */
export function inWords(cents: number): string {
  const [whole, rest] = [Math.floor(cents / 100), cents % 100];
  const part = rest > 0 ? ` and ${words(rest)} ${rest === 1 ? 'cent' : 'cents'}` : '';
  return `${words(whole)} ${whole === 1 ? 'US dollar' : 'US dollars'}${part}`;
}

/** 5000 is "5,000 cents". */
export const inCents = (cents: number): string => plural(cents, 'cent');
