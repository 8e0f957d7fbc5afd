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
