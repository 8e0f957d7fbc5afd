-- oauth/poll_claim.sql · The agent asks whether its human has typed the code, and fetches its tokens, once.
-- Protocol 3.4, 3.5, 10.1.

create or replace function engine.polls_too_fast(polled_at timestamptz, poll_interval interval, at timestamptz)
returns boolean language sql immutable parallel safe security invoker
-- half a second of grace for the network
return coalesce(polls_too_fast.polled_at + polls_too_fast.poll_interval - interval '500 milliseconds'
                > polls_too_fast.at, false);

comment on function engine.polls_too_fast is
'Whether a poll comes before the interval since the last one (null: none) is over. Each such poll lengthens the '
'interval for good (RFC 8628, 3.5).';

create or replace function engine.poll_claim(claim_token text)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
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
  v_now := engine.now();
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

comment on function engine.poll_claim is
'What the human has decided about a claim: outcome approved with what the tokens will say (registration_id, client_id, '
'account_id, email, scopes); authorization_pending or slow_down with interval (seconds between polls); expired_token '
'if no code is live; claim_expired after the 24 hours; access_denied; or invalid_grant. Protocol 3.5, 10.1.';

create or replace function engine.redeem_claim(claim_token text, access_token text, assertion text, audience text)
returns boolean
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_registration oauth.registrations;
  v_grant        oauth.grants;
  v_now          timestamptz;
begin
  select * into v_registration from oauth.registrations r where r.claim_token_hash = engine.hash_token(claim_token);
  v_grant := engine.lock_grant(v_registration.grant_id);
  v_now := engine.now();
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

comment on function engine.redeem_claim is
'Records the tokens of an approved claim, once, within its 24 hours. Of two polls at one instant, the other gets '
'false. Protocol 3.5.';

grant execute on function engine.polls_too_fast, engine.poll_claim, engine.redeem_claim to hill_api_oauth;
