-- oauth/begin_claim.sql · The agent names its human and gets the code that this human will type. Protocol 3.3, 10.1.

create or replace function engine.user_code_hash(attempt_token text, user_code text)
returns bytea language sql immutable parallel safe
-- a million codes are quickly tried: the page's token, itself stored only as a hash, keeps the code's hash safe
return sha256(convert_to(attempt_token || ':' || user_code, 'UTF8'));

comment on function engine.user_code_hash is
'What is stored of a 6-digit code: its SHA-256 together with the token of its claim page.';

create or replace function engine.begin_claim(
  claim_token text,
  email text,
  attempt_token text,
  user_code text,
  at_most integer,
  seconds integer)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
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
  v_now := engine.now();
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

comment on function engine.begin_claim is
'Begins an attempt to claim a registration: a code that only the account of the address can use, for 600 seconds or '
'until the claim expires. Returns outcome initiated with registration_id, claim_attempt_id, expires_at, and in seconds '
'expires_in and interval (between polls); claim_expired after the 24 hours; invalid_claim_token (unknown, revoked, or '
'its tokens were issued already); claimed_or_in_flight; or rate_limited with retry_after_seconds, after at_most calls '
'for this registration in that many seconds. Protocol 3.3, 10.2.';

grant execute on function engine.user_code_hash to hill_api_oauth, hill_api_human;
grant execute on function engine.begin_claim to hill_api_oauth;
