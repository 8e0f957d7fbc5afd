// What staff hide and show again: how an account calls itself, and what it said. Rules 18.5.
import { type CallKind, type Family, keysOf, type OfMember, refusedFor, someMember } from '../family.ts';
import type { Model } from '../model.ts';
import { hiddenProfile, hiddenWords, type SaidIn } from '../told.ts';

const hideProfile: CallKind<OfMember & { hidden: boolean }> = {
  odds: 0.8,
  beside: 'a bell that rang beside staff who hide',
  draw: (world, random) => {
    const member = someMember(world, random);
    // the name of who signed in is drawn, and another one once an agent comes
    if (!member || member in world.model.identity.first) return null;
    return { member, hidden: !(hiddenProfile(member) in world.model.hidden) && random.chance(0.9) };
  },
  call: (world, { member, hidden }) => {
    const keys = keysOf(world, member);
    const args = { account_id: keys?.id, hidden, reason: 'a world' };
    return keys ? { as: 'staff', name: 'api_staff.hide_profile', args } : null;
  },
  learn: (model, { racing }, { member, hidden }, answer) => {
    if (racing && 'refused' in answer && answer.refused === 'BELL_RINGING') return;
    const closed = model.members[member]?.closed ?? false;
    if (refusedFor(answer, `${member} is hidden: ${hidden}`, { ACCOUNT_CLOSED: closed })) return;
    hide(model, hiddenProfile(member), hidden);
  },
};

interface Words extends OfMember {
  readonly saidIn: SaidIn;
  readonly day: number;
  readonly slot: number;
  readonly hidden: boolean;
}
const hideWords: CallKind<Words> = {
  odds: 1.5,
  beside: 'a bell that rang beside staff who hide',
  draw: ({ model }, random) => {
    const all = Object.keys(model.said);
    if (all.length === 0) return null;
    const said = random.chance(0.9) ? random.pick(all.slice(-6)) : random.pick(all);
    const [saidIn, day, member, slot] = said.split(' ') as [SaidIn, string, string, string];
    return {
      saidIn,
      day: Number(day),
      member,
      slot: Number(slot),
      hidden: !(said in model.hidden) && random.chance(0.9),
    };
  },
  call: (world, { member, saidIn, day, slot, hidden }) => {
    const keys = keysOf(world, member);
    const name = saidIn === 'move' ? 'api_staff.hide_message' : 'api_staff.hide_announcement';
    const args = { account_id: keys?.id, day, slot, hidden, reason: 'a world' };
    return keys ? { as: 'staff', name, args } : null;
  },
  learn: (model, { racing }, words, answer) => {
    const { member } = words;
    if (racing && 'refused' in answer && answer.refused === 'BELL_RINGING') return;
    const reasons = { NOT_FOUND: model.members[member]?.closed || !(hiddenWords(words) in model.said) };
    if (refusedFor(answer, `what ${member} said on ${words.slot} is hidden: ${words.hidden}`, reasons)) return;
    hide(model, hiddenWords(words), words.hidden);
  },
};

function hide({ hidden, met }: Model, what: string, isHidden: boolean): void {
  if (isHidden) hidden[what] = true;
  else if (what in hidden) {
    delete hidden[what];
    met.push('something hidden that was shown again');
  }
}

export const hiding: Family = { calls: { hideProfile, hideWords } };
