-- Codes that grant the entrants of a tournament credits. Rules 8.5, 8.7.

create or replace function api_staff.create_tournament_code(
  slug text,
  cents integer,
  uses integer,
  key text,
  reason text,
  code text default null,
  expires_day integer default null,
  shown boolean default null)
returns hill.credit_orders
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_tournament hill.tournaments;
  v_code       text := upper(nullif(engine.trimmed(code), ''));
  v_order      hill.credit_orders;
begin
  perform engine.enter_staff('create_tournament_code', reason);
  v_tournament := engine.find_tournament(slug);
  if v_code !~ '^[A-Z0-9]+(-[A-Z0-9]+)*$' or char_length(v_code) not between 8 and 40 then
    perform engine.refuse('INVALID_ARGUMENT', 'A code has 8 to 40 letters, digits and single dashes.',
      '{"argument": "code"}');
  end if;
  if cents is null or cents not between 1 and engine.topup_maximum_cents() then
    perform engine.refuse('INVALID_AMOUNT', 'A code grants from 1 cent to the largest top-up.',
      jsonb_build_object('minimum_cents', 1, 'maximum_cents', engine.topup_maximum_cents()));
  end if;
  if uses is null or uses not between 1 and 1000000 then
    perform engine.refuse('INVALID_ARGUMENT', 'uses is from 1 to 1000000.', '{"argument": "uses"}');
  end if;
  if expires_day not between 0 and 1000000 then
    perform engine.refuse('INVALID_ARGUMENT', 'expires_day is the number of a day.', '{"argument": "expires_day"}');
  end if;
  v_order.tournament_id := v_tournament.id;
  v_order.cents := cents;
  v_order.uses := uses;
  v_order.key := key;
  v_order.wished_code := v_code;
  v_order.expires_at := engine.bell_at(coalesce(expires_day, v_tournament.ends_day));
  v_order.shown := coalesce(shown, false);
  return engine.order_credits(v_order, 'create_tournament_code', reason);
end
$$;

comment on function api_staff.create_tournament_code is
'Makes a code for the entrants of a tournament (slug): a text of 8 to 40 letters, digits and dashes, or null for a '
'random one; the credits that it grants (cents, up to the largest top-up), how often, up to the bell of which day '
'(null: the tournament''s last), and whether everyone sees it in the list of tournaments. It is an order, with a key, '
'as grant_credits: all its uses together count. Returns the order, with the code once it is made. Errors: '
'INVALID_TOKEN, ROLE_TOO_LOW, REASON_REQUIRED, NOT_FOUND, INVALID_ARGUMENT, INVALID_AMOUNT, NOT_ALLOWED, '
'OVER_STAFF_LIMIT. Rules 8.5, 8.7, 18.6.';

create or replace function api_staff.revoke_tournament_code(code text, reason text)
returns hill.tournament_codes
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff text := engine.enter_staff('revoke_tournament_code', reason);
  v_code  hill.tournament_codes := engine.find_code(code);
begin
  if v_code.revoked_at is null then
    update hill.tournament_codes c set revoked_at = engine.now() where c.code = v_code.code returning c.* into v_code;
  end if;
  perform engine.write_audit(v_staff, 'revoke_tournament_code', null, null,
    jsonb_build_object('code', v_code.code, 'used', v_code.used, 'uses', v_code.uses), reason);
  return v_code;
end
$$;

create or replace function api_staff.restore_tournament_code(code text, reason text)
returns hill.tournament_codes
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff text := engine.enter_staff('restore_tournament_code', reason);
  v_code  hill.tournament_codes := engine.find_code(code);
begin
  if v_code.revoked_at is null then
    perform engine.refuse('NOT_ALLOWED', 'The code was not revoked.', '{"argument": "code"}');
  elsif v_code.expires_at <= engine.now() then
    perform engine.refuse('NOT_ALLOWED', 'The code has expired.', '{"argument": "code"}');
  end if;
  update hill.tournament_codes c set revoked_at = null where c.code = v_code.code returning c.* into v_code;
  perform engine.write_audit(v_staff, 'restore_tournament_code', null, null,
    engine.reverses('revoke_tournament_code', jsonb_build_object('code', v_code.code)), reason);
  return v_code;
end
$$;

comment on function api_staff.revoke_tournament_code is
'Ends a code: nobody can redeem it any more, and what it granted stays granted. Returns the code. Errors: '
'INVALID_TOKEN, ROLE_TOO_LOW, REASON_REQUIRED, NOT_FOUND. Rules 8.5, 8.7.';
comment on function api_staff.restore_tournament_code is
'Lets a code that was revoked be redeemed again, until it expires. Returns the code. Errors: INVALID_TOKEN, '
'ROLE_TOO_LOW, REASON_REQUIRED, NOT_FOUND, NOT_ALLOWED. Rules 8.5, 8.7.';

grant execute on function api_staff.create_tournament_code, api_staff.revoke_tournament_code,
  api_staff.restore_tournament_code to hill_staff;
