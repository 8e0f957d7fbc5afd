// What a practice hill says of itself, on every page, in every record and in every answer to an agent. Rules 17.4.
import type { Config } from './config.ts';

/** Null on any other hill. */
export const practiceSentence = ({ practice }: Partial<Pick<Config, 'practice'>>): string | null =>
  practice
    ? `PRACTICE: play money, a bell every ${inWords(practice.daySeconds)} (a clock that runs ${Math.round(86_400 / practice.daySeconds)} times as fast), and accounts that go when nobody uses them. Nothing here counts anywhere else.`
    : null;

/** What titles begin with: nothing on any other hill. */
export const practiceTitle = (practice: string | null): string => (practice ? 'PRACTICE · ' : '');

/** What a real hill says of its practice hill, before the address. */
export const practiseFirst = 'To practise first, with play money, a bell every few minutes and no human needed:';

const inWords = (seconds: number): string =>
  seconds === 60 ? 'minute' : seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} seconds`;
