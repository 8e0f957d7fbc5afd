-- Credits that come in: paid by a human, granted by the service. Rules 5.3, 5.5.

-- Grants credits (cents) to an account, as a lot that expires after 90 days. Errors: INVALID_AMOUNT, ACCOUNT_CLOSED;
-- 23503 for an unknown account. Rules 5.3.
create or replace function engine.grant_credits(account_id uuid, cents bigint, reason text)
returns bigint
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now         timestamptz;
  v_transfer_id bigint;
  v_lot_id      bigint;
begin
  if grant_credits.cents is null or grant_credits.cents not between 1 and engine.grant_maximum_cents() then
    perform engine.refuse('INVALID_AMOUNT', format('A grant is 1 to %s cents.', engine.grant_maximum_cents()),
                          jsonb_build_object('minimum_cents', 1, 'maximum_cents', engine.grant_maximum_cents()));
  end if;
  -- so that of two grants at once the one with the earlier instant comes first on the line, and each is on its own side
  -- of a bell that rings meanwhile
  v_now := trusted.take_instant(account_id);
  perform engine.refuse_closed(account_id);
  insert into hill.transfers (day, at, kind, debit_code, credit_account_id, cents, reason)
  select engine.day_of(v_now, s.day_one), v_now, 'grant', 'grants', grant_credits.account_id, grant_credits.cents,
         grant_credits.reason
    from hill.settings s
  returning id into v_transfer_id;
  -- the transfer holds the wallet's row, so two grants at once follow one another on the line
  insert into hill.lots (account_id, transfer_id, from_cents, cents, granted_at, expires_at)
  select grant_credits.account_id, v_transfer_id, coalesce(max(l.from_cents + l.cents), 0), grant_credits.cents, v_now,
         v_now + make_interval(hours => 24 * engine.granted_credits_days())
    from hill.lots l where l.account_id = grant_credits.account_id
  returning id into v_lot_id;
  return v_lot_id;
end
$$;

-- Trigger: a new lot begins on the account's line where the last one ends, and expires no sooner. Errors: LEDGER_GUARD.
-- Rules 5.3, 5.5.
create or replace function trusted.guard_lots()
returns trigger
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  if exists (select from hill.lots l
              where l.account_id = new.account_id and l.from_cents < new.from_cents and l.expires_at > new.expires_at)
     or new.from_cents <> (select coalesce(max(l.from_cents + l.cents), 0)
                             from hill.lots l where l.account_id = new.account_id and l.id <> new.id) then
    perform engine.refuse('LEDGER_GUARD',
                          'A lot follows the account''s earlier lots, and expires no sooner than they do.');
  end if;
  return null;
end
$$;

create or replace trigger in_order after insert on hill.lots for each row execute function trusted.guard_lots();
create or replace trigger written_once before update or delete or truncate on hill.lots
  for each statement execute function trusted.guard_balances();

-- Refuses an amount (cents) outside the limits of a top-up. Errors: INVALID_AMOUNT. Rules 5.2.
create or replace function engine.check_topup(cents bigint)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if check_topup.cents is null
     or check_topup.cents not between engine.topup_minimum_cents() and engine.topup_maximum_cents() then
    perform engine.refuse('INVALID_AMOUNT', 'A top-up is outside its limits.',
      jsonb_build_object('minimum_cents', engine.topup_minimum_cents(), 'maximum_cents', engine.topup_maximum_cents()));
  end if;
end
$$;

-- Credits an account with paid credits (cents, within the top-up limits). Errors: INVALID_AMOUNT, ACCOUNT_CLOSED; 23503
-- for an unknown account. Rules 5.2.
create or replace function engine.top_up(account_id uuid, cents bigint, reason text)
returns bigint
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now         timestamptz;
  v_transfer_id bigint;
begin
  perform engine.check_topup(top_up.cents);
  v_now := trusted.take_instant(account_id);
  perform engine.refuse_closed(account_id);
  insert into hill.transfers (day, at, kind, debit_code, credit_account_id, cents, reason)
  select engine.day_of(v_now, s.day_one), v_now, 'topup', 'cash', top_up.account_id, top_up.cents, top_up.reason
    from hill.settings s
  returning id into v_transfer_id;
  return v_transfer_id;
end
$$;
