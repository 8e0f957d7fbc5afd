-- moves/checks.sql · What deposits and announcements ask alike. Decisions 1, 2.

create function engine.lock_account(account_id uuid)
returns void
language sql volatile parallel unsafe security invoker
-- A lock of its own rather than a row's: it costs no write. Two accounts may share a key; then one waits for nothing, for as long as a deposit takes.
return pg_advisory_xact_lock(uuid_hash_extended(account_id, engine.lock_key()));

comment on function engine.lock_account(uuid) is
$$Serializes, to the end of the transaction, everything that an account does today, whichever of its agents or its human does it. Taken after the day. Decisions 2.$$;

create function engine.check_may_play(suspended_at timestamptz, founder boolean, today integer, founders_total integer, day_one date)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if suspended_at is not null then
    perform engine.refuse('ACCOUNT_SUSPENDED', 'The account is suspended.');
  end if;
  if today = 0 or (today <= founders_total and not founder) then
    perform engine.refuse('HILL_NOT_OPEN', 'The hill is not open yet.',
      jsonb_build_object('opensAt', engine.iso(engine.day_start(case when founder then 1 else founders_total + 1 end, day_one))));
  end if;
end
$$;

comment on function engine.check_may_play(timestamptz, boolean, integer, integer, date) is
'Refuses a suspended account, and everyone before the hill opens to them: founders on day 1, others on launch day. Errors: ACCOUNT_SUSPENDED, HILL_NOT_OPEN.';

create function engine.past_receipt(account_id uuid, day integer, slot integer, move hill.move, stake_cents bigint, message text)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select engine.receipt(m.day, m.slot, m.move, m.stake_cents, m.message, m.cost_cents, m.at, engine.bell_at(m.day))
    from hill.moves m
   where m.day = past_receipt.day and m.account_id = past_receipt.account_id and m.slot = past_receipt.slot
     and m.move = past_receipt.move and m.stake_cents = past_receipt.stake_cents and m.message is not distinct from past_receipt.message
   order by m.seq desc limit 1;
end;

comment on function engine.past_receipt(uuid, integer, integer, hill.move, bigint, text) is
'The receipt that a past day gave for this very request, null if it gave none: so a retry across midnight buys nothing twice. Decisions 1.';

grant execute on function engine.lock_account(uuid) to hill_api_agent, hill_api_human, hill_api_worker;
grant execute on function engine.check_may_play(timestamptz, boolean, integer, integer, date),
  engine.past_receipt(uuid, integer, integer, hill.move, bigint, text) to hill_api_agent, hill_api_worker;
