// A night with the field changed that decided something in it, so that the decision can be put to the test.
import type { Integer, Night, NightMove } from '../hill/night.ts';

/** What is said of a decision. */
export interface Deciding {
  readonly key: string | null;
  readonly key_seq: Integer | null;
  readonly rival_seq: Integer | null;
}

export const moveOf = (night: Night, seq: Integer | null) => night.moves.find((move) => move.seq === seq) as NightMove;

/** The night with the deciding key changed, as the comment on engine.decision says. */
export function changeKey(night: Night, { key, key_seq, rival_seq }: Deciding): Night {
  const own = moveOf(night, key_seq);
  if (key === 'move') return { ...night, moves: night.moves.filter((move) => move !== own) };
  if (key === 'holders')
    return {
      ...night,
      holders: night.holders.filter(({ slot, account }) => slot !== own.slot || account !== own.account),
    };
  const rival = moveOf(night, rival_seq);
  if (key === 'at' || key === 'seq') {
    const exchange = (move: NightMove) =>
      move === own ? { ...move, [key]: rival[key] } : move === rival ? { ...move, [key]: own[key] } : move;
    return { ...night, moves: night.moves.map(exchange) };
  }
  const field = key as 'reputation' | 'since';
  const accountOf = ({ account }: NightMove) =>
    night.accounts.find((each) => each.account === account) as Night['accounts'][number];
  const [ours, theirs] = [accountOf(own), accountOf(rival)];
  return {
    ...night,
    accounts: night.accounts.map((each) =>
      each === ours ? { ...each, [field]: theirs[field] } : each === theirs ? { ...each, [field]: ours[field] } : each,
    ),
  };
}
