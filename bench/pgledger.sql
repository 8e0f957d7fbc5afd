-- transfer.accounts accounts for pgledger itself, whose own file is loaded before.
insert into pgledger_accounts (id, name, currency, allow_negative_balance, allow_positive_balance, created_at, updated_at)
select 'pgla_' || g, 'Account ' || g, 'USD', true, true, now(), now() from generate_series(1, current_setting('transfer.accounts')::bigint) g;
vacuum (analyze);
