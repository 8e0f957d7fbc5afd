-- Codes become granted credits: for entrants, once per account, as often as a code has uses. Rules 8.5.

-- A random code of 70 bits: letters and digits in groups.
create or replace function engine.random_code()
returns text
language sql volatile parallel safe security invoker
begin atomic
  -- the random bytes of a version 4 UUID; no 0, 1, I and O, which are mistaken for each other
  select string_agg(
           substr('23456789ABCDEFGHJKLMNPQRSTUVWXYZ', 1 + (get_byte(r.bytes, n) & 31), 1)
             || case when n in (4, 11) then '-' else '' end,
           '' order by n)
    from (select uuid_send(gen_random_uuid()) as bytes offset 0) r, generate_series(0, 15) n
   where n not in (6, 8);
end;

-- A code by its text, locked. Errors: NOT_FOUND.
create or replace function engine.find_code(code text)
returns hill.tournament_codes
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_code hill.tournament_codes;
begin
  select c.* into v_code
    from hill.tournament_codes c
   where c.code = upper(engine.trimmed(find_code.code))
     for no key update;
  if not found then
    perform engine.refuse('NOT_FOUND', 'There is no such code.', '{"argument": "code"}');
  end if;
  return v_code;
end
$$;

-- Trigger: takes a use of the code and grants its credits to the account that redeems it, or writes nothing if there is
-- no such code. Errors: CODE_REDEEMED, CODE_EXPIRED, OWN_ACCOUNT, ENTRANTS_ONLY, ACCOUNT_SUSPENDED, CODE_USED_UP. Rules
-- 8.5, 18.6.
create or replace function trusted.post_redemption()
returns trigger
-- hill_owner: nobody else may grant credits for a code, and each grant takes a use of it
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_code hill.tournament_codes;
  v_now  timestamptz;
  v_own  hill.tournament_redemptions;
begin
  -- Locking the code's row makes redeemers wait in turn, so that only one account gets the last use.
  select c.* into v_code from hill.tournament_codes c where c.code = new.code for no key update;
  if not found then
    return null;
  end if;
  v_now := trusted.take_instant(new.account_id);
  select r.* into v_own from hill.tournament_redemptions r where r.code = new.code and r.account_id = new.account_id;
  if found then
    perform engine.refuse('CODE_REDEEMED', 'The account has redeemed this code.',
      jsonb_build_object('granted_cents', v_code.cents, 'redeemed_at', engine.iso(v_own.redeemed_at)));
  end if;
  if v_code.revoked_at is not null or v_code.expires_at <= v_now then
    perform engine.refuse('CODE_EXPIRED', 'The code has expired or was revoked.');
  elsif (select t.cancelled_on from hill.tournaments t where t.id = v_code.tournament_id) is not null then
    perform engine.refuse('CODE_EXPIRED', 'The tournament of the code was cancelled.');
  end if;
  if exists (select from hill.credit_orders o
              where (o.code = new.code or o.id = v_code.order_id)
                and new.account_id in (o.ordered_by_account_id, o.decided_by_account_id)) then
    perform engine.refuse('OWN_ACCOUNT', 'The human of this account is staff, and has made the code.');
  end if;
  if not exists (select from hill.tournament_entries e
                  where e.tournament_id = v_code.tournament_id and e.account_id = new.account_id) then
    perform engine.refuse('ENTRANTS_ONLY', 'The code is for entrants of its tournament.',
      (select jsonb_build_object('tournament', t.slug, 'sign_ups_close_day', t.sign_ups_close_day)
         from hill.tournaments t where t.id = v_code.tournament_id));
  end if;
  if (select a.suspended_at from hill.accounts a where a.id = new.account_id) is not null then
    perform engine.refuse('ACCOUNT_SUSPENDED', 'The account is suspended.');   -- uses are for accounts that can play
  end if;
  if v_code.used >= v_code.uses then
    perform engine.refuse('CODE_USED_UP', 'Every use of the code is taken.');
  end if;
  update hill.tournament_codes c set used = c.used + 1 where c.code = new.code;
  new.lot_id := engine.grant_credits(new.account_id, v_code.cents, 'Code of a tournament');
  new.redeemed_at := v_now;
  return new;
end
$$;

create or replace trigger grants before insert on hill.tournament_redemptions
  for each row execute function trusted.post_redemption();

-- Redeems a code for an account that entered the code's tournament. Errors: INVALID_ARGUMENT and rate_limited; and,
-- returned, UNKNOWN_CODE, CODE_REDEEMED, CODE_EXPIRED, OWN_ACCOUNT, ENTRANTS_ONLY, ACCOUNT_SUSPENDED, CODE_USED_UP. An
-- account may try 10 codes an hour; a refusal of a code is returned, not raised, so that the try is counted and kept
-- (see engine.refused). Rules 5.3, 8.5, 18.6.
create or replace function engine.redeem_code(account_id uuid, code text)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_code    text := upper(regexp_replace(redeem_code.code, '\s', '', 'g'));
  v_answer  jsonb;
  v_wait    integer;
  v_state   text;
  v_message text;
  v_detail  text;
  v_refusal text;
begin
  if coalesce(v_code, '') = '' or char_length(v_code) > 100 then
    perform engine.refuse('INVALID_ARGUMENT', 'code is the text of a code.', '{"argument": "code"}');
  end if;
  v_wait := engine.admit('code', redeem_code.account_id::text, engine.codes_per_hour(), 3600);
  if v_wait > 0 then
    perform engine.refuse('rate_limited', 'Too many codes were tried.',
      jsonb_build_object('retry_after_seconds', v_wait));
  end if;
  begin
    v_answer := engine.take_code(redeem_code.account_id, v_code);
  exception when others then
    get stacked diagnostics v_state = returned_sqlstate, v_message = message_text, v_detail = pg_exception_detail;
    select e.code into v_refusal from engine.errors() e where e.state = v_state;
    if v_refusal is null then
      raise;
    end if;
    v_answer := engine.refused(v_refusal, v_message, coalesce(nullif(v_detail, ''), '{}')::jsonb);
  end;
  perform engine.note_attempt(redeem_code.account_id, v_code, coalesce(v_refusal, 'redeemed'));
  return v_answer;
end
$$;

-- Takes a use of a code, as it is written in the table. Errors: UNKNOWN_CODE, and those of trusted.post_redemption.
create or replace function engine.take_code(account_id uuid, code text)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_redemption hill.tournament_redemptions;
begin
  insert into hill.tournament_redemptions (code, account_id)
  values (take_code.code, take_code.account_id)
  returning * into v_redemption;
  if v_redemption.lot_id is null then
    perform engine.refuse('UNKNOWN_CODE', 'There is no such code.', '{"argument": "code"}');
  end if;
  return (select jsonb_build_object(
                   'lot_id', l.id,
                   'granted_cents', l.cents,
                   'granted_at', engine.iso(l.granted_at),
                   'expires_at', engine.iso(l.expires_at))
            from hill.lots l where l.id = v_redemption.lot_id);
end
$$;
