-- Keys that sign tokens. A key is published before it signs, and until everything that it signed has expired. Protocol
-- 2.7.

-- The published keys, the latest first, each with kid, public_jwk, sealed_private (base64) and signs_from (seconds
-- since 1970).
create or replace function engine.signing_keys()
returns jsonb
language sql volatile parallel unsafe security invoker
begin atomic
  select jsonb_build_object(
      'now', extract(epoch from n.now),
      'keys', coalesce(
        jsonb_agg(
          jsonb_build_object(
            'kid', k.kid,
            'public_jwk', k.public_jwk,
            'sealed_private', encode(k.sealed_private, 'base64'),
            'signs_from', extract(epoch from k.signs_from))
          order by k.signs_from desc) filter (where k.kid is not null),
        '[]'))
    from (select engine.door_now() as now) n
    left join oauth.signing_keys k on k.retires_at is null or k.retires_at > n.now
   group by n.now;
end;

-- Adds a key if the last one is due for a successor.
create or replace function engine.add_signing_key(
  kid text,
  public_jwk jsonb,
  sealed_private text,
  lifetime_seconds integer,
  notice_seconds integer)
returns boolean
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now    timestamptz := engine.door_now();
  v_last   oauth.signing_keys;
  v_from   timestamptz := v_now;
begin
  -- One process at a time; the others then find it done.
  perform trusted.lock_one('signing keys');
  select * into v_last from oauth.signing_keys k where k.retires_at is null;
  if found then
    if v_last.signs_from + make_interval(secs => lifetime_seconds - notice_seconds) > v_now then
      return false;
    end if;
    v_from := v_now + make_interval(secs => notice_seconds);
    -- the lifetime of an assertion and an hour more: a process may sign with a key that it read a minute ago
    update oauth.signing_keys k
       set retires_at = v_from + make_interval(hours => engine.identity_assertion_hours() + 1)
     where k.kid = v_last.kid;
  end if;
  insert into oauth.signing_keys (kid, public_jwk, sealed_private, created_at, signs_from)
  values (
    add_signing_key.kid,
    add_signing_key.public_jwk,
    decode(add_signing_key.sealed_private, 'base64'),
    v_now,
    v_from);
  return true;
end
$$;
