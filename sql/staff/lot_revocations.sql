-- Grants that staff take back: what is left of a lot after the next bell. Rules 18.7.

-- Takes what is left of each lot whose grant was revoked by the day of a night, once the night is settled. Like a
-- night, it takes from the front of the account's line of lots. Rules 5.3, 18.7.
create or replace function trusted.take_revoked(night integer)
returns void
language plpgsql volatile parallel unsafe security definer  -- hill_owner: nobody else may take a grant back
set search_path to pg_catalog, pg_temp
as $$
declare
  v record;
begin
  for v in
    select r.lot_id, r.account_id
      from hill.lot_revocations r
     where r.taken_cents is null and r.kept_at is null and r.day <= take_revoked.night
     order by r.account_id, r.lot_id
       for no key update
  loop
    with left_over as (
      select greatest(0, least(l.cents, l.from_cents + l.cents - (e.cents - w.granted_cents))) as cents
        from hill.lots l
        join hill.wallets w on w.account_id = l.account_id
       cross join lateral (select max(a.from_cents + a.cents) as cents
                             from hill.lots a where a.account_id = l.account_id) e
       where l.id = v.lot_id
    ), taken as (
      insert into hill.transfers (day, at, kind, debit_account_id, credit_code, cents, reason)
      select take_revoked.night, engine.bell_at(take_revoked.night), 'revocation', v.account_id, 'grants', o.cents,
             'lot ' || v.lot_id || ' was taken back by staff'
        from left_over o where o.cents > 0
      returning id
    )
    update hill.lot_revocations r
       set taken_cents = o.cents, transfer_id = (select t.id from taken t)
      from left_over o
     where r.lot_id = v.lot_id;
  end loop;
end
$$;

grant execute on function trusted.take_revoked to hill_api_worker;

create policy owner_takes on hill.lot_revocations to hill_owner using (true) with check (true);
create policy staff_revokes on hill.lot_revocations to hill_api_staff
  using (api_staff.staff_name() is not null) with check (taken_cents is null);
create policy staff_read on hill.lot_revocations for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
create policy dba_read on hill.lot_revocations for select to hill_dba using (true);
grant select, insert (lot_id, account_id, day, at), update (day, at, kept_at) on hill.lot_revocations to hill_api_staff;
grant select on hill.lot_revocations to hill_staff, hill_dba;
create or replace trigger written_once before delete or truncate on hill.lot_revocations
  for each statement execute function trusted.guard_balances();

comment on table hill.lot_revocations is
'Grants that staff take back: at the bell of the day what is then left of the lot. Rules 18.7.';
comment on column hill.lot_revocations.lot_id is 'The lot of the grant.';
comment on column hill.lot_revocations.account_id is 'Whose it is.';
comment on column hill.lot_revocations.day is 'At whose bell.';
comment on column hill.lot_revocations.at is 'When staff said so, the last time. Hill''s clock.';
comment on column hill.lot_revocations.kept_at is
'When staff said that the grant stays after all; null if it does not. Hill''s clock.';
comment on column hill.lot_revocations.taken_cents is
'What was left of the lot, and taken (cents); null before the bell.';
comment on column hill.lot_revocations.transfer_id is 'The transfer that took it; null if nothing was left.';
