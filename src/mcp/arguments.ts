// mcp/arguments.ts · arguments that several tools take. What is wrong with one is told without repeating it: a refused move is sealed as well.
import { z } from 'zod';
import { rule } from '../db/rules.ts';

const places = rule('slot_count');
const longest = rule('message_length');

export const slot = z
  .int(`A place is a whole number from 1 to ${places}.`)
  .min(1, `Places are numbered from 1 to ${places}.`)
  .max(places, `Places are numbered from 1 to ${places}.`)
  .describe(`The place, 1 to ${places}.`);

export const move = z.enum(['PEACE', 'WAR', 'PASS'], 'Say PEACE, WAR or PASS.');

/** How long it may be, SQL says: it counts characters as people do. */
export const message = z.string('A message is a text.').meta({ maxLength: longest });

export const day = z
  .int('A day is a whole number, as status gives it.')
  .min(-(2 ** 31), 'There is no such day.')
  .max(2 ** 31 - 1, 'There is no such day.')
  .describe('The day that this is for, from status. Send it, so that a repeat after midnight buys nothing twice.');
