-- Staff order credits for an account; orders that wait are approved or declined. Rules 5.3, 18.6.

create or replace function api_staff.grant_credits(account_id uuid, cents bigint, key text, reason text)
returns hill.credit_orders
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_order hill.credit_orders;
begin
  perform engine.enter_staff('grant_credits', reason);
  perform engine.find_account(account_id);
  if cents is null or cents not between 1 and engine.grant_maximum_cents() then
    perform engine.refuse('INVALID_AMOUNT', 'A grant is of 1 cent or more.',
      jsonb_build_object('minimum_cents', 1, 'maximum_cents', engine.grant_maximum_cents()));
  end if;
  v_order.account_id := account_id;
  v_order.cents := cents;
  v_order.uses := 1;
  v_order.key := key;
  return engine.order_credits(v_order, 'grant_credits', reason);
end
$$;

create or replace function api_staff.approve_credits(order_id bigint, reason text)
returns hill.credit_orders
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.decide_order(order_id, true, reason);
end
$$;

create or replace function api_staff.decline_credits(order_id bigint, reason text)
returns hill.credit_orders
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.decide_order(order_id, false, reason);
end
$$;

create or replace function api_staff.waiting_orders()
returns setof hill.credit_orders
language sql stable parallel restricted security invoker  -- reads what its caller may read
set search_path to pg_catalog, pg_temp
as $$
  select o.* from hill.credit_orders o where o.state = 'waiting' order by o.id limit 1000
$$;

comment on function api_staff.grant_credits is
'Grants an account credits (cents), which expire after 90 days and are spent first. key: any text, another for each '
'order; the same order under the same key is made once. Up to the limit of your role; from a certain sum on it waits '
'for approve_credits of a second member (state). Returns the order. Errors: INVALID_TOKEN, ROLE_TOO_LOW, '
'REASON_REQUIRED, NOT_FOUND, INVALID_AMOUNT, INVALID_ARGUMENT, NOT_ALLOWED, OWN_ACCOUNT, OVER_STAFF_LIMIT, '
'ACCOUNT_CLOSED. Rules 5.3, 18.6.';
comment on function api_staff.approve_credits is
'Makes an order that waits: for a second member, signed in with an account, whose own limit covers it. Returns the '
'order. Errors: INVALID_TOKEN, ROLE_TOO_LOW, REASON_REQUIRED, NOT_FOUND, NOT_ALLOWED, OWN_ACCOUNT, OVER_STAFF_LIMIT, '
'ACCOUNT_CLOSED. Rules 18.6.
- order_id: which order.';
comment on function api_staff.decline_credits is
'Ends an order that waits, your own or another''s. Returns the order. Errors: INVALID_TOKEN, ROLE_TOO_LOW, '
'REASON_REQUIRED, NOT_FOUND, NOT_ALLOWED. Rules 18.6.
- order_id: which order.';
comment on function api_staff.waiting_orders is
'Orders of credits that wait for a second member, the oldest first, at most 1000. Rules 18.6.';

grant execute on function api_staff.grant_credits, api_staff.approve_credits, api_staff.decline_credits,
  api_staff.waiting_orders to hill_staff;
