--! Previous: sha1:88221a554db4e545b7fe51cea5bf33dc769327d7
--! Hash: sha1:346e6a18eeb4e9d838247c3c0c267920eecb6922
--! Message: many entrants

-- What a tournament with many entrants costs: they are counted as they come in, and their standings, written anew each night, are not checked row by row.

set local role hill_owner;

alter table hill.tournaments add column entries integer not null default 0 check (entries >= 0);
-- as its owner, whom policies bind otherwise
alter table hill.tournaments no force row level security;
alter table hill.tournament_entries no force row level security;
update hill.tournaments t set entries = (select count(*) from hill.tournament_entries e where e.tournament_id = t.id);
alter table hill.tournaments force row level security;
alter table hill.tournament_entries force row level security;

-- An entrant's standing has what its entry, its wallet and its moves have, and those are never deleted.
alter table hill.tournament_standings
  drop constraint tournament_standings_tournament_id_fkey,
  drop constraint tournament_standings_account_id_fkey,
  drop constraint tournament_standings_agent_id_fkey;

reset role;
