-- An account goes over to another sign-in, for a human who lost the login. Rules 18.8; protocol 5.2.

-- Refuses a sign-in that an order of staff keeps for an account. Errors: SIGN_IN_WAITS.
create or replace function engine.refuse_waiting(provider text, subject text)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if exists (select from hill.account_orders o
              where o.provider = refuse_waiting.provider and o.subject = refuse_waiting.subject) then
    perform engine.refuse('SIGN_IN_WAITS', 'That sign-in waits to open an account whose login was lost.');
  end if;
end
$$;

-- Ends whatever opened an account, sessions, agents, the private feed and its place among the staff, and lets the
-- sign-in of an order of staff open it. The caller holds the sign-ins (engine.hold_sign_ins).
create or replace function engine.move_sign_in(moved hill.account_orders)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  perform engine.hold_grants(moved.account_id);
  perform engine.sign_out_everywhere(moved.account_id);
  perform engine.cut_agents(moved.account_id);
  perform trusted.forget_member(moved.account_id);   -- who takes an account over takes no role with it
  update oauth.private_feeds f set token_hash = null where f.account_id = moved.account_id;
  perform trusted.delete_sign_in(i.account_id, i.provider, i.subject),
          engine.note_event('sign_in_removed', i.account_id, null, jsonb_build_object('provider', i.provider))
     from oauth.sign_ins i where i.account_id = moved.account_id;
  insert into oauth.sign_ins (provider, subject, account_id, email, created_at, last_used_at)
  values (moved.provider, moved.subject, moved.account_id, moved.email, v_now, v_now);
  perform engine.take_address(moved.account_id, moved.email);
  perform engine.note_event('sign_in_moved', moved.account_id, null, jsonb_build_object('provider', moved.provider));
end
$$;
