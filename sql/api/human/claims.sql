-- The claim page. Protocol 3.4.

create or replace function api_human.claim_json(claim engine.claim_seen)
returns jsonb
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
  -- each outcome has its own fields; the others are null
  select jsonb_strip_nulls(jsonb_build_object(
      'outcome', claim.outcome,
      'registration_id', claim.registration_id,
      'client_id', claim.client_id,
      'client_name', claim.client_name,
      'registered_at', engine.iso(claim.registered_at),
      'expires_at', engine.iso(claim.expires_at),
      'tries_left', claim.tries_left,
      'scopes', claim.scopes,
      'agent_id', claim.agent_id,
      'retry_after_seconds', claim.retry_after_seconds))
$$;

create or replace function api_human.look_at_claim(session text, attempt_token text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return api_human.claim_json(engine.claim_attempt_at(attempt_token, engine.enter_human(session)));
end
$$;

create or replace function api_human.approve_claim(
  session text,
  attempt_token text,
  user_code text,
  account_name text default null,
  terms_id integer default null)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human(session);
  v_claim      engine.claim_seen := engine.approve_claim(v_account_id, attempt_token, user_code, account_name);
begin
  perform engine.enter_human(session);   -- it may have been ended while this waited
  if v_claim.outcome = 'approved' then
    perform engine.accept_terms(v_account_id, terms_id, 'claim');
  end if;
  return api_human.claim_json(v_claim);
end
$$;

create or replace function api_human.refuse_claim(session text, attempt_token text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_claim engine.claim_seen := engine.refuse_claim(engine.enter_human(session), attempt_token);
begin
  perform engine.enter_human(session);   -- it may have been ended while this waited
  return api_human.claim_json(v_claim);
end
$$;

create or replace function api_human.practice_claim(attempt_token text, user_code text default null)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_claim engine.claim_seen;
begin
  perform engine.check_practice();
  v_claim := engine.claim_attempt_at(attempt_token, null);
  if v_claim.outcome = 'initiated' and user_code is not null
     and not engine.claim_code_fits(v_claim, attempt_token, user_code) then
    v_claim := engine.count_wrong_code(v_claim, null);
  end if;
  return api_human.claim_json(v_claim);
end
$$;

comment on function api_human.practice_claim is
'On a practice hill, before anybody is signed in: what a claim page shows, by the token in its address, and with a '
'code whether that is the one; a wrong code is counted. See engine.claim_attempt_at for the outcomes. Errors: '
'SETTING_REFUSED on any other hill. Rules 17.4.';
comment on function api_human.claim_json is
'A claim as JSON for its page: the outcome and what goes with it. No internal id is among these.';
comment on function api_human.look_at_claim is
'What a claim page shows, by the token in its address: see engine.claim_attempt_at for the outcomes. Errors: '
'INVALID_TOKEN.';
comment on function api_human.approve_claim is
'The human typed a code, and chose a name if this is the first agent: see engine.approve_claim for the outcomes, a '
'wrong code among them. terms_id: the terms that the page showed, accepted if it is approved. Errors: INVALID_TOKEN, '
'INVALID_ARGUMENT, NAME_TAKEN.';
comment on function api_human.refuse_claim is 'The human refuses: see engine.refuse_claim. Errors: INVALID_TOKEN.';

grant execute on function
  api_human.look_at_claim,
  api_human.approve_claim,
  api_human.refuse_claim,
  api_human.practice_claim
  to hill_human;
