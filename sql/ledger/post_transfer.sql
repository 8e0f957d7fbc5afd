-- Balances change by transfers and bells, and by nothing else. Rules 5.5.

-- Trigger: transfers move their cents when they are written, in the same statement, from the balances they debit to
-- those they credit. Errors: LEDGER_GUARD; 23514 where a wallet would go below 0. Rules 5.5.
create or replace function trusted.post_transfers()
returns trigger
language plpgsql volatile parallel unsafe security definer  -- hill_owner: nobody else may touch a balance
set search_path to pg_catalog, pg_temp
as $$
declare
  v_accounts integer;
  -- trusted.debit_wallets takes what expires from the wallets together with what the night took
  v_taken    text := case when current_setting('hill.bell', true) = 'ringing' then 'expiry' else '' end;
begin
  with moved as (
    select coalesce(t.credit_account_id, t.debit_account_id) as account_id,
           sum(e.paid_cents) as paid_cents,
           sum(e.granted_cents) as granted_cents
      from posted t cross join engine.wallet_effect(t.kind, t.cents) e where t.kind <> v_taken group by 1
  )
  update hill.wallets w set paid_cents = w.paid_cents + m.paid_cents, granted_cents = w.granted_cents + m.granted_cents
    from moved m where w.account_id = m.account_id;
  get diagnostics v_accounts = row_count;
  if v_accounts <> (select count(distinct coalesce(t.credit_account_id, t.debit_account_id))
                      from posted t where t.kind <> v_taken) then
    perform engine.refuse('LEDGER_GUARD', 'An account has no wallet.');
  end if;
  -- wallets before ledger accounts, always: so no two transfers wait for each other
  update hill.ledger_accounts l set balance_cents = l.balance_cents + m.cents
    from (select s.code, sum(s.cents) as cents
            from posted t
           cross join lateral (values (t.credit_code, t.cents), (t.debit_code, -t.cents)) s (code, cents)
           group by 1) m
   where l.code = m.code;
  return null;
end
$$;

-- Trigger: refuses every change of a balance outside a transfer or a bell, and every change of append-only rows,
-- whoever makes it.
create or replace function trusted.guard_balances()
returns trigger
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.refuse('LEDGER_GUARD',
                        'What was written cannot be changed, and a balance changes only by a transfer.');
  return null;
end
$$;

create or replace trigger post after insert on hill.transfers referencing new table as posted
  for each statement execute function trusted.post_transfers();
create or replace trigger written_once before update or delete or truncate on hill.transfers
  for each statement execute function trusted.guard_balances();
create or replace trigger written_once before delete or truncate on hill.wallets
  for each statement execute function trusted.guard_balances();
create or replace trigger written_once before delete or truncate on hill.ledger_accounts
  for each statement execute function trusted.guard_balances();

create or replace trigger starts_empty before insert on hill.wallets for each row
  when (new.paid_cents <> 0 or new.granted_cents <> 0) execute function trusted.guard_balances();
-- For each statement, not each row: a bell writes a million. Two functions pass, both run by hill_owner: post_transfers
-- from its trigger, and debit_wallets in the bell, which says so by a setting. The owner's own hand does neither.
create or replace trigger moves_by_transfer before update on hill.wallets for each statement
  when (current_user <> 'hill_owner'
        or (pg_trigger_depth() = 0 and current_setting('hill.bell', true) is distinct from 'ringing'))
  execute function trusted.guard_balances();
create or replace trigger moves_by_transfer before update on hill.ledger_accounts for each statement
  when (pg_trigger_depth() = 0 and current_setting('hill.bell', true) is distinct from 'ringing')
  execute function trusted.guard_balances();
