-- Who has most credits, and whose expire soon. Rules 5.3, 5.5.

create type api_staff.credit_holder as (
  account_id uuid,
  credits_cents bigint,
  granted_cents bigint,
  paid_cents bigint);

comment on type api_staff.credit_holder is 'Settled credits of an account, in cents.';
comment on column api_staff.credit_holder.account_id is 'Whose credits.';
comment on column api_staff.credit_holder.credits_cents is 'Both together (cents).';
comment on column api_staff.credit_holder.granted_cents is 'Granted credits, settled (cents).';
comment on column api_staff.credit_holder.paid_cents is 'Paid credits, settled (cents).';

create or replace function api_staff.most_credits()
returns setof api_staff.credit_holder
language sql stable parallel restricted security invoker  -- reads what its caller may read
set search_path to pg_catalog, pg_temp
as $$
  select w.account_id, c.granted_cents + c.paid_cents, c.granted_cents, c.paid_cents
    from hill.wallets w
    join hill.accounts a on a.id = w.account_id
    left join engine.pending_settlements() p on p.account_id = w.account_id
    left join engine.unexpired(engine.unsettled_night()) u on u.account_id = w.account_id
   cross join lateral (select least(w.granted_cents - coalesce(p.granted_cents, 0), u.cents) as granted_cents,
                              w.paid_cents - coalesce(p.paid_cents, 0) as paid_cents) c
   where not a.house and c.granted_cents + c.paid_cents > 0
   order by c.granted_cents + c.paid_cents desc, w.account_id
   limit 100
$$;

comment on function api_staff.most_credits is
'The 100 accounts with the most credits, settled, the house left out. It reads each wallet once. Rules 5.5.';

create type api_staff.expiring_lot as (
  account_id uuid,
  lot_id bigint,
  cents bigint,
  remaining_cents bigint,
  expires_at timestamptz);

comment on type api_staff.expiring_lot is 'A lot of granted credits of which something is left. Cents.';
comment on column api_staff.expiring_lot.account_id is 'Whose lot.';
comment on column api_staff.expiring_lot.lot_id is 'The lot.';
comment on column api_staff.expiring_lot.cents is 'How much was granted (cents).';
comment on column api_staff.expiring_lot.remaining_cents is 'What is left of it, settled (cents).';
comment on column api_staff.expiring_lot.expires_at is 'When it expires. Hill''s clock.';

create or replace function api_staff.expiring_lots(days integer default 7)
returns setof api_staff.expiring_lot
language plpgsql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff text := engine.enter_looking();
  v_now   timestamptz := engine.now();
  v_until timestamptz;
begin
  if days is null or days not between 1 and 90 then
    perform engine.refuse('INVALID_ARGUMENT', 'days is from 1 to 90.', '{"argument": "days"}');
  end if;
  v_until := v_now + make_interval(hours => 24 * days);
  return query
  -- what is left is worked out from all lots of an account: once for each of them
  select a.account_id, l.lot_id, l.cents, l.remaining_cents, l.expires_at
    from (select distinct l.account_id from hill.lots l where l.expires_at > v_now and l.expires_at <= v_until) a
   cross join lateral engine.account_lots(a.account_id) l
   where l.expires_at > v_now
     and l.expires_at <= v_until
     and l.remaining_cents > 0
   order by l.expires_at, l.lot_id
   limit 1000;
end
$$;

comment on function api_staff.expiring_lots is
'Granted credits that expire within so many days of the hill''s clock (1 to 90), the next first, at most 1000, with '
'what is left of each lot. Errors: INVALID_TOKEN, INVALID_ARGUMENT. Rules 5.3.
- days: within how many days, from 1 to 90.';

grant execute on function api_staff.most_credits, api_staff.expiring_lots to hill_staff;
