-- payments/release.sql · Staff end the bar of an account. Rules 5.8.

create or replace function engine.release_claims(account_id uuid, now timestamptz)
returns jsonb
language plpgsql volatile parallel unsafe security definer  -- hill_owner: staff change no claim themselves
set search_path to pg_catalog, pg_temp
as $$
declare
  v_claims jsonb;
begin
  with released as (
    update hill.payment_claims c
       set released_at = release_claims.now
      from hill.top_ups t
     where t.payment = c.payment and t.account_id = release_claims.account_id and c.live and c.released_at is null
    returning c.id
  )
  select coalesce(jsonb_agg(r.id order by r.id), '[]') into v_claims from released r;
  update hill.accounts a set barred_at = null where a.id = release_claims.account_id;
  return v_claims;
end
$$;

comment on function engine.release_claims is
'Releases the claims that bar an account: they bar it no longer, whatever becomes of them. Returns their ids. The '
'caller holds the lock "payments" and the account. Rules 5.8.';

create or replace function engine.lift_bar(account_id uuid, reason text)
returns hill.accounts
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff   text := engine.enter_staff(reason);
  v_claims  jsonb;
  v_account hill.accounts;
begin
  perform engine.lock_one('payments');
  v_account := engine.find_account(account_id);
  if v_account.barred_at is null then
    perform engine.refuse('NOT_ALLOWED', 'The account is not barred.', '{"argument": "account_id"}');
  end if;
  v_claims := engine.release_claims(account_id, engine.take_instant(account_id));
  perform engine.write_audit(v_staff, 'lift_bar', account_id, null, jsonb_build_object('claims', v_claims), reason);
  select a.* into strict v_account from hill.accounts a where a.id = lift_bar.account_id;
  return v_account;
end
$$;

comment on function engine.lift_bar is
'Ends the bar of an account for the member of staff who calls: its present claims bar it no longer, and a new one '
'does. What is taken back stays taken. Returns the account. Errors: INVALID_TOKEN, REASON_REQUIRED, NOT_FOUND, '
'NOT_ALLOWED. Rules 5.8.';

grant execute on function engine.lift_bar, engine.release_claims to hill_api_staff;
