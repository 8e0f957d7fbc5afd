// What staff do by form: one entry for each, with what the form asks for and what it says before anything is done.
import { rule } from '../../db/rules.ts';

export interface Field {
  /** An argument of the function. */
  readonly name: string;
  readonly label: string;
  /** cents and number are whole; said is of several lines; drawn is another text for each form that is opened. */
  readonly kind?: 'words' | 'said' | 'cents' | 'number' | 'drawn' | 'yes' | readonly string[];
  readonly hint?: string;
  readonly optional?: true;
}

export interface Action {
  /** A function of api_staff, in which the rules of the action are. It takes a reason, too. */
  readonly call: string;
  /** In the imperative, as a heading and on its button. */
  readonly does: string;
  /** What will happen, and what will not. */
  readonly so: string;
  /** Whom or what it is done to: arguments that a link brings along. See subjects.ts. */
  readonly to?: readonly string[];
  readonly fields?: readonly Field[];
  /** It leads to the order that was made, not to its entry. */
  readonly ordered?: true;
  /** Arguments that are always the same. */
  readonly always?: Readonly<Record<string, boolean>>;
}

const day = (name: string, label: string): Field => ({ name, label, kind: 'number', hint: 'the number of a day' });
const days = [
  day('opens_day', 'First day of sign-ups'),
  day('sign_ups_close_day', 'Last day of sign-ups'),
  day('starts_day', 'First night'),
  day('ends_day', 'Last night'),
] as const;
const tournament: readonly Field[] = [
  { name: 'name', label: 'Name' },
  { name: 'tagline', label: 'In one line', optional: true },
  ...days,
  { name: 'target_agents', label: 'Entrants hoped for', kind: 'number' },
  { name: 'recommended_daily_cap_cents', label: 'Recommended daily cap', kind: 'cents', optional: true },
  { name: 'sponsor_name', label: 'Sponsor', optional: true },
  { name: 'sponsor_url', label: 'Address of the sponsor', optional: true },
  { name: 'sponsor_cents', label: 'Prize', kind: 'cents', optional: true },
];
const key: Field = { name: 'key', label: 'Key of the order', kind: 'drawn' };

/** One thing done and its reverse, which differ in one argument. */
const both = (
  argument: string,
  { on, off, ...action }: { on: [string, string]; off: [string, string] } & Omit<Action, 'does' | 'so' | 'always'>,
): readonly [Action, Action] => [
  { ...action, does: on[0], so: on[1], always: { [argument]: true } },
  { ...action, does: off[0], so: off[1], always: { [argument]: false } },
];

const [markFounder, unmarkFounder] = both('founder', {
  call: 'mark_founder',
  on: ['Mark as a founder', 'It may play before launch day.'],
  off: ['Take the mark of a founder away', 'Before launch day it can no longer play.'],
  to: ['account_id'],
});
const [hideProfile, showProfile] = both('hidden', {
  call: 'hide_profile',
  on: [
    'Hide the profile',
    'Name, slug, address, icon and models are hidden wherever it appears, past nights included, and it cannot change them.',
  ],
  off: ['Show the profile again', 'Everything is as it was before it was hidden.'],
  to: ['account_id'],
});
const [hideIcon, showIcon] = both('hidden', {
  call: 'hide_icon',
  on: ['Hide the icon', 'The icon of its site is shown nowhere.'],
  off: ['Show the icon again', 'The icon of its site is fetched and shown again.'],
  to: ['account_id'],
});
const [hideMessage, showMessage] = both('hidden', {
  call: 'hide_message',
  on: ['Hide what a move said', 'Everybody reads [hidden by staff] there. The move, its outcome and its points stay.'],
  off: ['Show what a move said again', 'Everybody reads it as before.'],
  to: ['account_id', 'day', 'slot'],
});
const [hideAnnouncement, showAnnouncement] = both('hidden', {
  call: 'hide_announcement',
  on: ['Hide an announcement', 'Everybody reads [hidden by staff] there. Its intention and verdict stay.'],
  off: ['Show an announcement again', 'Everybody reads it as before.'],
  to: ['account_id', 'day', 'slot'],
});
const [revokeGrant, keepGrant] = both('revoked', {
  call: 'revoke_grant',
  on: [
    'Take the grant back',
    'At the next bell, once the night is paid, what is then left of it is taken. Until then nothing shows.',
  ],
  off: ['Leave the grant after all', 'The next bell takes nothing of it.'],
  to: ['lot_id'],
});
const [revokeCodes, restoreCodes] = both('revoked', {
  call: 'revoke_tournament_codes',
  on: ['Revoke the codes', 'Nobody can redeem those that nobody has. What the others granted stays.'],
  off: [
    'Let the codes be redeemed again',
    'Each that nobody has redeemed works again, those too that were revoked one by one.',
  ],
  to: ['order_id'],
});
const [cancelTournament, uncancelTournament] = both('cancelled', {
  call: 'cancel_tournament',
  on: [
    'Cancel the tournament',
    'Nobody enters any more, its codes are not redeemed, it gets no boards, and its page says so. What codes have granted stays.',
  ],
  off: ['Let the tournament take place after all', 'It is as if it had not been cancelled.'],
  to: ['slug'],
});

export const actions: Readonly<Record<string, Action>> = {
  'grant-credits': {
    call: 'grant_credits',
    does: 'Grant credits',
    so: `They expire after ${rule('granted_credits_days')} days and are spent before paid ones. What is over your limit waits for a second member.`,
    to: ['account_id'],
    fields: [{ name: 'cents', label: 'How much', kind: 'cents' }, key],
  },
  'revoke-grant': revokeGrant,
  'keep-grant': keepGrant,
  'approve-credits': {
    call: 'approve_credits',
    does: 'Approve the order',
    so: 'The credits are granted, or the code is made, at once.',
    to: ['order_id'],
  },
  'decline-credits': {
    call: 'decline_credits',
    does: 'Decline the order',
    so: 'It ends, and grants nothing.',
    to: ['order_id'],
  },
  'suspend-account': {
    call: 'suspend_account',
    does: 'Suspend the account',
    so: 'It can deposit and announce nothing new. Moves that it has deposited stand. Its human reads what you write for that, on the account page and by mail; the reason is for the audit log.',
    to: ['account_id'],
    fields: [{ name: 'because', label: 'What its human is told', kind: 'said', optional: true }],
    always: { suspended: true },
  },
  'restore-account': {
    call: 'restore_account',
    does: 'Lift the suspension',
    so: 'It can deposit and announce again.',
    to: ['account_id'],
  },
  'lift-bar': {
    call: 'lift_bar',
    does: 'Let it deposit again',
    so: 'A dispute or a refund bars its deposits now. They are accepted again.',
    to: ['account_id'],
  },
  'mark-founder': markFounder,
  'unmark-founder': unmarkFounder,
  'cut-agent': {
    call: 'cut_agent',
    does: 'Cut the agent off',
    so: 'Nothing that it holds works from then on. Moves that it has deposited stand.',
    to: ['agent_id'],
  },
  'uncut-agent': {
    call: 'uncut_agent',
    does: 'Let the agent in again',
    so: 'What it holds works as before. One that its human has cut stays cut.',
    to: ['agent_id'],
  },
  'sign-out-human': {
    call: 'sign_out_human',
    does: 'Sign its human out, everywhere',
    so: 'Every session on the site and on this console ends. Its agents go on.',
    to: ['account_id'],
  },
  'hide-profile': hideProfile,
  'show-profile': showProfile,
  'hide-icon': hideIcon,
  'show-icon': showIcon,
  'hide-message': hideMessage,
  'show-message': showMessage,
  'hide-announcement': hideAnnouncement,
  'show-announcement': showAnnouncement,
  'answer-report': {
    call: 'answer_report',
    does: 'Answer the report',
    so: 'Its agent reads the answer with list_my_reports. A second answer replaces the first.',
    to: ['report_id'],
    fields: [{ name: 'answer', label: 'Answer', kind: 'said' }],
  },
  'resend-delivery': {
    call: 'resend_delivery',
    does: 'Post the event again',
    so: 'The receiver gets it under the same id, and may have had it before.',
    to: ['webhook_id'],
  },
  'create-tournament': {
    call: 'create_tournament',
    does: 'Make a tournament',
    so: 'Everybody reads of it at once. Its days can change until sign-ups open, and it can be cancelled until its first night.',
    fields: [{ name: 'slug', label: 'In addresses', hint: 'lower case letters, digits and dashes' }, ...tournament],
  },
  'edit-tournament': {
    call: 'edit_tournament',
    does: 'Change the tournament',
    so: 'What is left empty stays as it is. Once sign-ups have opened, its nights stand and the prize can only rise.',
    to: ['slug'],
    fields: tournament.map((field) => ({ ...field, optional: true as const })),
  },
  'cancel-tournament': cancelTournament,
  'uncancel-tournament': uncancelTournament,
  'create-tournament-code': {
    call: 'create_tournament_code',
    does: 'Make a code',
    so: 'Each entrant can redeem it once, as long as it has uses. What is over your limit waits for a second member.',
    to: ['slug'],
    fields: [
      { name: 'cents', label: 'What it grants', kind: 'cents' },
      { name: 'uses', label: 'How many accounts can redeem it', kind: 'number' },
      { name: 'code', label: 'Code', hint: 'drawn if empty', optional: true },
      { ...day('expires_day', 'Last day'), hint: 'that of the tournament if empty', optional: true },
      { name: 'shown', label: 'Everybody reads it with the tournament', kind: 'yes' },
      key,
    ],
  },
  'create-tournament-codes': {
    call: 'create_tournament_codes',
    does: 'Make codes for a meetup',
    so: 'As many different codes, each for one entrant, once. You get them as a file. What is over your limit together waits for a second member.',
    to: ['slug'],
    fields: [
      { name: 'codes', label: 'How many codes', kind: 'number', hint: `1 to ${rule('codes_per_order')}` },
      { name: 'cents', label: 'What each grants', kind: 'cents' },
      { name: 'prefix', label: 'How each begins', hint: 'as in MEETUP: 2 to 20 letters, digits and dashes' },
      { ...day('expires_day', 'Last day'), hint: 'that of the tournament if empty', optional: true },
      { name: 'note', label: 'What for', hint: 'up to 200 characters, shown with the order', optional: true },
      key,
    ],
    ordered: true,
  },
  'revoke-tournament-codes': revokeCodes,
  'restore-tournament-codes': restoreCodes,
  'revoke-tournament-code': {
    call: 'revoke_tournament_code',
    does: 'Revoke the code',
    so: 'Nobody can redeem it any more. What it granted stays.',
    to: ['code'],
  },
  'restore-tournament-code': {
    call: 'restore_tournament_code',
    does: 'Let the code be redeemed again',
    so: 'It has the uses that it had left.',
    to: ['code'],
  },
  'move-sign-in': {
    call: 'move_sign_in',
    does: 'Move the account to another sign-in',
    so: `For a human who lost the login. The account’s page then shows you a code for them, to be used at /sign-in/move of the site: there they sign in with the new login. Then a second member approves it, every address of the account is told, and after a bell ${rule('account_order_days')} days later or more the old sign-ins, sessions and agents end. Credits stay. Until then any old sign-in can stop it.`,
    to: ['account_id'],
    fields: [key],
  },
  'close-account-for': {
    call: 'close_account_for',
    does: 'Close the account for its human',
    so: `For a human who asks for it and cannot sign in. A second member approves it, every address of the account is told, and after a bell ${rule('account_order_days')} days later or more it is closed for good, as its human would: who it was is forgotten, its credits lapse, and nothing brings it back. Until then any sign-in can stop it.`,
    to: ['account_id'],
    fields: [key],
  },
  'approve-account-order': {
    call: 'approve_account_order',
    does: 'Approve what a colleague began for the account',
    so: `Ask its human yourself first. Every address of the account is told by mail, and after a bell ${rule('account_order_days')} days later or more it is done, unless somebody stops it.`,
    to: ['account_order_id'],
  },
  'stop-account-order': {
    call: 'stop_account_order',
    does: 'Stop what was begun for the account',
    so: 'The account stays as it is. It can be begun anew, with another code.',
    to: ['account_order_id'],
  },
  'open-place': {
    call: 'open_place',
    does: 'Say when the place opens',
    so: 'It can be played for from that day on. Everybody reads it at once.',
    to: ['slot'],
    fields: [day('day', 'From day')],
  },
  'let-bell-ring': {
    call: 'let_bell_ring',
    does: 'Let the bell ring unsigned',
    so: 'For a day whose closing cannot be signed, and for this one night, which says UNSEALED and your reason for good. It rings within two minutes.',
    to: ['day'],
  },
  'set-staff': {
    call: 'set_staff',
    does: 'Add staff, or change a name or a role',
    so: 'They sign in with the account, and find this console. It holds from the next request on.',
    to: ['account_id'],
    fields: [
      { name: 'name', label: 'Name for the audit log' },
      { name: 'role', label: 'Role', kind: ['viewer', 'support', 'manager', 'owner'] },
    ],
  },
  'remove-staff': {
    call: 'remove_staff',
    does: 'Remove from the staff',
    so: 'Sessions on the console end at once.',
    to: ['account_id'],
  },
};

/** An entry of hill.audit_log. */
export interface Entry {
  readonly action: string;
  readonly account_id: string | null;
  readonly slot: number | null;
  readonly details: Readonly<Record<string, unknown>>;
}

const ofAccount = ({ account_id }: Entry) => ({ account_id });
const ofWords = ({ account_id, slot, details: { day } }: Entry) => ({ account_id, slot, day });
const ofOrder = ({ details: { order_id, lot_id, code, state, prefix } }: Entry): readonly [string, object] | null => {
  if (state === 'waiting') return ['decline-credits', { order_id }];
  if (prefix && state === 'made') return ['revoke-tournament-codes', { order_id }];
  if (lot_id) return ['revoke-grant', { lot_id }];
  return code ? ['revoke-tournament-code', { code }] : null;
};

const ofAccountOrder = ({ details: { account_order_id } }: Entry) =>
  ['stop-account-order', { account_order_id }] as const;

/** The form that takes an entry back, and what it is about; null where nothing does. By the names of the audit log. */
const undone: Readonly<Record<string, (entry: Entry) => readonly [name: string, about: object] | null>> = {
  grant_credits: ofOrder,
  create_tournament_code: ofOrder,
  create_tournament_codes: ofOrder,
  revoke_tournament_codes: ({ details: { order_id, revoked } }) => [
    revoked ? 'restore-tournament-codes' : 'revoke-tournament-codes',
    { order_id },
  ],
  approve_credits: ofOrder,
  revoke_grant: ({ details: { lot_id, revoked } }) => [revoked ? 'keep-grant' : 'revoke-grant', { lot_id }],
  suspend_account: (entry) => [entry.details.suspended ? 'restore-account' : 'suspend-account', ofAccount(entry)],
  restore_account: (entry) => ['suspend-account', ofAccount(entry)],
  mark_founder: (entry) => [entry.details.founder ? 'unmark-founder' : 'mark-founder', ofAccount(entry)],
  cut_agent: ({ details: { agent_id } }) => ['uncut-agent', { agent_id }],
  uncut_agent: ({ details: { agent_id } }) => ['cut-agent', { agent_id }],
  hide_profile: (entry) => [entry.details.hidden ? 'show-profile' : 'hide-profile', ofAccount(entry)],
  hide_icon: (entry) => [entry.details.hidden ? 'show-icon' : 'hide-icon', ofAccount(entry)],
  hide_message: (entry) => [entry.details.hidden ? 'show-message' : 'hide-message', ofWords(entry)],
  hide_announcement: (entry) => [entry.details.hidden ? 'show-announcement' : 'hide-announcement', ofWords(entry)],
  answer_report: ({ details: { report_id } }) => ['answer-report', { report_id }],
  create_tournament: ({ details: { slug } }) => ['cancel-tournament', { slug }],
  edit_tournament: ({ details: { tournament } }) => ['edit-tournament', { slug: tournament }],
  cancel_tournament: ({ details: { slug, cancelled } }) => [
    cancelled ? 'uncancel-tournament' : 'cancel-tournament',
    { slug },
  ],
  revoke_tournament_code: ({ details: { code } }) => ['restore-tournament-code', { code }],
  restore_tournament_code: ({ details: { code } }) => ['revoke-tournament-code', { code }],
  move_sign_in: ofAccountOrder,
  close_account_for: ofAccountOrder,
  approve_account_order: ofAccountOrder,
  stop_account_order: (entry) => [
    entry.details.what === 'move_sign_in' ? 'move-sign-in' : 'close-account-for',
    ofAccount(entry),
  ],
  open_place: ({ slot }) => ['open-place', { slot }],
  set_staff: (entry) => [entry.details.was_role ? 'set-staff' : 'remove-staff', ofAccount(entry)],
  remove_staff: (entry) => ['set-staff', ofAccount(entry)],
};

export const undoOf = (entry: Entry) => undone[entry.action]?.(entry) ?? null;
