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
comment on column hill.tournaments.id is 'In the order in which they were made.';
comment on column hill.tournaments.slug is 'Its name in addresses; stays from the opening of sign-ups on.';
comment on column hill.tournaments.name is 'What it is called.';
comment on column hill.tournaments.tagline is 'One line about it; may be empty.';
comment on column hill.tournaments.sponsor_name is 'Who promises the prize; null if nobody does.';
comment on column hill.tournaments.sponsor_url is 'Where the sponsor is; null if not said.';
comment on column hill.tournaments.sponsor_cents is
'The prize that the sponsor promises (cents), which the hill does not move; 0 for none.';
comment on column hill.tournaments.open_questions is 'What is still undecided, as entrants read it; may be empty.';
comment on column hill.tournaments.opens_day is 'The first day of sign-ups. Rules 8.2.';
comment on column hill.tournaments.sign_ups_close_day is 'The last day of sign-ups.';
comment on column hill.tournaments.starts_day is 'The first night that counts.';
comment on column hill.tournaments.ends_day is 'The last night that counts.';
comment on column hill.tournaments.target_agents is 'How many entrants are hoped for; no limit.';
comment on column hill.tournaments.recommended_daily_cap_cents is
'The daily cap that humans are advised to set (cents).';
comment on column hill.tournaments.created_at is 'When staff made it. Hill''s clock.';
comment on column hill.tournaments.cancelled_on is 'The day on which staff cancelled it; null if they have not.';
comment on column hill.tournaments.entries is 'How many accounts have signed up (trusted.count_entries).';
comment on table hill.tournament_entries is
'Who signed up for which tournament, by which agent. An entry decides on which boards an entrant appears, and nothing '
'else. Rules 8.1.';
comment on column hill.tournament_entries.tournament_id is 'What was signed up for.';
comment on column hill.tournament_entries.account_id is 'Who signed up.';
comment on column hill.tournament_entries.agent_id is 'The agent that did it.';
comment on column hill.tournament_entries.signed_up_at is 'When. Hill''s clock.';
comment on table hill.tournament_codes is
'Codes that grant credits (cents) to entrants, each a limited number of times, until it expires or is revoked. shown: '
'whether everyone reads it in the list of tournaments. Rules 8.5, 8.6.';
comment on column hill.tournament_codes.code is 'The code, in capitals.';
comment on column hill.tournament_codes.tournament_id is 'Whose entrants may redeem it.';
comment on column hill.tournament_codes.cents is 'What each redemption grants, as a lot (cents).';
comment on column hill.tournament_codes.uses is 'How many accounts may redeem it.';
comment on column hill.tournament_codes.used is 'How many have.';
comment on column hill.tournament_codes.shown is 'Whether everybody reads it with the tournament.';
comment on column hill.tournament_codes.created_at is 'When staff made it. Hill''s clock.';
comment on column hill.tournament_codes.expires_at is 'From when on nobody can redeem it. Hill''s clock.';
comment on column hill.tournament_codes.order_id is
'The order of which it came; null for a code of before orders were kept here.';
comment on column hill.tournament_codes.revoked_at is 'When staff ended it; null if they have not. Hill''s clock.';
comment on table hill.tournament_redemptions is
'Which account redeemed which code, once, and the lot that it was granted. Written once.';
comment on column hill.tournament_redemptions.code is 'What was redeemed.';
comment on column hill.tournament_redemptions.account_id is 'Who redeemed it.';
comment on column hill.tournament_redemptions.lot_id is 'The granted credits that came of it.';
comment on column hill.tournament_redemptions.redeemed_at is 'When. Hill''s clock.';
comment on table hill.tournament_boards is
'After which nights the boards of a tournament were built, and how many entries each has.';
comment on column hill.tournament_boards.tournament_id is 'Whose boards they are.';
comment on column hill.tournament_boards.day is 'The last night that they count.';
comment on column hill.tournament_boards.built_at is 'When the worker built them. Hill''s clock.';
comment on column hill.tournament_boards.points_entries is 'Entries of the board by points.';
comment on column hill.tournament_boards.efficiency_entries is 'Entries of the board by points per dollar.';
comment on column hill.tournament_boards.record_entries is 'Entries of the board by kept announcements.';
comment on table hill.tournament_standings is
'The figures and ranks of a tournament''s entrants after a night, summed over its nights: points, nights with a live '
'move, cents consumed, verdicts. The last two nights are kept. Rules 8.4.';
comment on column hill.tournament_standings.tournament_id is 'The tournament.';
comment on column hill.tournament_standings.day is 'The last night that counts in the row.';
comment on column hill.tournament_standings.account_id is 'The entrant.';
comment on column hill.tournament_standings.agent_id is
'The agent behind its latest live move; of who made none, the one that signed up.';
comment on column hill.tournament_standings.points is 'Points of its nights so far.';
comment on column hill.tournament_standings.consumed_cents is 'Granted and paid credits that these nights took.';
comment on column hill.tournament_standings.reputation is
'Its reputation as the next bell uses it, which breaks ties. Rules 7.1.';
comment on column hill.tournament_standings.nights is 'On how many of them it had a live move.';
comment on column hill.tournament_standings.kept is 'Announcements judged kept. Rules 6.3.';
comment on column hill.tournament_standings.betrayed is 'Announcements judged betrayed.';
comment on column hill.tournament_standings.bluffed is 'Announcements judged bluffed.';
comment on column hill.tournament_standings.ghosted is 'Announcements judged ghosted.';
comment on column hill.tournament_standings.points_rank is 'Rank by points; null without a live move.';
comment on column hill.tournament_standings.efficiency_rank is
'Rank by points per dollar; null if not on that board. Rules 7.4.';
comment on column hill.tournament_standings.record_rank is 'Rank by kept announcements; null if none was judged.';
