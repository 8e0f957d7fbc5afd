-- Codes that grant the entrants of a tournament credits. Rules 8.5, 8.7.

create or replace function api_staff.create_tournament_code(
  slug text,
  cents bigint,
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
  v_code  text := upper(nullif(engine.trimmed(code), ''));
  v_order hill.credit_orders;
begin
  perform engine.enter_staff('create_tournament_code', reason);
  v_order := engine.order_of_codes(slug, cents, uses, expires_day, key);
  if v_code !~ '^[A-Z0-9]+(-[A-Z0-9]+)*$' or char_length(v_code) not between 8 and 40 then
    perform engine.refuse('INVALID_ARGUMENT', 'A code has 8 to 40 letters, digits and single dashes.',
      '{"argument": "code"}');
  end if;
  if uses is null or uses not between 1 and 1000000 then
    perform engine.refuse('INVALID_ARGUMENT', 'uses is from 1 to 1000000.', '{"argument": "uses"}');
  end if;
  v_order.wished_code := v_code;
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
'OVER_STAFF_LIMIT. Rules 8.5, 8.7, 18.6.
- slug: the tournament.
- expires_day: the last day; null for that of the tournament.
- code: the text that it shall have; null for a random one.';

create or replace function api_staff.create_tournament_codes(
  slug text,
  cents bigint,
  codes integer,
  prefix text,
  key text,
  reason text,
  expires_day integer default null,
  note text default null)
returns hill.credit_orders
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_order hill.credit_orders;
begin
  perform engine.enter_staff('create_tournament_codes', reason);
  v_order := engine.order_of_codes(slug, cents, codes, expires_day, key);
  v_order.prefix := upper(engine.trimmed(prefix));
  v_order.note := nullif(engine.trimmed(note), '');
  if codes is null or codes not between 1 and engine.codes_per_order() then
    perform engine.refuse('INVALID_ARGUMENT', format('codes is from 1 to %s.', engine.codes_per_order()),
      '{"argument": "codes"}');
  end if;
  if coalesce(v_order.prefix, '') !~ '^[A-Z0-9]+(-[A-Z0-9]+)*$' or char_length(v_order.prefix) not between 2 and 20 then
    perform engine.refuse('INVALID_ARGUMENT', 'A prefix has 2 to 20 letters, digits and single dashes.',
      '{"argument": "prefix"}');
  end if;
  if char_length(v_order.note) > 200 then
    perform engine.refuse('INVALID_ARGUMENT', 'note has 200 characters at most.', '{"argument": "note"}');
  end if;
  return engine.order_credits(v_order, 'create_tournament_codes', reason);
end
$$;

create or replace function api_staff.revoke_tournament_codes(
  order_id bigint,
  reason text,
  revoked boolean default true)
returns hill.credit_orders
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff text := engine.enter_staff('revoke_tournament_codes', reason);
  v_order hill.credit_orders;
  v_now   timestamptz := engine.now();
  v_codes integer;
begin
  if revoked is null then
    perform engine.refuse('INVALID_ARGUMENT', 'revoked is true or false.', '{"argument": "revoked"}');
  end if;
  perform trusted.lock_one('staff');
  select o.* into v_order from hill.credit_orders o where o.id = revoke_tournament_codes.order_id;
  if not found or v_order.prefix is null then
    perform engine.refuse('NOT_FOUND', 'There is no such order of codes.', '{"argument": "order_id"}');
  elsif v_order.state <> 'made' then
    perform engine.refuse('NOT_ALLOWED', format('The order is %s.', v_order.state), '{"argument": "order_id"}');
  elsif not revoked and v_order.expires_at <= v_now then
    perform engine.refuse('NOT_ALLOWED', 'The codes have expired.', '{"argument": "order_id"}');
  end if;
  update hill.tournament_codes c
     set revoked_at = case when revoked then v_now end
   where c.order_id = v_order.id and c.used < c.uses and (c.revoked_at is null) = revoked;
  get diagnostics v_codes = row_count;
  perform engine.write_audit(v_staff, 'revoke_tournament_codes', null, null,
    engine.reverses(case when revoked then 'create_tournament_codes' else 'revoke_tournament_codes' end,
                    jsonb_build_object('order_id', v_order.id))
      || jsonb_build_object('prefix', v_order.prefix, 'codes', v_codes, 'revoked', revoked), reason);
  return v_order;
end
$$;

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

comment on function api_staff.create_tournament_codes is
'Makes up to 500 different codes for the entrants of a tournament, each redeemed once: a prefix and a random part '
'without 0, 1, I and O. It is an order, with a key, as grant_credits: their sum counts. Returns the order; once it is '
'made, tournamentCodes has them. Errors: INVALID_TOKEN, ROLE_TOO_LOW, REASON_REQUIRED, NOT_FOUND, INVALID_ARGUMENT, '
'INVALID_AMOUNT, NOT_ALLOWED, OVER_STAFF_LIMIT. Rules 8.5, 8.7, 18.6.
- slug: the tournament.
- cents: what each code grants, from 1 cent to the largest top-up (cents).
- codes: how many codes, from 1 to 500.
- prefix: how each begins: 2 to 20 letters, digits and single dashes.
- expires_day: the last day; null for that of the tournament.
- note: what they are for, up to 200 characters.';
comment on function api_staff.revoke_tournament_codes is
'Revokes all codes of an order that nobody has redeemed: what the others granted stays granted. With revoked: false '
'they can be redeemed again, those too that were revoked one by one. Returns the order. Errors: INVALID_TOKEN, '
'ROLE_TOO_LOW, REASON_REQUIRED, INVALID_ARGUMENT, NOT_FOUND, NOT_ALLOWED. Rules 8.5, 18.6.
- order_id: an order of createTournamentCodes.
- revoked: false lets them be redeemed again.';
comment on function api_staff.revoke_tournament_code is
'Ends a code: nobody can redeem it any more, and what it granted stays granted. Returns the code. Errors: '
'INVALID_TOKEN, ROLE_TOO_LOW, REASON_REQUIRED, NOT_FOUND. Rules 8.5, 8.7.';
comment on function api_staff.restore_tournament_code is
'Lets a code that was revoked be redeemed again, until it expires. Returns the code. Errors: INVALID_TOKEN, '
'ROLE_TOO_LOW, REASON_REQUIRED, NOT_FOUND, NOT_ALLOWED. Rules 8.5, 8.7.';

grant execute on function
  api_staff.create_tournament_code,
  api_staff.create_tournament_codes,
  api_staff.revoke_tournament_code,
  api_staff.revoke_tournament_codes,
  api_staff.restore_tournament_code
  to hill_staff;
