-- What a night cost an account, and from which credits it was paid. Rules 5.3, 5.4, 5.5.

create or replace function api_staff.explain_charge(account text, day integer)
returns setof api_staff.charge
language plpgsql stable strict parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff   text := engine.enter_looking();
  v_account uuid := engine.account_meant(account);
  v_night   hill.nights := engine.find_night(day);
begin
  return query select c.* from engine.explain_night_money(v_account, v_night.day) c;
end
$$;

comment on function api_staff.explain_charge is
'What the night of a day cost an account (its id or slug): for each move the rent or the stake, whether it burned, '
'which lot of granted credits or paid credits it was paid from, and the credits before and after. What came in or '
'expired is in accountHistory. Errors: INVALID_TOKEN, NOT_FOUND, DAY_NOT_RESOLVED. Rules 5.3, 5.4, 5.5.
- account: its id or slug.
- day: a night that is over.';

grant execute on function api_staff.explain_charge to hill_staff;
