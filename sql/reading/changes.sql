-- reading/changes.sql · Notifications on commit, so that readers drop from memory what has changed. Bells and boards
-- notify on their own channels (hill_night, hill_boards). A deposit must notify of nothing here: it would betray the
-- move. Rules 9.2, 10.11.

create or replace function engine.tell_change()
returns trigger
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  perform pg_notify('hill_changed', tg_argv[0]);
  return null;
end
$$;

comment on function engine.tell_change is
'Statement trigger: notifies channel hill_changed of what has changed: announcements, accounts, identities, counters, '
'sealed_count, places, clock or tournaments. Elsewhere closings (engine.retell_nights) and archives are told. '
'Rules 10.8.';

create or replace trigger tell_change after insert on hill.announcements
  for each statement execute function engine.tell_change('announcements');
-- it may be the one that somebody asked for in vain
create or replace trigger tell_new after insert on hill.accounts
  for each statement execute function engine.tell_change('accounts');
create or replace trigger tell_change after update of name, slug, url, verified, badge, icon, house on hill.accounts
  for each statement execute function engine.tell_change('identities');
-- a picture that replaces another leaves its account as it is
create or replace trigger tell_change after update on hill.icons
  for each statement execute function engine.tell_change('identities');
create or replace trigger tell_change after update of name, model on hill.agents
  for each statement execute function engine.tell_change('identities');
create or replace trigger tell_change after insert or update on hill.identity_counters
  for each statement execute function engine.tell_change('counters');
create or replace trigger tell_change after update on hill.sealed_counts
  for each statement execute function engine.tell_change('sealed_count');
create or replace trigger tell_change after update on hill.places
  for each statement execute function engine.tell_change('places');
-- the other columns follow what is told of by itself (engine.renew_tonight)
create or replace trigger tell_change
  after update of day_one, founders_total, clock, shown_at, set_at, rate on hill.settings
  for each statement execute function engine.tell_change('clock');
-- a sign-up also updates its tournament, which counts the entries
create or replace trigger tell_change after insert or update on hill.tournaments
  for each statement execute function engine.tell_change('tournaments');
create or replace trigger tell_change after insert on hill.tournament_boards
  for each statement execute function engine.tell_change('tournaments');
create or replace trigger tell_change after insert or update on hill.tournament_codes
  for each statement execute function engine.tell_change('tournaments');
