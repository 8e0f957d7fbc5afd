--! Previous: sha1:0fdc7905543172315039d0724bfacb1e9aeea6f9
--! Hash: sha1:a9612f9c0127f9e5198c0c3b817eba4e0713c5d3
--! Message: announced places

-- What is public of a place beside what a move would earn there, kept with it for the tool status: whom announcements
-- foretell, and how its last nights went. Rules 6.1; protocol 9.4.

set local role hill_owner;

alter table hill.prospects
  add column announced         integer not null default 0,
  add column peace_announced   integer not null default 0,
  add column war_announced     integer not null default 0,
  add column announcers_kept   integer not null default 0,
  add column announcers_judged integer not null default 0,
  add column lone_wars         smallint not null default 0,
  add column seated_at         timestamptz;

reset role;
