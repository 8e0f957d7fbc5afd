--! Previous: sha1:aa314307c13adb700c7e2e560933bbf154ba3c9f
--! Hash: sha1:3833f78cdb37508de16913a1b035c2547e0325a4
--! Message: settled after the bell

-- A night is published before all wallets show it. Rules 5.4.

set local role hill_owner;

-- The last night that all wallets show. Of those before now the bell wrote them all.
alter table hill.settings add column settled_night integer not null default 0;
alter table hill.settings no force row level security;
update hill.settings set settled_night = last_night;
alter table hill.settings force row level security;

-- One worker at a time writes them.
alter table hill.locks no force row level security;
insert into hill.locks (name) values ('settling');
alter table hill.locks force row level security;

reset role;
