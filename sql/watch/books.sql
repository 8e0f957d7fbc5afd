-- watch/books.sql · Looks between bells whether the books balance. Decisions 118.

create or replace function engine.count_books(with_checks boolean)
returns boolean
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_ok boolean;
begin
  update hill.watch b
     set delta_cents = (select coalesce(sum(w.paid_cents + w.granted_cents), 0) from hill.wallets w)
                     + (select sum(a.balance_cents) from hill.ledger_accounts a),
         counted_at = clock_timestamp();
  if with_checks then
    update hill.watch b
       set checks = (select jsonb_agg(to_jsonb(c)) from engine.check_balances() c), checked_at = clock_timestamp();
  end if;
  select b.delta_cents = 0
     and not exists (select from jsonb_array_elements(b.checks) c where (c ->> 'wrong')::bigint > 0)
    into v_ok
    from hill.watch b;
  return v_ok;
end
$$;

comment on function engine.count_books is
'Adds up all balances and, with_checks, each balance''s entries (engine.check_balances), which takes as long as the '
'hill is old. Keeps both in hill.watch. Returns whether all of it holds. Settled money only. Rules 5.5; decisions 118.';

grant execute on function engine.count_books, engine.check_balances, engine.wallet_lines to hill_api_worker;
