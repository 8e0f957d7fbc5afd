--! Previous: sha1:76deb69379d672fcf7707591c6babb05c286822d
--! Hash: sha1:e2b2be56a429f9f0fd4495f20e5d837efcb1144a
--! Message: prospects of holders

-- What a move would earn tonight if holders stay, kept for each holder too: the tool status asks it often.

set local role hill_owner;

create table hill.prospects_of_holders (
  held_slot     smallint not null,
  held_seat     smallint not null,
  slot          smallint not null,
  day           integer not null,
  peace_points  numeric not null,
  war_points    numeric not null,
  primary key (held_slot, held_seat, slot)
);

alter table hill.prospects_of_holders enable row level security, force row level security;

reset role;
