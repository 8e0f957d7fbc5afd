-- What staff do for a human who cannot sign in: they move the account to another sign-in, or close it. One member
-- begins it and another approves it; then it waits, and any sign-in of the account can stop it. Rules 18.8.

-- A key by which an order is one, however often it is sent. Errors: INVALID_ARGUMENT.
create or replace function engine.order_key(key text)
returns text
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_key text := engine.trimmed(key);
begin
  if v_key is null or char_length(v_key) not between 1 and 100 then
    perform engine.refuse('INVALID_ARGUMENT',
      'key is a text of 1 to 100 characters, another one for each order: the same order under the same key is one.',
      '{"argument": "key"}');
  end if;
  return v_key;
end
$$;

-- Takes an order of the member who calls (what: the action). The same order under the same key is the one that was
-- taken. Errors: those of engine.enter_staff, INVALID_ARGUMENT, NOT_ALLOWED, NOT_FOUND, ACCOUNT_CLOSED, OWN_ACCOUNT.
create or replace function engine.begin_account_order(account_id uuid, what text, key text, reason text)
returns hill.account_orders
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff text := engine.enter_staff(what, reason);
  v_key   text := engine.order_key(key);
  v_who   record;
  v_order hill.account_orders;
begin
  perform trusted.lock_one('staff');   -- a double click is one order
  select w.* into v_who from api_staff.who_calls() w;
  select o.* into v_order
    from hill.account_orders o
   where o.begun_by_account_id = v_who.account_id and o.key = v_key;
  if found then
    if (v_order.account_id, v_order.what)
       is distinct from (begin_account_order.account_id, begin_account_order.what) then
      perform engine.refuse('NOT_ALLOWED', 'That key stands for another order of yours.',
        jsonb_build_object('argument', 'key', 'account_order_id', v_order.id));
    end if;
    return v_order;
  end if;
  if (engine.find_account(account_id)).house then
    perform engine.refuse('NOT_ALLOWED', 'An account of the house has no human.', '{"argument": "account_id"}');
  end if;
  perform engine.refuse_closed(account_id);
  -- nobody knows whose the staff key is, so nobody can be the second
  if v_who.account_id is null then
    perform engine.refuse('NOT_ALLOWED', 'A second member has to approve that: sign in with your own account.');
  elsif v_who.account_id = account_id then
    perform engine.refuse('OWN_ACCOUNT', 'That account is your own.');
  end if;
  select o.* into v_order from hill.account_orders o
   where o.account_id = begin_account_order.account_id and o.ended_at is null;
  if found then
    perform engine.refuse('NOT_ALLOWED', 'Something of the kind is under way for that account: stop it first.',
      jsonb_build_object('argument', 'account_id', 'account_order_id', v_order.id));
  end if;
  insert into hill.account_orders (account_id, what, state, key, begun_at, begun_by, begun_by_account_id, code)
  values (
    begin_account_order.account_id,
    begin_account_order.what,
    'begun',
    v_key,
    engine.now(),
    v_staff,
    v_who.account_id,
    case what when 'move_sign_in' then engine.random_code() end)
  returning * into v_order;
  perform trusted.tell_account_order(v_order);
  perform engine.write_audit(v_staff, what, account_id, null, engine.account_order_details(v_order), reason);
  return v_order;
end
$$;

-- Approves an order that was begun, for the member who calls: from then on it waits for its bell. Errors: those of
-- engine.enter_staff, NOT_FOUND, NOT_ALLOWED, OWN_ACCOUNT.
create or replace function engine.approve_account_order(account_order_id bigint, reason text)
returns hill.account_orders
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff text := engine.enter_staff('approve_account_order', reason);
  v_now   timestamptz := engine.now();
  v_who   record;
  v_order hill.account_orders;
begin
  perform trusted.lock_one('staff');
  select w.* into v_who from api_staff.who_calls() w;
  select o.* into v_order from hill.account_orders o where o.id = approve_account_order.account_order_id;
  if not found then
    perform engine.refuse('NOT_FOUND', 'There is no such order.', '{"argument": "account_order_id"}');
  elsif v_order.state <> 'begun' then
    perform engine.refuse('NOT_ALLOWED', format('The order is %s.', v_order.state),
      '{"argument": "account_order_id"}');
  elsif v_who.account_id is null or v_who.account_id = v_order.begun_by_account_id then
    perform engine.refuse('NOT_ALLOWED',
      'A second member approves it, signed in with an account: not who began it, and not the staff key.',
      '{"argument": "account_order_id"}');
  elsif v_who.account_id = v_order.account_id then
    perform engine.refuse('OWN_ACCOUNT', 'That account is your own.');
  elsif engine.order_is_stale(v_order) then
    perform engine.refuse('NOT_ALLOWED',
      format('The order has waited for more than %s days.', engine.order_days()),
      '{"argument": "account_order_id"}');
  elsif v_order.what = 'move_sign_in' and v_order.proven_at is null then
    perform engine.refuse('NOT_ALLOWED', 'Its human has not signed in with the code yet.',
      '{"argument": "account_order_id"}');
  end if;
  update hill.account_orders o
     set state = 'approved',
         approved_at = v_now,
         approved_by = v_staff,
         approved_by_account_id = v_who.account_id,
         day = greatest(1, (select engine.day_of(v_now + make_interval(hours => 24 * engine.account_order_days()),
                                                 s.day_one)
                              from hill.settings s))
   where o.id = v_order.id and o.state = 'begun'
  returning o.* into v_order;
  if not found then
    perform engine.refuse('NOT_ALLOWED', 'The order was stopped at this moment.', '{"argument": "account_order_id"}');
  end if;
  perform trusted.tell_account_order(v_order);
  perform engine.write_audit(v_staff, 'approve_account_order', v_order.account_id, null,
    engine.account_order_details(v_order), reason);
  return v_order;
end
$$;

-- Whether nobody approved an order for so long that it ends.
create or replace function engine.order_is_stale(ordered hill.account_orders)
returns boolean
language sql stable parallel safe security invoker
begin atomic
  select (ordered).state = 'begun'
         and (ordered).begun_at < engine.now() - make_interval(hours => 24 * engine.order_days());
end;

-- Ends an order that is under way, and forgets what leads to a human. No row: it has ended. by: null for its human.
create or replace function engine.end_account_order(account_order_id bigint, state text, by text)
returns setof hill.account_orders
language sql volatile parallel unsafe security invoker
begin atomic
  update hill.account_orders o
     set state = end_account_order.state,
         ended_at = engine.now(),
         ended_by = end_account_order.by,
         code = null,
         subject = null,
         email = null
   where o.id = end_account_order.account_order_id and o.ended_at is null
  returning o.*;
end;

-- What the audit log says of an order.
create or replace function engine.account_order_details(ordered hill.account_orders)
returns jsonb
language sql immutable parallel safe
return jsonb_strip_nulls(jsonb_build_object(
  'account_order_id', (ordered).id,
  'what', (ordered).what,
  'begun_by', (ordered).begun_by,
  'state', (ordered).state,
  'day', (ordered).day));

-- Notes an order that was begun or approved among the security events of its account. From the approval on it takes
-- effect by itself, so that is mailed: to every address that a sign-in vouches for, and to that of the notices.
create or replace function trusted.tell_account_order(ordered hill.account_orders)
returns void
language plpgsql volatile parallel unsafe security definer  -- hill_owner: staff read no address
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  perform engine.note_event('staff_order_' || ordered.state, ordered.account_id, null,
    jsonb_build_object('what', ordered.what));
  if ordered.state <> 'approved' then
    return;
  end if;
  insert into hill.mails (account_id, address_id, kind, about, facts, made_at, until, due_at)
  select ordered.account_id, gen_random_uuid(), 'staff_order', ordered.id || ' ' || a.n,
         jsonb_build_object('what', ordered.what, 'at', engine.iso(engine.bell_at(ordered.day)), 'to', a.address),
         v_now, v_now + make_interval(hours => 24 * engine.mail_patience_days()), v_now
    from (select b.address, row_number() over (order by b.address) as n
            from (select i.email as address from oauth.sign_ins i where i.account_id = ordered.account_id
                  union
                  select lower(m.address) from oauth.mail_addresses m
                   where m.account_id = ordered.account_id and m.stopped_at is null) b
           where engine.can_be_mailed(b.address)) a
      on conflict do nothing;
  perform trusted.note_change('work:mail');
end
$$;

grant execute on function trusted.tell_account_order to hill_api_staff;

create policy staff_begins on hill.account_orders for insert to hill_api_staff
  with check (state = 'begun' and begun_by = api_staff.staff_name());
create policy staff_calls on hill.account_orders for select to hill_api_staff using (true);
-- What was done or stopped stays.
create policy staff_decides on hill.account_orders for update to hill_api_staff
  using (ended_at is null and api_staff.staff_name() is not null) with check (state in ('approved', 'stopped'));
create policy staff_read on hill.account_orders for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
create policy human_proves on hill.account_orders to hill_api_human using (true) with check (true);
create policy owner_looks on hill.account_orders for select to hill_owner using (true);
create policy owner_ends on hill.account_orders for update to hill_owner
  using (ended_at is null) with check (ended_at is not null);
grant select, insert, update (
  state, approved_at, approved_by, approved_by_account_id, day, ended_at, ended_by, code, subject, email)
  on hill.account_orders to hill_api_staff;
grant select, update (provider, subject, email, proven_at, code, state, ended_at, ended_by)
  on hill.account_orders to hill_api_human;
-- Without what leads to a human, and without the codes.
grant select (
  id, account_id, what, state, begun_at, begun_by, begun_by_account_id, provider, proven_at, approved_at, approved_by,
  approved_by_account_id, day, ended_at, ended_by)
  on hill.account_orders to hill_staff;
create or replace trigger written_once before delete or truncate on hill.account_orders
  for each statement execute function trusted.guard_balances();

comment on table hill.account_orders is
'What staff do for humans who cannot sign in: they move the account to another sign-in, or close it. Begun by one '
'member, approved by another, and done after a bell unless it is stopped. Rules 18.8.';
comment on column hill.account_orders.id is 'In the order in which they were begun.';
comment on column hill.account_orders.account_id is 'To which account.';
comment on column hill.account_orders.what is 'move_sign_in or close_account_for: what the member called.';
comment on column hill.account_orders.state is
'begun; approved, which is done after the bell of day; done; or stopped. At most one of an account is under way.';
comment on column hill.account_orders.key is 'What tells this order from another one of the same member.';
comment on column hill.account_orders.begun_at is 'When. Hill''s clock.';
comment on column hill.account_orders.begun_by is 'By whom, as in the audit log.';
comment on column hill.account_orders.begun_by_account_id is 'Whose account that is.';
comment on column hill.account_orders.code is
'With it the human signs in with the new sign-in, once; null afterwards. As text, since who began it reads it until '
'then: for nothing else is it good, and what it leads to has to be approved.';
comment on column hill.account_orders.provider is 'Of the new sign-in; null until its human has signed in with it.';
comment on column hill.account_orders.subject is
'The provider''s own id of the new sign-in, which opens no other account meanwhile; null before, and once it ended.';
comment on column hill.account_orders.email is 'The address of the new sign-in; null before, and once it has ended.';
comment on column hill.account_orders.proven_at is 'When its human signed in with it. Real clock.';
comment on column hill.account_orders.approved_at is 'When a second member approved it; null before. Hill''s clock.';
comment on column hill.account_orders.approved_by is 'Who did, as in the audit log.';
comment on column hill.account_orders.approved_by_account_id is 'Whose account that is.';
comment on column hill.account_orders.day is 'The day after whose bell it is done; null until it is approved.';
comment on column hill.account_orders.ended_at is 'When it was done or stopped; null while it is under way.';
comment on column hill.account_orders.ended_by is
'The member who stopped it; null for its human, for time, for a closing, and where it was done.';
