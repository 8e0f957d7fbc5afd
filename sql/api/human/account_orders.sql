-- What staff do for a human who cannot sign in, where humans meet it: the new sign-in is proven, an old one stops it,
-- and after its bell it is done. Rules 18.8.

create or replace function api_human.prove_new_sign_in(
  code text,
  provider text,
  subject text,
  email text,
  proven_at bigint,
  proof text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_order hill.account_orders;
begin
  perform engine.check_proof('prove new sign-in',
    array[encode(engine.hash_token(code), 'hex'), provider, subject, email], proven_at, proof);
  perform engine.check_vouched(provider, subject, email);
  perform engine.hold_sign_ins();
  -- 70 random bits, and each try takes a sign-in at a provider: guesses are not counted
  select o.* into v_order from hill.account_orders o
   where o.code = upper(engine.trimmed(prove_new_sign_in.code)) for update;
  if not found or engine.order_is_stale(v_order) then
    perform engine.refuse('UNKNOWN_CODE', 'No staff wait for that code: it was used, has ended or is another.');
  end if;
  if exists (select from oauth.sign_ins i
              where i.provider = prove_new_sign_in.provider and i.subject = prove_new_sign_in.subject) then
    perform engine.refuse('SIGN_IN_TAKEN', 'That sign-in opens an account here.');
  end if;
  perform engine.refuse_waiting(provider, subject);
  update hill.account_orders o
     set code = null,
         provider = prove_new_sign_in.provider,
         subject = prove_new_sign_in.subject,
         email = lower(prove_new_sign_in.email),
         proven_at = clock_timestamp()
   where o.id = v_order.id;
  perform set_config('hill.account_id', v_order.account_id::text, true), set_config('hill.accounts', '', true);
  perform engine.note_event('new_sign_in_proven', v_order.account_id, null, jsonb_build_object('provider', provider));
  return jsonb_build_object('name', (select a.name from hill.accounts a where a.id = v_order.account_id));
end
$$;

create or replace function api_human.stop_account_order(session text, account_order_id bigint)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human(session);
  v_order      hill.account_orders;
begin
  if not exists (select from hill.account_orders o
                  where o.id = stop_account_order.account_order_id and o.account_id = v_account_id) then
    return false;
  end if;
  select e.* into v_order from engine.end_account_order(account_order_id, 'stopped', null) e;
  if not found then
    return false;
  end if;
  perform engine.note_event('staff_order_stopped', v_account_id, null, jsonb_build_object('what', v_order.what));
  return true;
end
$$;

create or replace function api_human.due_account_orders()
returns bigint[]
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.end_account_order(o.id, 'stopped', null)
     from hill.account_orders o where o.ended_at is null and engine.order_is_stale(o);
  return array(
    select o.id from hill.account_orders o
     where o.ended_at is null and o.day <= engine.last_night() order by o.day, o.id);
end
$$;

create or replace function api_human.carry_out_account_order(account_order_id bigint)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_order hill.account_orders;
begin
  perform engine.hold_sign_ins();   -- before the order: who closes the account comes by both in this order
  select o.* into v_order
    from hill.account_orders o
   where o.id = carry_out_account_order.account_order_id
     and o.ended_at is null
     and o.day <= engine.last_night()
     for update;
  if not found then
    return false;
  end if;
  perform engine.end_account_order(v_order.id, 'done', null);
  perform set_config('hill.account_id', v_order.account_id::text, true), set_config('hill.accounts', '', true);
  case v_order.what
    when 'move_sign_in' then
      perform engine.move_sign_in(v_order);
    when 'close_account_for' then
      perform engine.close_account(v_order.account_id);
  end case;
  return true;
exception
  when sqlstate 'ZHBEL' then   -- the next bell rings already, and who rings it calls this again
    return false;
end
$$;

comment on function api_human.prove_new_sign_in is
'Uses up the code that staff gave to a human who lost the login: the sign-in that a provider vouched for becomes the '
'account''s once the order is done, and opens no other until then. Proof "prove new sign-in": SHA-256 of the code '
'(hexadecimal), provider, subject, email. Returns the account''s name. Errors: PROOF_REFUSED, INVALID_ARGUMENT, '
'UNKNOWN_CODE, SIGN_IN_TAKEN, SIGN_IN_WAITS. Rules 18.8.';
comment on function api_human.stop_account_order is
'Stops what staff have begun for the human''s account. False if nothing of that number is under way. Errors: '
'INVALID_TOKEN. Rules 18.8.';
comment on function api_human.due_account_orders is
'For the worker: the orders of staff whose bell has rung, to be carried out one by one. Ends those that nobody '
'approved in time. Rules 18.8.';
comment on function api_human.carry_out_account_order is
'For the worker: moves the account to its new sign-in or closes it, once, if its bell has rung and nobody has stopped '
'it. Returns whether it did. Any number of callers are harmless. Rules 18.8.';

grant execute on function api_human.prove_new_sign_in, api_human.stop_account_order to hill_human;
grant execute on function api_human.due_account_orders, api_human.carry_out_account_order to hill_api_worker;
