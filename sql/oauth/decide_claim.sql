-- The human looks at a claim, and approves it with the code or refuses it. Outcomes are returned, not raised: a wrong
-- code is counted, and an error would roll the count back. Protocol 3.4.

create type engine.claim_seen as (
  outcome text,
  registration_id uuid,
  client_id text,
  client_name text,
  registered_at timestamptz,
  expires_at timestamptz,
  tries_left integer,
  scopes text[],
  agent_id uuid,
  retry_after_seconds integer,
  attempt_id uuid,
  grant_id uuid,
  at timestamptz);

comment on type engine.claim_seen is
'What came of a look at a claim, or of its code: the outcome, and with it what the human is shown. attempt_id, '
'grant_id and at, the instant of which this is true, are for the functions that decide next.';

-- A claim as the human of an account may see it, by the token of its page, locked until the transaction ends.
create or replace function engine.claim_attempt_at(attempt_token text, account_id uuid)
returns engine.claim_seen
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now          timestamptz;
  v_attempt      oauth.claim_attempts;
  v_registration oauth.registrations;
  v_grant        oauth.grants;
  v_seen         engine.claim_seen;
begin
  select * into v_attempt from oauth.claim_attempts c where c.token_hash = engine.hash_token(attempt_token);
  if not found then
    v_seen.outcome := 'unknown';
    return v_seen;
  end if;
  select * into v_registration from oauth.registrations r where r.id = v_attempt.registration_id;
  -- always the grant's row first: it serializes everything that happens to the registration
  v_grant := engine.lock_grant(v_registration.grant_id);
  select * into v_attempt from oauth.claim_attempts c where c.id = v_attempt.id;
  select * into v_registration from oauth.registrations r where r.id = v_registration.id;
  v_now := engine.door_now();   -- read once everything is locked: the decisions below are made at this instant
  if v_attempt.id is null then  -- it was forgotten meanwhile
    v_seen.outcome := 'unknown';
    return v_seen;
  end if;

  -- Another account learns nothing and changes nothing, so this does not count as a try. For practice whoever has the
  -- code is the human.
  if not engine.is_practice()
     and engine.account_of_address(v_attempt.email) is distinct from claim_attempt_at.account_id then
    v_seen.outcome := 'wrong_account';
    return v_seen;
  end if;
  -- Open claims end with the 24 hours. Refused ones, and tokens that were fetched in time, stay as they are.
  if v_registration.claim_expires_at <= v_now and v_registration.issued_at is null
     and v_attempt.status <> 'refused' then
    v_seen.outcome := 'claim_expired';
    return v_seen;
  end if;
  if v_attempt.status <> 'initiated' then
    v_seen.outcome := v_attempt.status;
    return v_seen;
  end if;
  if v_attempt.expires_at <= v_now or v_registration.claimed_at is not null or v_grant.id is null then
    v_seen.outcome := 'expired';
    return v_seen;
  end if;
  v_seen.outcome := 'initiated';
  v_seen.registration_id := v_registration.id;
  v_seen.client_id := v_grant.client_id;
  v_seen.client_name := (select engine.shown_client(c.name) from oauth.clients c where c.id = v_grant.client_id);
  v_seen.registered_at := v_registration.created_at;
  v_seen.expires_at := v_attempt.expires_at;
  v_seen.tries_left := engine.claim_tries() - v_attempt.wrong_tries;
  v_seen.scopes := '{hill:read,hill:play}';
  v_seen.attempt_id := v_attempt.id;
  v_seen.grant_id := v_grant.id;
  v_seen.at := v_now;
  return v_seen;
end
$$;

-- Counts a code that is not the one of the claim, and gives what came of it. account_id: whose human typed it; null for
-- practice, before there is one.
create or replace function engine.count_wrong_code(claim engine.claim_seen, account_id uuid)
returns engine.claim_seen
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_attempt oauth.claim_attempts;
  v_locked  engine.claim_seen;
begin
  update oauth.claim_attempts c
     set wrong_tries = c.wrong_tries + 1,
         status = case when c.wrong_tries + 1 = engine.claim_tries() then 'locked' else c.status end,
         decided_at = case when c.wrong_tries + 1 = engine.claim_tries() then claim.at end
   where c.id = claim.attempt_id
  returning c.* into v_attempt;
  if v_attempt.status = 'locked' then
    if account_id is not null then
      perform engine.note_event('claim_locked', account_id, null,
        jsonb_build_object('registration_id', claim.registration_id));
    end if;
    v_locked.outcome := 'locked';
    return v_locked;
  end if;
  claim.outcome := 'wrong_code';
  claim.tries_left := engine.claim_tries() - v_attempt.wrong_tries;
  return claim;
end
$$;

-- Whether that is the code of a claim.
create or replace function engine.claim_code_fits(claim engine.claim_seen, attempt_token text, user_code text)
returns boolean
language sql stable parallel safe security invoker
begin atomic
  select coalesce(bool_or(c.code_hash = engine.user_code_hash(attempt_token, user_code)), false)
    from oauth.claim_attempts c where c.id = (claim).attempt_id;
end;

-- Takes the code that the human typed. Errors: INVALID_ARGUMENT, NAME_TAKEN, and then no try was counted. Protocol 3.4.
create or replace function engine.approve_claim(
  account_id uuid,
  attempt_token text,
  user_code text,
  account_name text)
returns engine.claim_seen
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_claim   engine.claim_seen := engine.claim_attempt_at(attempt_token, account_id);
  v_ended   engine.claim_seen;
  v_wait    integer;
  v_attempt oauth.claim_attempts;
begin
  if v_claim.outcome <> 'initiated' then
    return v_claim;
  end if;
  -- before the code is looked at: a refusal undoes what was counted
  perform engine.check_name(account_name, account_id);
  v_wait := engine.admit('code_account', approve_claim.account_id::text, engine.claim_codes_per_hour(), 3600);
  if v_wait > 0 then
    v_ended.outcome := 'rate_limited';
    v_ended.retry_after_seconds := v_wait;
    return v_ended;
  end if;

  if not engine.claim_code_fits(v_claim, attempt_token, user_code) then
    return engine.count_wrong_code(v_claim, account_id);
  end if;
  select * into v_attempt from oauth.claim_attempts c where c.id = v_claim.attempt_id;

  -- All that the agent held before it had a human ends here, its assertion too. The claim token fetches the new tokens.
  perform engine.revoke_tokens(v_claim.grant_id);
  perform engine.name_account(account_id, account_name);
  insert into hill.agents (account_id, name, created_at)
  values (approve_claim.account_id, v_claim.client_name, engine.now())
  returning id into v_claim.agent_id;
  update oauth.grants g
     set account_id = approve_claim.account_id,
         agent_id = v_claim.agent_id,
         scopes = v_claim.scopes,
         last_used_at = v_claim.at
   where g.id = v_claim.grant_id;
  update oauth.registrations r
     set claimed_at = v_claim.at, generation = 2, email = v_attempt.email
   where r.id = v_attempt.registration_id;
  update oauth.claim_attempts c set status = 'approved', decided_at = v_claim.at where c.id = v_attempt.id;
  perform engine.note_event('agent_claimed', account_id, v_claim.agent_id,
    jsonb_build_object('registration_id', v_attempt.registration_id));
  v_claim.outcome := 'approved';
  return v_claim;
end
$$;

-- The human refuses the claim: the agent's poll gets access_denied. Protocol 3.4.
create or replace function engine.refuse_claim(account_id uuid, attempt_token text)
returns engine.claim_seen
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_claim engine.claim_seen := engine.claim_attempt_at(attempt_token, account_id);
begin
  if v_claim.outcome <> 'initiated' then
    return v_claim;
  end if;
  update oauth.claim_attempts c set status = 'refused', decided_at = v_claim.at where c.id = v_claim.attempt_id;
  perform engine.note_event('claim_refused', account_id, null,
    jsonb_build_object('registration_id', v_claim.registration_id));
  v_claim.outcome := 'refused';
  return v_claim;
end
$$;
