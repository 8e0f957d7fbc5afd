-- Money of the hill in and out, day by day. Rules 5.5.

create or replace function api_staff.money(first_day integer default null, last_day integer default null)
returns setof api_staff.day_of_money
language plpgsql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff text := engine.enter_looking();
  v_last  integer := coalesce(last_day, greatest(1, engine.today()));
  v_first integer := coalesce(first_day, greatest(1, v_last - 6));
begin
  if v_first > v_last or v_last - v_first > 366 then
    perform engine.refuse('INVALID_ARGUMENT', 'first_day to last_day is a range of at most 367 days.',
      '{"argument": "first_day"}');
  end if;
  return query select m.* from engine.money_by_day(v_first, v_last) m;
end
$$;

comment on function api_staff.money is
'Money in and out on each day from first_day to last_day (null: today, and the six days before), at most 367 days, the '
'latest first. Settled money only. Errors: INVALID_TOKEN, INVALID_ARGUMENT. Rules 5.5.
- first_day: from which day on; null for six days before the last one.
- last_day: up to which day; null for today.';

grant execute on function api_staff.money to hill_staff;
