-- What staff are told of nights and of money, as functions of the engine make it.

create type api_staff.night_decision as (
  account_id uuid,
  slot smallint,
  fate text,
  why text,
  rule text,
  sentence text,
  move hill.move,
  seq bigint,
  deposited_at timestamptz,
  stake_cents bigint,
  cost_cents bigint,
  held_before integer,
  decided_by text,
  own_value text,
  rival_id uuid,
  rival_value text);

comment on type api_staff.night_decision is
'One decision of a night. slot: the place that was decided on, null for a move that stayed in the queue. fate: kept, '
'seated, evicted, burned, queued, left, skipped, served or waits. why: in words. held_before: for how many bells the '
'account had held the place, null for a challenger. decided_by: what own_value and rival_value were compared by. '
'Cents.';
comment on column api_staff.night_decision.account_id is 'About whom it is decided.';
comment on column api_staff.night_decision.slot is
'The place that was decided on; null for a move that stayed in the queue.';
comment on column api_staff.night_decision.fate is
'kept, seated, evicted, burned, queued, left, skipped, served or waits.';
comment on column api_staff.night_decision.why is 'Why, in words.';
comment on column api_staff.night_decision.rule is 'The section of the rules.';
comment on column api_staff.night_decision.sentence is 'The sentence of the rules.';
comment on column api_staff.night_decision.move is 'What it played; null for who held the place without a move.';
comment on column api_staff.night_decision.seq is 'The number of the deposit.';
comment on column api_staff.night_decision.deposited_at is 'When it was deposited. Hill''s clock.';
comment on column api_staff.night_decision.stake_cents is 'The stake of a WAR (cents).';
comment on column api_staff.night_decision.cost_cents is 'What the move cost (cents).';
comment on column api_staff.night_decision.held_before is
'For how many bells it had held the place; null for a challenger.';
comment on column api_staff.night_decision.decided_by is 'What own_value and rival_value were compared by.';
comment on column api_staff.night_decision.own_value is 'The value of the account.';
comment on column api_staff.night_decision.rival_id is 'The account that it was compared with; null if with none.';
comment on column api_staff.night_decision.rival_value is 'The value of the rival.';

create type api_staff.history_entry as (
  account_id uuid,
  day integer,
  at timestamptz,
  kind text,
  reason text,
  transfer_id bigint,
  granted_cents bigint,
  paid_cents bigint,
  granted_before_cents bigint,
  paid_before_cents bigint,
  granted_after_cents bigint,
  paid_after_cents bigint);

comment on type api_staff.history_entry is
'An entry of an account''s wallet: topup, grant, expiry, revocation, lapse, reversal, restored, or night, which is the '
'sum of a night''s charges. granted_cents and paid_cents are what it changes, negative where it takes.';
comment on column api_staff.history_entry.account_id is 'Whose wallet.';
comment on column api_staff.history_entry.day is 'On which day.';
comment on column api_staff.history_entry.at is 'When. Hill''s clock.';
comment on column api_staff.history_entry.kind is
'topup, grant, expiry, revocation, lapse, reversal, restored or night.';
comment on column api_staff.history_entry.reason is 'Why, as the account reads it.';
comment on column api_staff.history_entry.transfer_id is 'The transfer; null for a night.';
comment on column api_staff.history_entry.granted_cents is 'By how much granted credits change (cents).';
comment on column api_staff.history_entry.paid_cents is 'By how much paid credits change (cents).';
comment on column api_staff.history_entry.granted_before_cents is 'Granted credits before (cents).';
comment on column api_staff.history_entry.paid_before_cents is 'Paid credits before (cents).';
comment on column api_staff.history_entry.granted_after_cents is 'Granted credits after (cents).';
comment on column api_staff.history_entry.paid_after_cents is 'Paid credits after (cents).';

create type api_staff.charge as (
  day integer,
  slot integer,
  move hill.move,
  seq bigint,
  outcome hill.outcome,
  what text,
  cents bigint,
  money text,
  lot_id bigint,
  lot_expires_at timestamptz,
  credits_before_cents bigint,
  credits_after_cents bigint);

comment on type api_staff.charge is
'A charge, or the part of it that one source paid. money: granted (then lot_id says which lot) or paid. Cents.';
comment on column api_staff.charge.day is 'The night.';
comment on column api_staff.charge.slot is 'The place.';
comment on column api_staff.charge.move is 'What was played there.';
comment on column api_staff.charge.seq is 'The number of the deposit.';
comment on column api_staff.charge.outcome is 'What the place came to.';
comment on column api_staff.charge.what is 'For what, in words.';
comment on column api_staff.charge.cents is 'How much (cents).';
comment on column api_staff.charge.money is 'granted or paid.';
comment on column api_staff.charge.lot_id is 'The lot that paid it; null for paid credits.';
comment on column api_staff.charge.lot_expires_at is 'When that lot expires. Hill''s clock.';
comment on column api_staff.charge.credits_before_cents is 'All credits before (cents).';
comment on column api_staff.charge.credits_after_cents is 'All credits after (cents).';

create type api_staff.day_of_money as (
  day integer,
  paid_in_cents bigint,
  taken_back_cents bigint,
  granted_cents bigint,
  rent_cents bigint,
  stakes_cents bigint,
  burned_cents bigint,
  from_granted_cents bigint,
  from_paid_cents bigint,
  expired_cents bigint,
  lapsed_cents bigint,
  revoked_cents bigint);

comment on type api_staff.day_of_money is
'Money of a day. In: paid in, granted. Taken back: by disputes and refunds. The night: rent, lone stakes (stakes), '
'burned stakes, and from which credits they came. Out without a move: expired, lapsed, revoked (grants that staff took '
'back). Cents.';
comment on column api_staff.day_of_money.day is 'The day.';
comment on column api_staff.day_of_money.paid_in_cents is 'Top-ups (cents).';
comment on column api_staff.day_of_money.taken_back_cents is 'Taken back by disputes and refunds (cents).';
comment on column api_staff.day_of_money.granted_cents is 'Granted by staff and codes (cents).';
comment on column api_staff.day_of_money.rent_cents is 'Rent of the night (cents).';
comment on column api_staff.day_of_money.stakes_cents is 'Lone stakes of the night (cents).';
comment on column api_staff.day_of_money.burned_cents is 'Stakes that burned in the night (cents).';
comment on column api_staff.day_of_money.from_granted_cents is
'What of the night was paid from granted credits (cents).';
comment on column api_staff.day_of_money.from_paid_cents is 'What of the night was paid from paid credits (cents).';
comment on column api_staff.day_of_money.expired_cents is 'Granted credits that expired (cents).';
comment on column api_staff.day_of_money.lapsed_cents is 'Credits of closed accounts that lapsed (cents).';
comment on column api_staff.day_of_money.revoked_cents is 'Grants that staff took back (cents).';
