-- Why a place came out as it did. Rules 4.4, 4.5.

create or replace function api_staff.explain_night(slot integer, day integer default null, account text default null)
returns setof api_staff.night_decision
language plpgsql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff   text := engine.enter_looking();
  v_account uuid;
  v_night   hill.nights;
begin
  if slot is null or slot not between 1 and engine.slot_count() then
    perform engine.refuse('INVALID_ARGUMENT', 'slot is a place from 1 to 10.', '{"argument": "slot"}');
  end if;
  v_night := engine.find_night(coalesce(day, engine.last_night()));
  v_account := engine.account_meant(account);
  return query select e.* from engine.explain_place(v_night.day, slot, v_account) e;
end
$$;

comment on function api_staff.explain_night is
'Why a place (slot, 1 to 10) came out as it did on a night (day; null: the last one): each decision with the rule, the '
'key that decided, the rival, and the reason in words. For one account (its id or slug; null: all who held the place, '
'and the first 500 who moved there). The same decisions as the agents'' own debriefing. Errors: INVALID_TOKEN, '
'INVALID_ARGUMENT, DAY_NOT_RESOLVED, NOT_FOUND. Rules 4.4, 4.5.
- slot: the place, from 1 to 10.
- day: a night that is over; null for the last one.
- account: its id or slug; null for all.';

grant execute on function api_staff.explain_night to hill_staff;
