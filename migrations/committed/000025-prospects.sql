--! Previous: sha1:3eeafc76e37839f52feaa0e5642b1935614236b1
--! Hash: sha1:3c087af31a8585b61d6de9a98a55ef5413943961
--! Message: prospects

-- What a move would earn tonight if holders stay, kept for all who hold no seat there: the tool status asks it often.

set local role hill_owner;

create table hill.prospects (
  slot          smallint primary key references hill.places,
  day           integer not null,
  peace_points  numeric not null,
  war_points    numeric not null
);

alter table hill.prospects enable row level security, force row level security;

reset role;
