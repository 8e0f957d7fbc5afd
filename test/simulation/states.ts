// The rare states that worlds have to reach: a long run in which one of them was never met has not tried it.

export const states = [
  'a call that waited for another',
  'a deposit that was killed',
  'a bell that was killed',
  'a bell that rang beside a deposit',
  'a bell that rang beside a withdrawal',
  'a bell that rang beside an announcement',
  'a bell that rang beside a grant',
  'a bell that rang beside a top-up',
  'a bell that rang beside a mandate',
  'a bell that rang beside a suspension',
  'a bell that rang beside a cut',
  'a bell that rang beside a status',
  'a bell that rang beside a reader',
  'a status while a bell was due',
  'a bell that waited for its closing to be signed',
  'a bell that was late by a day',
  'a deploy while a bell was due',
  'a batch of which one was refused and one was of an agent that is cut',
  'a deposit for a day that was over',
  'an account closed with moves of tonight',
  'credits that expired',
  'a place that burned',
  'a seat from the queue',
  'a place that one kept for five nights',
] as const;

export type State = (typeof states)[number];
