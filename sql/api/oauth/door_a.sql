-- Door A, for agents without a browser: registration, exchange, claim. Protocol 1.2, 3.1, 3.4, 6.

create or replace function api_oauth.register_anonymous(
  registration_id uuid,
  client_id text,
  client_name text,
  claim_token text,
  assertion text)
returns void
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now      timestamptz := engine.door_now();
  v_grant_id uuid;
begin
  perform engine.refuse_full();
  insert into oauth.clients (id, kind, name, scopes, created_at)
  values (register_anonymous.client_id, 'anonymous', engine.shown_client(register_anonymous.client_name),
          '{hill:read,hill:play}', v_now);
  insert into oauth.grants (client_id, scopes, created_at, last_used_at)
  values (register_anonymous.client_id, '{hill:read}', v_now, v_now) returning id into v_grant_id;
  insert into oauth.registrations (id, grant_id, claim_token_hash, claim_expires_at, created_at)
  values (
    registration_id,
    v_grant_id,
    engine.hash_token(claim_token),
    v_now + make_interval(hours => engine.claim_token_hours()),
    v_now);
  insert into oauth.assertions (token_hash, registration_id, generation, created_at, expires_at)
  values (
    engine.hash_token(assertion),
    register_anonymous.registration_id,
    1,
    v_now,
    v_now + make_interval(hours => engine.identity_assertion_hours()));
end
$$;

create or replace function api_oauth.exchange_assertion(
  assertion text,
  access_token text,
  scopes text[],
  audience text,
  next_assertion text)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_assertion    oauth.assertions;
  v_grant        oauth.grants;
  v_registration oauth.registrations;
begin
  select * into v_assertion from oauth.assertions a where a.token_hash = engine.hash_token(assertion);
  select * into v_registration from oauth.registrations r where r.id = v_assertion.registration_id;
  v_grant := engine.lock_grant(v_registration.grant_id);
  if v_grant.id is null then
    return false;
  end if;
  -- read again, now that the grant is locked
  select * into v_registration from oauth.registrations r where r.id = v_assertion.registration_id;
  select * into v_assertion from oauth.assertions a where a.token_hash = v_assertion.token_hash;
  -- null as well: it was forgotten meanwhile
  if (v_assertion.revoked_at is null
      and v_assertion.expires_at > engine.door_now()
      and v_assertion.generation = v_registration.generation
      and exchange_assertion.scopes <@ v_grant.scopes
      and (next_assertion is null or v_registration.generation = 2)) is not true then
    return false;
  end if;

  perform engine.issue_access_token(v_grant, access_token, exchange_assertion.scopes, exchange_assertion.audience);
  if next_assertion is not null then
    insert into oauth.assertions (token_hash, registration_id, generation, created_at, expires_at)
    values (
      engine.hash_token(next_assertion),
      v_registration.id,
      2,
      engine.door_now(),
      engine.door_now() + make_interval(hours => engine.identity_assertion_hours()));
  end if;
  return true;
end
$$;

create or replace function api_oauth.begin_claim(
  claim_token text,
  email text,
  attempt_token text,
  user_code text,
  at_most integer,
  seconds integer)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_registration oauth.registrations;
  v_grant        oauth.grants;
  v_attempt      oauth.claim_attempts;
  v_now          timestamptz;
  v_wait         integer;
begin
  select * into v_registration from oauth.registrations r where r.claim_token_hash = engine.hash_token(claim_token);
  if not found then
    return '{"outcome": "invalid_claim_token"}';
  end if;
  -- counted only now: an invented token would otherwise leave a row each time
  v_wait := engine.admit('claimsPerAgent', v_registration.id::text, at_most, seconds);
  if v_wait > 0 then
    return jsonb_build_object('outcome', 'rate_limited', 'retry_after_seconds', v_wait);
  end if;
  v_grant := engine.lock_grant(v_registration.grant_id);
  select * into v_registration from oauth.registrations r where r.id = v_registration.id;
  v_now := engine.door_now();
  if v_registration.claim_expires_at <= v_now then
    return '{"outcome": "claim_expired"}';
  end if;
  if v_grant.id is null or v_registration.issued_at is not null then
    return '{"outcome": "invalid_claim_token"}';   -- revoked or spent: a poll would give nothing either
  end if;
  if v_registration.claimed_at is not null then
    return '{"outcome": "claimed_or_in_flight"}';
  end if;
  if exists (select from oauth.claim_attempts c
              where c.registration_id = v_registration.id and c.status = 'initiated' and c.expires_at > v_now) then
    return '{"outcome": "claimed_or_in_flight"}';
  end if;

  insert into oauth.claim_attempts
    (registration_id, token_hash, code_hash, email, poll_interval, created_at, expires_at)
  values (
    v_registration.id,
    engine.hash_token(attempt_token),
    engine.user_code_hash(attempt_token, user_code),
    lower(begin_claim.email),
    make_interval(secs => engine.claim_poll_seconds()),
    v_now,
    -- no code outlives its claim
    least(v_now + make_interval(secs => engine.claim_code_seconds()), v_registration.claim_expires_at))
  returning * into v_attempt;
  update oauth.grants g set last_used_at = v_now where g.id = v_grant.id;
  return jsonb_build_object(
    'outcome', 'initiated',
    'registration_id', v_registration.id,
    'claim_attempt_id', v_attempt.id,
    'expires_at', engine.iso(v_attempt.expires_at),
    'expires_in', floor(extract(epoch from v_attempt.expires_at - v_now)),
    'interval', engine.claim_poll_seconds());
end
$$;

create or replace function api_oauth.poll_claim(claim_token text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_registration oauth.registrations;
  v_grant        oauth.grants;
  v_attempt      oauth.claim_attempts;
  v_now          timestamptz;
  v_too_fast     boolean;
begin
  select * into v_registration from oauth.registrations r where r.claim_token_hash = engine.hash_token(claim_token);
  if not found then
    return '{"outcome": "invalid_grant"}';
  end if;
  v_grant := engine.lock_grant(v_registration.grant_id);
  select * into v_registration from oauth.registrations r where r.id = v_registration.id;
  v_now := engine.door_now();
  -- a claim gives nothing after its 24 hours, whatever the human decided
  if v_registration.claim_expires_at <= v_now then
    return '{"outcome": "claim_expired"}';
  end if;
  if v_registration.issued_at is not null or v_grant.id is null then
    return '{"outcome": "invalid_grant"}';         -- spent or revoked
  end if;
  if v_registration.claimed_at is not null then
    return jsonb_build_object(
      'outcome', 'approved',
      'registration_id', v_registration.id,
      'client_id', v_grant.client_id,
      'account_id', v_grant.account_id,
      'email', v_registration.email,
      'scopes', v_grant.scopes);
  end if;

  select * into v_attempt
    from oauth.claim_attempts c
   where c.registration_id = v_registration.id
   order by c.created_at desc, c.id desc
   limit 1;
  if not found or v_attempt.status = 'locked' or (v_attempt.status = 'initiated' and v_attempt.expires_at <= v_now) then
    return '{"outcome": "expired_token"}';
  end if;
  if v_attempt.status = 'refused' then
    return '{"outcome": "access_denied"}';
  end if;
  v_too_fast := engine.polls_too_fast(v_attempt.polled_at, v_attempt.poll_interval, v_now);
  update oauth.claim_attempts c
     set polled_at = v_now,
         poll_interval = c.poll_interval
           + case when v_too_fast then make_interval(secs => engine.claim_poll_seconds()) else interval '0' end
   where c.id = v_attempt.id
  returning * into v_attempt;
  return jsonb_build_object(
    'outcome', case when v_too_fast then 'slow_down' else 'authorization_pending' end,
    'interval', extract(epoch from v_attempt.poll_interval)::integer);
end
$$;

create or replace function api_oauth.redeem_claim(claim_token text, access_token text, assertion text, audience text)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_registration oauth.registrations;
  v_grant        oauth.grants;
  v_now          timestamptz;
begin
  select * into v_registration from oauth.registrations r where r.claim_token_hash = engine.hash_token(claim_token);
  v_grant := engine.lock_grant(v_registration.grant_id);
  v_now := engine.door_now();
  update oauth.registrations r set issued_at = v_now
   where r.id = v_registration.id and r.claimed_at is not null and r.issued_at is null and r.claim_expires_at > v_now
     and v_grant.id is not null;
  if not found then
    return false;
  end if;
  perform engine.issue_access_token(v_grant, access_token, v_grant.scopes, redeem_claim.audience);
  insert into oauth.assertions (token_hash, registration_id, generation, created_at, expires_at)
  values (engine.hash_token(assertion), v_registration.id, 2, v_now,
          v_now + make_interval(hours => engine.identity_assertion_hours()));
  return true;
end
$$;

create or replace function api_oauth.revoke_token(token text, client_id text)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_hash     bytea := engine.hash_token(token);
  v_grant_id uuid;
  v_grant    oauth.grants;
begin
  -- Any known token, even an ended one: a client that comes back to leave holds only tokens that have ended.
  select k.grant_id into v_grant_id
    from (select t.grant_id from oauth.access_tokens t where t.token_hash = v_hash
          union all
          select c.grant_id from oauth.refresh_tokens f join oauth.refresh_chains c on c.id = f.chain_id
           where f.token_hash = v_hash
          union all
          select r.grant_id from oauth.assertions a join oauth.registrations r on r.id = a.registration_id
           where a.token_hash = v_hash
          union all
          select r.grant_id from oauth.registrations r where r.claim_token_hash = v_hash) k;
  select * into v_grant from oauth.grants g where g.id = v_grant_id for update;
  if not found or (revoke_token.client_id is not null and v_grant.client_id <> revoke_token.client_id) then
    return false;
  end if;
  if not engine.revoke_grant(v_grant.id) then
    return false;
  end if;
  perform engine.note_event('client_revoked', v_grant.account_id, v_grant.agent_id);
  return true;
end
$$;

comment on function api_oauth.register_anonymous is
'Stores an anonymous registration: its client, a grant of hill:read that belongs to nobody yet, and the claim token '
'and the first assertion, for 24 hours each.';
comment on function api_oauth.exchange_assertion is
'Records an access token for an assertion that is live and of the current generation of its registration; for the '
'second generation also a fresh assertion for another 24 hours. Returns false and records nothing if the assertion is '
'unknown, expired, superseded, revoked or lapsed. Protocol 2.3.';
comment on function api_oauth.begin_claim is
'Begins an attempt to claim a registration: a code that only the account of the address can use, for 600 seconds or '
'until the claim expires. Returns outcome initiated with registration_id, claim_attempt_id, expires_at, and in '
'seconds expires_in and interval (between polls); claim_expired after the 24 hours; invalid_claim_token (unknown, '
'revoked, or its tokens were issued already); claimed_or_in_flight; or rate_limited with retry_after_seconds, after '
'at_most calls for this registration in that many seconds. Protocol 3.3, 10.2.';
comment on function api_oauth.poll_claim is
'What the human has decided about a claim: outcome approved with what the tokens will say (registration_id, '
'client_id, account_id, email, scopes); authorization_pending or slow_down with interval (seconds between polls); '
'expired_token if no code is live; claim_expired after the 24 hours; access_denied; or invalid_grant. Protocol 3.5, '
'10.1.';
comment on function api_oauth.redeem_claim is
'Records the tokens of an approved claim, once, within its 24 hours. Of two polls at one instant, the other gets '
'false. Protocol 3.5.';
comment on function api_oauth.revoke_token is
'Ends everything that a client holds under the grant of a token (access, refresh, assertion or claim token). The '
'token may have expired, or been superseded, spent or revoked, as long as it is stored (trusted.forget_ended). An '
'unknown token, or one of another client, changes nothing. Returns whether anything ended. Protocol 6.1; RFC 7009.';

grant execute on function
  api_oauth.register_anonymous,
  api_oauth.exchange_assertion,
  api_oauth.begin_claim,
  api_oauth.poll_claim,
  api_oauth.redeem_claim,
  api_oauth.revoke_token
  to hill_oauth;
