-- Credits that staff order for an account, or as a code for the entrants of a tournament: within limits of their role,
-- and from a certain sum on with the approval of a second member. Rules 18.6.

-- Called by the owner at each start: what a member of a role may order at once, in a day, and alone (cents each).
create or replace function trusted.set_staff_limits(
  role text,
  order_cents bigint,
  day_cents bigint,
  alone_cents bigint)
returns void
language plpgsql volatile parallel unsafe security definer  -- hill_owner: nobody else may set them
set search_path to pg_catalog, pg_temp
as $$
begin
  insert into hill.staff_limits as l (role, order_cents, day_cents, alone_cents)
  values (
    set_staff_limits.role,
    set_staff_limits.order_cents,
    set_staff_limits.day_cents,
    set_staff_limits.alone_cents)
  on conflict on constraint staff_limits_pkey do update
     set order_cents = excluded.order_cents, day_cents = excluded.day_cents, alone_cents = excluded.alone_cents;
end
$$;

-- Refuses a sum (cents) that the role of the member who calls may not give at once. Errors: OVER_STAFF_LIMIT.
create or replace function engine.check_order_limit(cents bigint)
returns void
language plpgsql stable parallel restricted security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_role  text := api_staff.staff_role();
  v_limit bigint := coalesce((select l.order_cents from hill.staff_limits l where l.role = v_role), 0);
begin
  if check_order_limit.cents > v_limit then
    perform engine.refuse('OVER_STAFF_LIMIT', format('That is more than the role %s may give at once.', v_role),
      jsonb_build_object('per', 'order', 'limit_cents', v_limit, 'cents', check_order_limit.cents));
  end if;
end
$$;

-- Refuses a sum (cents) that the member who calls may not order on a day. Returns what one member may give alone.
-- Errors: OVER_STAFF_LIMIT.
create or replace function engine.check_limits(cents bigint, today integer)
returns bigint
language plpgsql stable parallel restricted security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_who   record;
  v_limit hill.staff_limits;
  v_given bigint;
begin
  perform engine.check_order_limit(check_limits.cents);
  select w.* into v_who from api_staff.who_calls() w;
  select l.* into v_limit from hill.staff_limits l where l.role = v_who.role;
  v_given := (select coalesce(sum(o.cents::bigint * o.uses), 0)
                from hill.credit_orders o
               where o.day = check_limits.today and o.state <> 'declined'
                 and o.ordered_by_account_id is not distinct from v_who.account_id);
  if v_given + check_limits.cents > v_limit.day_cents then
    perform engine.refuse('OVER_STAFF_LIMIT', 'That is more than you may give in a day.', jsonb_build_object(
      'per', 'day', 'limit_cents', v_limit.day_cents, 'left_cents', greatest(0, v_limit.day_cents - v_given)));
  end if;
  -- nobody knows whose the staff key is, so nobody can be the second
  if check_limits.cents > v_limit.alone_cents and v_who.account_id is null then
    perform engine.refuse('OVER_STAFF_LIMIT', 'A second member has to approve that: sign in with your own account.',
      jsonb_build_object('per', 'order', 'limit_cents', v_limit.alone_cents));
  end if;
  return v_limit.alone_cents;
end
$$;

-- Takes an order of the member who calls, and carries it out, unless it has to wait for a second member. The same order
-- under the same key is the one that was taken. The audit log has it as an action with its reason. Errors:
-- INVALID_ARGUMENT, NOT_ALLOWED, OWN_ACCOUNT, OVER_STAFF_LIMIT, and those of engine.make_credits. Rules 18.6.
create or replace function engine.order_credits(wanted hill.credit_orders, action text, reason text)
returns hill.credit_orders
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_who    record;
  v_key    text := engine.order_key(wanted.key);
  v_cents  bigint := wanted.cents::bigint * wanted.uses;
  v_today  integer := engine.today();
  v_alone  bigint;
  v_order  hill.credit_orders;
begin
  perform trusted.lock_one('staff');   -- of two orders at once each counts the other
  select w.* into v_who from api_staff.who_calls() w;
  select o.* into v_order
    from hill.credit_orders o
   where o.ordered_by_account_id is not distinct from v_who.account_id and o.key = v_key;
  if found then
    if (v_order.account_id, v_order.tournament_id, v_order.cents, v_order.uses, v_order.wished_code,
        v_order.expires_at, v_order.shown, v_order.prefix, v_order.note)
       is distinct from (wanted.account_id, wanted.tournament_id, wanted.cents, wanted.uses, wanted.wished_code,
                         wanted.expires_at, wanted.shown, wanted.prefix, wanted.note) then
      perform engine.refuse('NOT_ALLOWED', 'That key stands for another order of yours.',
        jsonb_build_object('argument', 'key', 'order_id', v_order.id));
    end if;
    return v_order;
  end if;
  if wanted.account_id = v_who.account_id then
    perform engine.refuse('OWN_ACCOUNT', 'That account is your own.');
  end if;
  v_alone := engine.check_limits(v_cents, v_today);
  insert into hill.credit_orders (
    day,
    ordered_at,
    ordered_by,
    ordered_by_account_id,
    key,
    account_id,
    tournament_id,
    cents,
    uses,
    wished_code,
    expires_at,
    shown,
    prefix,
    note,
    state)
  values (
    v_today,
    engine.now(),
    v_who.name,
    v_who.account_id,
    v_key,
    wanted.account_id,
    wanted.tournament_id,
    wanted.cents,
    wanted.uses,
    wanted.wished_code,
    wanted.expires_at,
    wanted.shown,
    wanted.prefix,
    wanted.note,
    'waiting')
  returning * into v_order;
  if v_cents <= v_alone then
    v_order := engine.make_credits(v_order);
  end if;
  perform engine.write_audit(v_who.name, action, v_order.account_id, null, engine.order_details(v_order), reason);
  return v_order;
end
$$;

-- An order of codes of a tournament, as far as one code and many are alike. Errors: NOT_FOUND, INVALID_AMOUNT,
-- INVALID_ARGUMENT. Rules 8.5, 8.7.
create or replace function engine.order_of_codes(
  slug text,
  cents bigint,
  uses integer,
  expires_day integer,
  key text)
returns hill.credit_orders
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_tournament hill.tournaments := engine.find_tournament(slug);
  v_order      hill.credit_orders;
begin
  if cents is null or cents not between 1 and engine.topup_maximum_cents() then
    perform engine.refuse('INVALID_AMOUNT', 'A code grants from 1 cent to the largest top-up.',
      jsonb_build_object('minimum_cents', 1, 'maximum_cents', engine.topup_maximum_cents()));
  end if;
  if expires_day not between 0 and 1000000 then
    perform engine.refuse('INVALID_ARGUMENT', 'expires_day is the number of a day.', '{"argument": "expires_day"}');
  end if;
  v_order.tournament_id := v_tournament.id;
  v_order.cents := cents;
  v_order.uses := uses;
  v_order.key := key;
  v_order.expires_at := engine.bell_at(coalesce(expires_day, v_tournament.ends_day));
  v_order.shown := false;
  return v_order;
end
$$;

-- Carries out an order: a grant, a code, or many codes. Errors: ACCOUNT_CLOSED, NOT_ALLOWED. Rules 5.3, 8.5, 18.6.
create or replace function engine.make_credits(ordered hill.credit_orders)
returns hill.credit_orders
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now    timestamptz := engine.now();
  v_lot_id bigint;
  v_codes  integer := case when ordered.prefix is null then 1 else ordered.uses end;
  v_made   integer;
  v_code   text;
  v_order  hill.credit_orders;
begin
  if ordered.account_id is not null then
    -- the account reads the reason of a transfer; what staff write is for the audit log
    v_lot_id := engine.grant_credits(ordered.account_id, ordered.cents, 'Granted by staff');
  else
    if ordered.expires_at <= v_now then
      perform engine.refuse('NOT_ALLOWED', 'A code expires at the bell of a day that is not over.',
        jsonb_build_object('argument', 'expires_day', 'today', engine.today()));
    elsif (select t.cancelled_on from hill.tournaments t where t.id = ordered.tournament_id) is not null then
      perform engine.refuse('NOT_ALLOWED', 'The tournament was cancelled.', '{"argument": "slug"}');
    end if;
    with made as (
      insert into hill.tournament_codes (code, tournament_id, cents, uses, shown, created_at, expires_at, order_id)
      select coalesce(ordered.wished_code, concat(ordered.prefix || '-', engine.random_code())),
             ordered.tournament_id,
             ordered.cents,
             ordered.uses / v_codes,
             ordered.shown,
             v_now,
             ordered.expires_at,
             ordered.id
        from generate_series(1, v_codes)
      on conflict do nothing
      returning hill.tournament_codes.code)
    select count(*), case when ordered.prefix is null then min(m.code) end into v_made, v_code from made m;
    if v_made <> v_codes then
      perform engine.refuse('NOT_ALLOWED', 'There is such a code.', '{"argument": "code"}');
    end if;
  end if;
  update hill.credit_orders o
     set state = 'made', lot_id = v_lot_id, code = v_code
   where o.id = ordered.id
  returning o.* into strict v_order;
  return v_order;
end
$$;

-- Approves or declines an order that waits, for the member who calls. Errors: INVALID_TOKEN, ROLE_TOO_LOW,
-- REASON_REQUIRED, NOT_FOUND, NOT_ALLOWED, OWN_ACCOUNT,
-- OVER_STAFF_LIMIT, and those of engine.make_credits. Rules 18.6.
create or replace function engine.decide_order(order_id bigint, approved boolean, reason text)
returns hill.credit_orders
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_action text := case when approved then 'approve_credits' else 'decline_credits' end;
  v_staff  text := engine.enter_staff(v_action, reason);
  v_who    record;
  v_order  hill.credit_orders;
begin
  perform trusted.lock_one('staff');
  select w.* into v_who from api_staff.who_calls() w;
  select o.* into v_order from hill.credit_orders o where o.id = decide_order.order_id;
  if not found then
    perform engine.refuse('NOT_FOUND', 'There is no such order.', '{"argument": "order_id"}');
  end if;
  if v_order.state <> 'waiting' then
    perform engine.refuse('NOT_ALLOWED', format('The order is %s.', v_order.state), '{"argument": "order_id"}');
  end if;
  if approved then
    if v_who.account_id is null or v_who.account_id = v_order.ordered_by_account_id then
      perform engine.refuse('NOT_ALLOWED',
        'A second member approves it, signed in with an account: not who ordered it, and not the staff key.',
        '{"argument": "order_id"}');
    end if;
    if v_who.account_id = v_order.account_id then
      perform engine.refuse('OWN_ACCOUNT', 'That account is your own.');
    end if;
    if v_order.ordered_at < engine.now() - make_interval(hours => 24 * engine.order_days()) then
      perform engine.refuse('NOT_ALLOWED',
        format('The order has waited for more than %s days.', engine.order_days()), '{"argument": "order_id"}');
    end if;
    perform engine.check_order_limit(v_order.cents::bigint * v_order.uses);
  end if;
  update hill.credit_orders o
     set state = case when approved then 'waiting' else 'declined' end,
         decided_at = engine.now(),
         decided_by = v_staff,
         decided_by_account_id = v_who.account_id
   where o.id = v_order.id
  returning o.* into strict v_order;
  if approved then
    v_order := engine.make_credits(v_order);
  end if;
  perform engine.write_audit(v_staff, v_action, v_order.account_id, null, engine.order_details(v_order), reason);
  return v_order;
end
$$;

-- What the audit log says of an order.
create or replace function engine.order_details(ordered hill.credit_orders)
returns jsonb
language sql stable parallel safe security invoker
return jsonb_strip_nulls(jsonb_build_object(
  'order_id', (ordered).id,
  'ordered_by', (ordered).ordered_by,
  'state', (ordered).state,
  'cents', (ordered).cents,
  'uses', case when (ordered).tournament_id is not null then (ordered).uses end,
  'tournament', (select t.slug from hill.tournaments t where t.id = (ordered).tournament_id),
  'prefix', (ordered).prefix,
  'note', (ordered).note,
  'lot_id', (ordered).lot_id,
  'code', (ordered).code));

create policy owner_sets on hill.staff_limits to hill_owner using (true) with check (true);
create policy staff_asks on hill.staff_limits for select to hill_api_staff, hill_staff
  using ((select api_staff.staff_name()) is not null);
grant select on hill.staff_limits to hill_api_staff, hill_staff;

create policy staff_orders on hill.credit_orders for insert to hill_api_staff
  with check (state = 'waiting' and ordered_by = api_staff.staff_name());
create policy staff_calls on hill.credit_orders for select to hill_api_staff using (true);
-- What was made or declined stays.
create policy staff_decides on hill.credit_orders for update to hill_api_staff
  using (state = 'waiting' and api_staff.staff_name() is not null) with check (true);
create policy staff_read on hill.credit_orders for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
create policy dba_read on hill.credit_orders for select to hill_dba using (true);
create policy owner_looks on hill.credit_orders for select to hill_owner using (true);
grant insert, update (state, decided_at, decided_by, decided_by_account_id, lot_id, code) on hill.credit_orders
  to hill_api_staff;
grant select on hill.credit_orders to hill_api_staff, hill_staff, hill_dba;
create or replace trigger written_once before delete or truncate on hill.credit_orders
  for each statement execute function trusted.guard_balances();

comment on table hill.staff_limits is
'What a member of the staff may give, by role: HILL_STAFF_LIMITS of the last start. A role without a row gives '
'nothing. Rules 18.6.';
comment on column hill.staff_limits.role is 'support, manager or owner; whoever has the staff key is an owner.';
comment on column hill.staff_limits.order_cents is 'The largest order (cents): of a code, all its uses together.';
comment on column hill.staff_limits.day_cents is 'All orders of one member on one day (cents).';
comment on column hill.staff_limits.alone_cents is
'The largest order that no second member has to approve (cents). The staff key gets no approval.';
comment on table hill.credit_orders is
'Credits that members of the staff have ordered, for an account or as a code of a tournament. Rules 18.6.';
comment on column hill.credit_orders.id is 'In the order in which they were taken.';
comment on column hill.credit_orders.day is 'The day on which it was ordered, whose limit it counts against.';
comment on column hill.credit_orders.ordered_at is 'When. Hill''s clock.';
comment on column hill.credit_orders.ordered_by is 'By whom, as in the audit log.';
comment on column hill.credit_orders.ordered_by_account_id is 'Whose account that is; null for the staff key.';
comment on column hill.credit_orders.key is 'What tells this order from another one of the same member.';
comment on column hill.credit_orders.account_id is 'For whom; null for a code.';
comment on column hill.credit_orders.tournament_id is 'For whose entrants; null for an account.';
comment on column hill.credit_orders.cents is 'How much (cents): of a code, for each use.';
comment on column hill.credit_orders.uses is
'How often a code can be redeemed, or how many codes it is that are redeemed once each; 1 for an account.';
comment on column hill.credit_orders.wished_code is 'The text that a code shall have; null for a random one.';
comment on column hill.credit_orders.prefix is
'How each of as many different codes as uses begins, each redeemed once; null for an account, and for one code.';
comment on column hill.credit_orders.note is
'What such codes are for, in the words of who ordered them; null if not said.';
comment on column hill.credit_orders.expires_at is 'When the code expires; null for an account. Hill''s clock.';
comment on column hill.credit_orders.shown is 'Whether everybody reads the code; null for an account.';
comment on column hill.credit_orders.state is
'made, which it is at once up to a limit; waiting for a second member to approve it; or declined.';
comment on column hill.credit_orders.decided_at is
'When a second member approved or declined it; null if none has. Hill''s clock.';
comment on column hill.credit_orders.decided_by is 'Who did, as in the audit log.';
comment on column hill.credit_orders.decided_by_account_id is 'Whose account that is.';
comment on column hill.credit_orders.lot_id is 'The lot that it became; null for a code, and until it is made.';
comment on column hill.credit_orders.code is
'The code that it became; null for an account, for many codes, and until it is made.';
