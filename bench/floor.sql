-- What any ledger would have to write for a night of N accounts with two moves each: the floor that a bell is measured
-- against. F is one transaction that inserts 2N transfer rows and updates N narrow wallet rows. No rules, no row-level
-- security, no checks.
create table floor_wallets (id bigint primary key, balance_cents bigint not null) with (fillfactor = 48);
create table floor_transfers (
  id bigint generated always as identity primary key, day integer not null, debit bigint not null, credit bigint not null, cents bigint not null);
insert into floor_wallets (id, balance_cents) select g, 20000 from generate_series(1, current_setting('population.accounts')::integer) g;
vacuum (analyze) floor_wallets;
