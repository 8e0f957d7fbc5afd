-- Everyone reads tournaments, entrants and boards. Codes are for those whom staff gave them to, unless they are shown.

alter table hill.tournaments enable row level security, force row level security;
create policy all_read on hill.tournaments for select to hill_api, hill_owner, hill_dba using (true);
grant select on hill.tournaments to hill_api, hill_dba;

alter table hill.tournament_entries enable row level security, force row level security;
create policy all_read on hill.tournament_entries for select to hill_api, hill_owner, hill_dba using (true);
grant select on hill.tournament_entries to hill_api, hill_dba;

alter table hill.tournament_boards enable row level security, force row level security;
create policy all_read on hill.tournament_boards for select to hill_api, hill_owner, hill_dba using (true);
grant select on hill.tournament_boards to hill_api, hill_dba;

alter table hill.tournament_standings enable row level security, force row level security;
create policy all_read on hill.tournament_standings for select to hill_api, hill_owner, hill_dba using (true);
grant select on hill.tournament_standings to hill_api, hill_dba;

-- staff read what follows from the nights on the public boards
create policy staff_read on hill.tournaments for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
create policy staff_read on hill.tournament_entries for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
create policy staff_read on hill.tournament_codes for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
create policy staff_read on hill.tournament_redemptions for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
grant select on
  hill.tournaments,
  hill.tournament_entries,
  hill.tournament_codes,
  hill.tournament_redemptions
  to hill_staff;

create policy staff_makes on hill.tournaments for insert to hill_api_staff
  with check (api_staff.staff_name() is not null);
create policy staff_edits on hill.tournaments for update to hill_api_staff
  using (api_staff.staff_name() is not null) with check (true);
grant insert, update on hill.tournaments to hill_api_staff;

create policy owner_counts on hill.tournaments for update to hill_owner using (true) with check (true);

create policy own_entry on hill.tournament_entries for insert to hill_api_agent
  with check (account_id = engine.actor_account());
grant insert on hill.tournament_entries to hill_api_agent;
create or replace trigger written_once before update or delete or truncate on hill.tournament_entries
  for each statement execute function trusted.guard_balances();

create policy worker_builds on hill.tournament_boards for insert to hill_api_worker with check (true);
create policy worker_builds on hill.tournament_standings for insert to hill_api_worker with check (true);
create policy owner_forgets on hill.tournament_standings for delete to hill_owner using (true);
grant insert on hill.tournament_boards, hill.tournament_standings to hill_api_worker;

alter table hill.tournament_codes enable row level security, force row level security;
create policy shown_read on hill.tournament_codes for select to hill_api using (shown);
create policy staff_makes on hill.tournament_codes to hill_api_staff
  using (api_staff.staff_name() is not null) with check (true);
create policy owner_counts on hill.tournament_codes to hill_owner using (true) with check (true);
grant select on hill.tournament_codes to hill_api;
grant insert, update (revoked_at) on hill.tournament_codes to hill_api_staff;

alter table hill.tournament_redemptions enable row level security, force row level security;
create policy own_redeem on hill.tournament_redemptions to hill_api_agent, hill_api_human
  using (account_id = engine.actor_account()) with check (account_id = engine.actor_account());
create policy owner_counts on hill.tournament_redemptions for select to hill_owner using (true);
grant select on hill.tournament_redemptions to hill_api_agent, hill_api_human;
grant insert (code, account_id) on hill.tournament_redemptions to hill_api_agent, hill_api_human;
create or replace trigger written_once before update or delete or truncate on hill.tournament_redemptions
  for each statement execute function trusted.guard_balances();

-- What the trigger of a redemption does as the owner of the tables, and nobody else: see trusted.post_redemption.
create policy owner_grants on hill.transfers for insert to hill_owner with check (kind = 'grant');
create policy owner_returning on hill.transfers for select to hill_owner using (true);
create policy owner_grants on hill.lots for insert to hill_owner with check (true);

-- Wrong codes are counted by account.
create policy agent_counts on oauth.rates to hill_api_agent using (true) with check (true);
grant select, insert, update on oauth.rates to hill_api_agent;

comment on table hill.tournaments is
'Windows on the same hill, made by staff: when entrants sign up, which nights count, who sponsors (cents). '
'Rules 8.3, 8.7.';
comment on table hill.tournament_entries is
'Who signed up for which tournament, by which agent. An entry decides on which boards an entrant appears, and nothing '
'else. Rules 8.1.';
comment on table hill.tournament_codes is
'Codes that grant credits (cents) to entrants, each a limited number of times, until it expires or is revoked. shown: '
'whether everyone reads it in the list of tournaments. Rules 8.5, 8.6.';
comment on table hill.tournament_redemptions is
'Which account redeemed which code, once, and the lot that it was granted. Written once.';
comment on table hill.tournament_boards is
'After which nights the boards of a tournament were built, and how many entries each has.';
comment on table hill.tournament_standings is
'The figures and ranks of a tournament''s entrants after a night, summed over its nights: points, nights with a live '
'move, cents consumed, verdicts. The last two nights are kept. Rules 8.4.';
