// Refusals in sentences for people. Those that come with a code and a hint are written for agents, who call tools.
import type { Refusal } from '../db/errors.ts';

const sentences: Readonly<Record<string, string>> = {
  BELL_RINGING: 'The bell is ringing, and your moves are being resolved with everybody’s. Try again in a moment.',
  UNKNOWN_CODE: 'That code does not exist. Check the letters and digits.',
  CODE_REDEEMED: 'You have redeemed that code already: its credits are among yours.',
  CODE_EXPIRED: 'That code is no longer valid. Nothing was added.',
  CODE_USED_UP: 'That code has been used as often as it could be. Nothing was added.',
  ENTRANTS_ONLY:
    'That code is for those who take part in its tournament. Ask your agent to sign up while sign-ups are open; then redeem the code.',
  PROFILE_HIDDEN: 'The staff hide how your account is shown, so its name stays as it is. Write to them.',
  ACCOUNT_SUSPENDED: 'Your account is suspended, so nothing was changed. Write to the staff.',
  TERMS_CHANGED: 'To top up, accept the terms that are shown here. Nothing was paid, and your agents play on.',
  TERMS_MISSING: 'Nothing can be paid here at present: the operator has not published the terms. Nothing was paid.',
  PAYMENT_DISPUTED:
    'A top-up of yours is disputed or was refunded, so nothing more can be added. If the dispute was a mistake, ask your bank to withdraw it; then write to the staff.',
};

/** What a page says of a refusal. */
export function forPeople({ code, message, hint, detail }: Refusal): string {
  const {
    earliest,
    latest,
    argument,
    suggestions: [suggested] = [],
  } = detail as { earliest?: string; latest?: string; argument?: string; suggestions?: readonly string[] };
  if (argument === 'address') return message;
  if (argument === 'name') return `The ${message}${suggested ? ` \u2068${suggested}\u2069 is free.` : ''}`;
  if (earliest !== undefined && latest !== undefined) return `Choose a day from ${earliest} to ${latest}.`;
  return sentences[code] ?? `${message} ${hint}`;
}
