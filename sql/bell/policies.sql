-- Everyone may read past nights.

alter table hill.nights enable row level security, force row level security;
create policy all_read on hill.nights for select to hill_api, hill_owner, hill_dba using (true);
create policy staff_read on hill.nights for select to hill_staff using ((select api_staff.staff_name()) is not null);
create policy bell_publishes on hill.nights for insert to hill_api_worker with check (true);
grant select on hill.nights to hill_api, hill_staff, hill_dba;
grant insert on hill.nights to hill_api_worker;
create policy owner_settles on hill.nights for update to hill_owner using (true) with check (true);
create or replace trigger written_once before delete or truncate on hill.nights
  for each statement execute function trusted.guard_balances();
-- All but what expired, which is known once all wallets show the night.
create or replace trigger expired_once before update on hill.nights for each row
  when (current_setting('hill.bell', true) is distinct from 'ringing'
        or old.expired_cents is not null
        or new.expired_cents is null
        or (old.day, old.bell_at, old.resolved_at, old.accounts, old.moves, old.rent_cents, old.stakes_cents,
            old.burned_cents, old.granted_cents, old.paid_cents)
           is distinct from (new.day, new.bell_at, new.resolved_at, new.accounts, new.moves, new.rent_cents,
                             new.stakes_cents, new.burned_cents, new.granted_cents, new.paid_cents))
  execute function trusted.guard_balances();
create or replace trigger follow_tonight after insert on hill.nights
  for each statement execute function trusted.follow_tonight();

alter table hill.place_results enable row level security, force row level security;
create policy all_read on hill.place_results for select to hill_api, hill_owner, hill_dba using (true);
create policy staff_read on hill.place_results for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
create policy bell_publishes on hill.place_results for insert to hill_api_worker with check (true);
grant select on hill.place_results to hill_api, hill_staff, hill_dba;
grant insert on hill.place_results to hill_api_worker;
create or replace trigger written_once before update or delete or truncate on hill.place_results
  for each statement execute function trusted.guard_balances();

alter table hill.seats enable row level security, force row level security;
create policy all_read on hill.seats for select to hill_api, hill_owner, hill_dba using (true);
create policy staff_read on hill.seats for select to hill_staff using ((select api_staff.staff_name()) is not null);
create policy bell_publishes on hill.seats for insert to hill_api_worker with check (true);
grant select on hill.seats to hill_api, hill_staff, hill_dba;
grant insert on hill.seats to hill_api_worker;
create or replace trigger written_once before update or delete or truncate on hill.seats
  for each statement execute function trusted.guard_balances();

alter table hill.sealed_counts enable row level security, force row level security;
create policy all_read on hill.sealed_counts for select to hill_api using (true);
create policy worker_counts on hill.sealed_counts for update to hill_api_worker using (true) with check (true);
grant select on hill.sealed_counts to hill_api;
grant update on hill.sealed_counts to hill_api_worker;

comment on table hill.nights is
'The nights that the bell has resolved, with what they took (cents). Written once, except that expired_cents is null '
'until all wallets show the night.';
comment on column hill.nights.day is 'The day whose bell it was.';
comment on column hill.nights.bell_at is 'The nominal instant of the bell: the start of the next day.';
comment on column hill.nights.resolved_at is 'When it was resolved. Hill''s clock.';
comment on column hill.nights.accounts is 'Accounts with a live move.';
comment on column hill.nights.moves is 'Live moves.';
comment on column hill.nights.rent_cents is 'What PEACE moves cost.';
comment on column hill.nights.stakes_cents is 'Stakes of lone WAR moves.';
comment on column hill.nights.burned_cents is 'Stakes of WAR moves that burned.';
comment on column hill.nights.granted_cents is 'How much of it all came from granted credits.';
comment on column hill.nights.paid_cents is 'How much came from paid credits.';
comment on column hill.nights.expired_cents is
'Granted credits that expired at this bell; null until all wallets show the night.';
comment on table hill.place_results is
'What each of the ten places came to on each night. Written once. Rules 4.4, 10.6.';
comment on column hill.place_results.day is 'The night.';
comment on column hill.place_results.slot is 'The place.';
comment on column hill.place_results.outcome is 'VACANT, PEACE, WAR or BURN. Rules 4.4.';
comment on column hill.place_results.open is 'Whether it could be played that day. Rules 2.8.';
comment on column hill.place_results.peace_count is 'Live PEACE moves on it.';
comment on column hill.place_results.war_count is 'Live WAR moves on it.';
comment on column hill.place_results.burned_cents is 'Stakes that burned on it; 0 unless it is BURN.';
comment on table hill.seats is
'Who sat on which place after each night, by which move, for how many bells, for how many points. Written once. '
'Rules 4.8.';
comment on column hill.seats.day is 'The night.';
comment on column hill.seats.slot is 'The place.';
comment on column hill.seats.seat is '1 for the first seated, 2 for the second.';
comment on column hill.seats.account_id is 'Who sits there.';
comment on column hill.seats.agent_id is 'The agent behind the move that got the seat.';
comment on column hill.seats.seq is 'That move (hill.moves); of a seat from the queue it is one on another place.';
comment on column hill.seats.days_held is
'For how many bells it had held the place before this one, in a row. Rules 4.7.';
comment on column hill.seats.via is 'How it came to the seat: holder, peace, war or queue. Rules 12.2.';
comment on column hill.seats.points is '11 less the slot, divided by the occupants.';
comment on table hill.sealed_counts is
'How many moves are sealed tonight, counted on the quarter hour so that the count reveals no instant. Rules 9.1, 9.3.';
comment on column hill.sealed_counts.singleton is 'Always true: there is one row.';
comment on column hill.sealed_counts.day is 'The day that is counted.';
comment on column hill.sealed_counts.counted_at is
'The quarter hour at which it was counted last; null before the first. Hill''s clock.';
comment on column hill.sealed_counts.moves is 'How many live moves there were then.';
