-- Staff move an account to another sign-in, or close it, for a human who cannot sign in. Rules 18.8.

create or replace function api_staff.move_sign_in(account_id uuid, key text, reason text)
returns hill.account_orders
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.begin_account_order(account_id, 'move_sign_in', key, reason);
end
$$;

create or replace function api_staff.close_account_for(account_id uuid, key text, reason text)
returns hill.account_orders
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.begin_account_order(account_id, 'close_account_for', key, reason);
end
$$;

create or replace function api_staff.approve_account_order(account_order_id bigint, reason text)
returns hill.account_orders
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_order hill.account_orders := engine.approve_account_order(account_order_id, reason);
begin
  v_order.subject := null;   -- staff read no address, nor whose login it is
  v_order.email := null;
  return v_order;
end
$$;

create or replace function api_staff.stop_account_order(account_order_id bigint, reason text)
returns hill.account_orders
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff text := engine.enter_staff('stop_account_order', reason);
  v_order hill.account_orders;
begin
  select e.* into v_order from engine.end_account_order(account_order_id, 'stopped', v_staff) e;
  if not found then
    select o.* into v_order from hill.account_orders o where o.id = stop_account_order.account_order_id;
    if not found then
      perform engine.refuse('NOT_FOUND', 'There is no such order.', '{"argument": "account_order_id"}');
    end if;
    perform engine.refuse('NOT_ALLOWED', format('The order is %s.', v_order.state),
      '{"argument": "account_order_id"}');
  end if;
  perform trusted.tell_account_order(v_order);
  perform engine.write_audit(v_staff, 'stop_account_order', v_order.account_id, null,
    engine.reverses(case when v_order.approved_at is null then v_order.what else 'approve_account_order' end,
                    jsonb_build_object('account_order_id', v_order.id))
      || jsonb_build_object('what', v_order.what),
    reason);
  return v_order;
end
$$;

create or replace function api_staff.sign_in_code(account_order_id bigint)
returns text
language sql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
  select o.code from hill.account_orders o
   where o.id = sign_in_code.account_order_id
     and o.begun_by_account_id = (select w.account_id from api_staff.who_calls() w)
$$;

comment on function api_staff.move_sign_in is
'Begins to move an account to another sign-in, for a human who lost the login. Give its human signInCode of the order '
'and /sign-in/move: there they sign in with the new login. Then a second member approves it (approveAccountOrder). '
'The same order under the same key is one. Returns the order. Errors: INVALID_TOKEN, ROLE_TOO_LOW, REASON_REQUIRED, '
'INVALID_ARGUMENT, NOT_FOUND, ACCOUNT_CLOSED, NOT_ALLOWED, OWN_ACCOUNT. Rules 18.8.
- key: any text, another for each order.';
comment on function api_staff.close_account_for is
'Begins to close an account for a human who asks for it and cannot sign in. A second member approves it '
'(approveAccountOrder). The same order under the same key is one. Returns the order. Errors: INVALID_TOKEN, '
'ROLE_TOO_LOW, REASON_REQUIRED, INVALID_ARGUMENT, NOT_FOUND, ACCOUNT_CLOSED, NOT_ALLOWED, OWN_ACCOUNT. Rules 18.8.
- key: any text, another for each order.';
comment on function api_staff.approve_account_order is
'Approves what another member began for an account: it is done after the bell of the returned day, unless it is '
'stopped. Every address of the account is told by mail. Returns the order. Errors: INVALID_TOKEN, ROLE_TOO_LOW, '
'REASON_REQUIRED, NOT_FOUND, NOT_ALLOWED, OWN_ACCOUNT. Rules 18.8.
- account_order_id: which order.';
comment on function api_staff.stop_account_order is
'Stops what was begun or approved for an account, your own or another''s, before it is done. Returns the order. '
'Errors: INVALID_TOKEN, ROLE_TOO_LOW, REASON_REQUIRED, NOT_FOUND, NOT_ALLOWED. Rules 18.8.
- account_order_id: which order.';
comment on function api_staff.sign_in_code is
'The code for the human of a move that you began: good once, at /sign-in/move. Null for an order that another member '
'began, and once it was used or has ended. Rules 18.8.
- account_order_id: which order.';

grant execute on function api_staff.move_sign_in, api_staff.close_account_for, api_staff.approve_account_order,
  api_staff.stop_account_order, api_staff.sign_in_code to hill_staff;
