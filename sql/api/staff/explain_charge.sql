-- api/staff/explain_charge.sql · What an account paid and got, and what it had before and after. Rules 5.3, 5.4, 5.5.

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

create or replace function api_staff.explain_charge(account text, day integer)
returns setof api_staff.charge
language plpgsql stable strict parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff   text := engine.enter_looking();
  v_account uuid := engine.account_meant(account);
  v_night   hill.nights := engine.find_night(day);
begin
  return query
  select v_night.day,
         c.slot,
         c.move,
         c.seq,
         c.outcome,
         c.what,
         c.cents,
         c.money,
         c.lot_id,
         c.lot_expires_at,
         c.credits_before,
         c.credits_after
    from engine.explain_night_money(v_account, v_night.day) c;
end
$$;

comment on function api_staff.explain_charge is
'What the night of a day cost an account (its id or slug): for each move the rent or the stake, whether it burned, '
'which lot of granted credits or paid credits it was paid from, and the credits before and after. What came in or '
'expired is in accountHistory. Errors: INVALID_TOKEN, NOT_FOUND, DAY_NOT_RESOLVED. Rules 5.3, 5.4, 5.5.';

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
'An entry of an account''s wallet: topup, grant, expiry, lapse, reversal, restored, or night, which is the sum of a '
'night''s charges. granted_cents and paid_cents are what it changes, negative where it takes.';

create or replace function api_staff.account_history(account text)
returns setof api_staff.history_entry
language plpgsql stable strict parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff   text := engine.enter_looking();
  v_account uuid := engine.account_meant(account);
begin
  return query
  select v_account,
         h.day,
         h.at,
         h.kind,
         h.reason,
         h.transfer_id,
         h.granted_cents,
         h.paid_cents,
         h.granted_before,
         h.paid_before,
         h.granted_after,
         h.paid_after
    from engine.wallet_history(v_account) h
   limit 5000;
end
$$;

comment on function api_staff.account_history is
'The latest 5000 entries of an account''s wallet (its id or slug), the latest first: transfers and nights, each with '
'the granted and paid credits before and after it. explainCharge takes a night apart. Errors: INVALID_TOKEN, '
'NOT_FOUND. Rules 5.5.';

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
  lapsed_cents bigint);

comment on type api_staff.day_of_money is
'Money of a day. In: paid in, granted. Taken back: by disputes and refunds. The night: rent, lone stakes (stakes), '
'burned stakes, and from which credits they came. Out without a move: expired, lapsed. Cents.';

create or replace function api_staff.money(first_day integer default null, last_day integer default null)
returns setof api_staff.day_of_money
language plpgsql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff text := engine.enter_looking();
  v_last  integer := coalesce(last_day, greatest(1, engine.today()));
  v_first integer := coalesce(first_day, greatest(1, v_last - 6));
begin
  if v_first > v_last or v_last - v_first > 366 then
    perform engine.refuse('INVALID_ARGUMENT', 'first_day to last_day is a range of at most 367 days.',
      '{"argument": "first_day"}');
  end if;
  return query select m.* from engine.money_by_day(v_first, v_last) m;
end
$$;

comment on function api_staff.money is
'Money in and out on each day from first_day to last_day (null: today, and the six days before), at most 367 days, the '
'latest first. Settled money only. Errors: INVALID_TOKEN, INVALID_ARGUMENT. Rules 5.5.';

grant execute on function api_staff.explain_charge, api_staff.account_history, api_staff.money to hill_staff;
