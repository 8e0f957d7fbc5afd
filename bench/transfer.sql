-- A plain double-entry transfer in PL/pgSQL: two accounts locked in key order, one transfer, two entries that carry the
-- balance before and after. What other ledgers in PostgreSQL do for one payment, on as many accounts as
-- transfer.accounts says.
create table transfer_accounts (id bigint primary key, balance numeric not null, version bigint not null default 0, updated_at timestamptz not null default now());
create table transfer_transfers (id uuid primary key default uuidv7(), from_id bigint not null references transfer_accounts, to_id bigint not null references transfer_accounts,
  amount numeric not null check (amount > 0), created_at timestamptz not null default now());
create table transfer_entries (id uuid primary key default uuidv7(), account_id bigint not null references transfer_accounts, transfer_id uuid not null references transfer_transfers,
  amount numeric not null, balance_before numeric not null, balance_after numeric not null, version bigint not null, created_at timestamptz not null default now());
create index on transfer_entries (account_id);
create index on transfer_entries (transfer_id);
insert into transfer_accounts (id, balance) select g, 1000000 from generate_series(1, current_setting('transfer.accounts')::bigint) g;

create function transfer(from_id bigint, to_id bigint, amount numeric)
returns uuid
language plpgsql
as $$
declare
  v_from transfer_accounts;
  v_to   transfer_accounts;
  v_id   uuid;
begin
  perform from transfer_accounts a where a.id in (from_id, to_id) order by a.id for update;
  select * into v_from from transfer_accounts a where a.id = from_id;
  select * into v_to from transfer_accounts a where a.id = to_id;
  if v_from.balance < amount then
    raise exception 'insufficient';
  end if;
  insert into transfer_transfers (from_id, to_id, amount) values (from_id, to_id, amount) returning id into v_id;
  update transfer_accounts a set balance = a.balance - amount, version = a.version + 1, updated_at = now() where a.id = from_id;
  update transfer_accounts a set balance = a.balance + amount, version = a.version + 1, updated_at = now() where a.id = to_id;
  insert into transfer_entries (account_id, transfer_id, amount, balance_before, balance_after, version)
  values (from_id, v_id, -amount, v_from.balance, v_from.balance - amount, v_from.version + 1), (to_id, v_id, amount, v_to.balance, v_to.balance + amount, v_to.version + 1);
  return v_id;
end
$$;
vacuum (analyze);
