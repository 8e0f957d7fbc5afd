--! Previous: sha1:123bc03acc0dbfb1214490415007e25d36c0af49
--! Hash: sha1:71ae6f105abf778fda5baf120aaf1e1500450d7b
--! Message: tournaments

-- Tournaments: windows on the same hill, who signed up for them, codes that grant their entrants credits, and three boards.

set local role hill_owner;

create table hill.tournaments (
  id                           integer generated always as identity primary key,
  slug                         text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 60),
  name                         text not null check (char_length(name) between 1 and 80),
  tagline                      text not null default '' check (char_length(tagline) <= 200),
  sponsor_name                 text check (char_length(sponsor_name) between 1 and 80),
  sponsor_url                  text check (sponsor_url ~ '^https?://' and char_length(sponsor_url) <= 300),
  sponsor_cents                bigint not null default 0 check (sponsor_cents >= 0),
  open_questions               text[] not null default '{}' check (cardinality(open_questions) <= 20),
  opens_day                    integer not null check (opens_day >= 1),
  sign_ups_close_day           integer not null,
  starts_day                   integer not null,
  ends_day                     integer not null,
  target_agents                integer not null check (target_agents >= 1),
  recommended_daily_cap_cents  bigint not null check (recommended_daily_cap_cents >= 0),
  created_at                   timestamptz not null,
  constraint days_in_order check (opens_day <= sign_ups_close_day and sign_ups_close_day < starts_day and starts_day <= ends_day),
  check (sponsor_name is not null or (sponsor_url is null and sponsor_cents = 0))
);

create table hill.tournament_entries (
  tournament_id  integer not null references hill.tournaments,
  account_id     uuid not null references hill.accounts,
  agent_id       uuid not null references hill.agents,
  signed_up_at   timestamptz not null,
  primary key (tournament_id, account_id)
);
create index on hill.tournament_entries (account_id);

create table hill.tournament_codes (
  code           text primary key check (code ~ '^[A-Z0-9]+(-[A-Z0-9]+)*$' and char_length(code) between 8 and 40),
  tournament_id  integer not null references hill.tournaments,
  cents          bigint not null check (cents > 0),
  uses           integer not null check (uses >= 1),
  used           integer not null default 0 check (used between 0 and uses),
  shown          boolean not null,
  created_at     timestamptz not null,
  expires_at     timestamptz not null check (expires_at > created_at),
  revoked_at     timestamptz
);
create index on hill.tournament_codes (tournament_id);

-- A row is what grants: its trigger counts the use and makes the lot.
create table hill.tournament_redemptions (
  code         text not null references hill.tournament_codes,
  account_id   uuid not null references hill.accounts,
  lot_id       bigint not null unique references hill.lots,
  redeemed_at  timestamptz not null,
  primary key (code, account_id)
);
create index on hill.tournament_redemptions (account_id);

-- After which night the boards of a tournament stand, and how long they are.
create table hill.tournament_boards (
  tournament_id       integer not null references hill.tournaments,
  day                 integer not null references hill.nights,
  built_at            timestamptz not null,
  points_entries      integer not null,
  efficiency_entries  integer not null,
  record_entries      integer not null,
  primary key (tournament_id, day)
);

-- What each entrant that moved or announced has come to since the tournament started: the sums of the night before and this one.
create table hill.tournament_standings (
  tournament_id    integer not null references hill.tournaments,
  day              integer not null,
  account_id       uuid not null references hill.accounts,
  agent_id         uuid not null references hill.agents,
  points           numeric not null,
  consumed_cents   bigint not null check (consumed_cents >= 0),
  reputation       numeric not null,
  nights           integer not null check (nights >= 0),
  kept             integer not null check (kept >= 0),
  betrayed         integer not null check (betrayed >= 0),
  bluffed          integer not null check (bluffed >= 0),
  ghosted          integer not null check (ghosted >= 0),
  points_rank      integer,
  efficiency_rank  integer,
  record_rank      integer,
  primary key (tournament_id, day, account_id),
  check ((points_rank is not null) = (nights > 0)),
  check ((record_rank is not null) = (kept + betrayed + bluffed + ghosted > 0))
);
create unique index on hill.tournament_standings (tournament_id, day, points_rank) where points_rank is not null;
create unique index on hill.tournament_standings (tournament_id, day, efficiency_rank) where efficiency_rank is not null;
create unique index on hill.tournament_standings (tournament_id, day, record_rank) where record_rank is not null;

reset role;
