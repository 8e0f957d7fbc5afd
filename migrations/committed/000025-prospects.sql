--! Previous: sha1:3eeafc76e37839f52feaa0e5642b1935614236b1
--! Hash: sha1:8a6102d8cb5fddc2365dfedb197c7fa350acb028
--! Message: prospects

-- What a move would earn tonight if holders stay, kept for all who hold no seat there: the tool status asks it often.

set local role hill_owner;

create table hill.prospects (
  day           integer not null,
  slot          smallint not null references hill.places,
  peace_points  numeric not null,
  war_points    numeric not null,
  primary key (day, slot)
);

alter table hill.prospects enable row level security, force row level security;

reset role;
