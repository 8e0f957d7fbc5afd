-- Staff take a grant back. Rules 18.7.

create or replace function api_staff.revoke_grant(lot_id bigint, reason text, revoked boolean default true)
returns hill.lot_revocations
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff      text := engine.enter_staff('revoke_grant', reason);
  v_who        record;
  v_lot        hill.lots;
  v_now        timestamptz;
  v_day        integer;
  v_revocation hill.lot_revocations;
begin
  if revoked is null then
    perform engine.refuse('INVALID_ARGUMENT', 'revoked is true or false.', '{"argument": "revoked"}');
  end if;
  perform trusted.lock_one('staff');
  select w.* into v_who from api_staff.who_calls() w;
  select l.* into v_lot from hill.lots l where l.id = revoke_grant.lot_id;
  if not found then
    perform engine.refuse('NOT_FOUND', 'There is no such lot.', '{"argument": "lot_id"}');
  end if;
  if v_who.role = 'support' and not exists (
       select from hill.credit_orders o
        where o.lot_id = v_lot.id and v_who.account_id in (o.ordered_by_account_id, o.decided_by_account_id)) then
    perform engine.refuse('ROLE_TOO_LOW', 'The role support takes back only what it has ordered itself.',
      jsonb_build_object('role', v_who.role, 'needs', 'manager'));
  end if;
  if (engine.find_account(v_lot.account_id)).house then
    perform engine.refuse('NOT_ALLOWED', 'The house''s credits are not of the staff.', '{"argument": "lot_id"}');
  end if;
  v_now := trusted.take_instant(v_lot.account_id);   -- on one side of the bell
  v_day := (select engine.day_of(v_now, s.day_one) from hill.settings s);
  select r.* into v_revocation from hill.lot_revocations r where r.lot_id = v_lot.id;
  if v_revocation.taken_cents is not null then
    perform engine.refuse('NOT_ALLOWED', 'The grant was taken back.', jsonb_build_object(
      'argument', 'lot_id', 'day', v_revocation.day, 'taken_cents', v_revocation.taken_cents));
  elsif v_revocation.kept_at is null and v_revocation.day < v_day then
    perform engine.refuse('NOT_ALLOWED', 'The bell that is due takes the grant back.',
      jsonb_build_object('argument', 'lot_id', 'day', v_revocation.day));
  end if;
  if not revoked and (v_revocation.lot_id is null or v_revocation.kept_at is not null) then
    perform engine.refuse('NOT_ALLOWED', 'The grant is not revoked.', '{"argument": "lot_id"}');
  elsif revoked and v_lot.expires_at <= v_now then
    perform engine.refuse('NOT_ALLOWED', 'The lot has expired.', '{"argument": "lot_id"}');
  end if;
  if revoked then
    insert into hill.lot_revocations as r (lot_id, account_id, day, at)
    values (v_lot.id, v_lot.account_id, v_day, v_now)
    on conflict on constraint lot_revocations_pkey do update
       set day = excluded.day, at = excluded.at, kept_at = null where r.kept_at is not null;
  else
    update hill.lot_revocations r set kept_at = v_now where r.lot_id = v_lot.id;
  end if;
  select r.* into strict v_revocation from hill.lot_revocations r where r.lot_id = v_lot.id;
  perform engine.write_audit(v_staff, 'revoke_grant', v_lot.account_id, null,
    engine.reverses(case when revoked then 'grant_credits' else 'revoke_grant' end,
                    jsonb_build_object('lot_id', v_lot.id))
      || jsonb_build_object('revoked', revoked),
    reason);
  return v_revocation;
end
$$;

comment on function api_staff.revoke_grant is
'Takes a grant back: at the next bell, once the night is paid, what is then left of the lot. Until then nothing shows. '
'With revoked: false the grant stays after all, until that bell. Support takes back what it has ordered itself, a '
'manager every grant, those of codes too. Returns the revocation. Errors: INVALID_TOKEN, ROLE_TOO_LOW, '
'REASON_REQUIRED, INVALID_ARGUMENT, NOT_FOUND, NOT_ALLOWED. Rules 18.7.
- revoked: false lets the grant stay after all.';

grant execute on function api_staff.revoke_grant to hill_staff;
