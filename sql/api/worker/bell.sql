-- What the worker calls to ring the bell, and to look at the night that it published. No sealed move is read out. Rules
-- 2.2.

create or replace function api_worker.ring_next_bell(failure text default null)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_night      integer;
  v_promised   boolean;
  v_resolution engine.resolution;
  v_sums       engine.night_sums;
  v_debited    bigint;
  v_started_at timestamptz := clock_timestamp();
begin
  -- The night is read after the lock, and must include every deposit that the lock waited for.
  perform engine.check_isolation();
  -- Asked first, because the worker looks often: taking the lock would turn away every deposit of that moment.
  if engine.now() < engine.bell_at(engine.last_night() + 1) then
    return null;
  end if;

  lock table hill.day_lock in exclusive mode;            -- waits for deposits under way; from here on they are refused
  v_night := engine.last_night() + 1;
  if engine.now() < engine.bell_at(v_night) then
    return null;                                         -- another worker has just rung it
  end if;
  -- Asked while the day is held: nobody deposits between this look and the night.
  v_promised := exists (select from hill.sealed_moves);
  if v_promised and not trusted.bell_may_ring(v_night)
     and not (failure is not null and trusted.give_up_sealing(v_night, failure)) then
    perform engine.refuse('NOT_SEALED', format('The closing of day %s is not signed: its bell waits.', v_night),
      jsonb_build_object('day', v_night));
  end if;

  -- A night is one large run: plans for its own figures, and memory to hash a million accounts.
  perform set_config('plan_cache_mode', 'force_custom_plan', true), set_config('work_mem', '256MB', true);
  -- For the ledger's guards, until the end of the transaction, which is the bell's own.
  perform set_config('hill.bell', 'ringing', true);

  perform trusted.settle_piece(null, null);              -- what is left of the night before
  perform trusted.unseal_day(v_night);
  perform trusted.settle_day(v_night);
  -- From the stored input, like every replay of the night.
  v_resolution := engine.resolve_places(engine.stored_night(v_night));

  v_debited := trusted.debit_wallets(v_night);
  update hill.ledger_accounts l set balance_cents = l.balance_cents + case l.code
      when 'rent' then (select sum(p.rent_cents) from unnest(v_resolution.places) p)
      when 'stakes' then (select sum(p.stakes_cents) from unnest(v_resolution.places) p)
      else (select sum(p.burned_cents) from unnest(v_resolution.places) p) end
   where l.code in ('rent', 'stakes', 'burned');

  insert into hill.place_results (day, slot, outcome, open, peace_count, war_count, burned_cents)
  select v_night, p.slot, p.outcome, p.open, p.peace_count, p.war_count, p.burned_cents
    from unnest(v_resolution.places) p;
  insert into hill.seats (day, slot, seat, account_id, agent_id, seq, days_held, via, points)
  select v_night, s.slot, s.seat, s.account, m.agent_id, s.seq, s.days_held, s.via, s.points
    from unnest(v_resolution.seats) s
    join hill.moves m on m.day = v_night and m.account_id = s.account and m.seq = s.seq;
  perform engine.judge_announcements(v_night);
  perform trusted.take_back(v_night);
  perform trusted.take_revoked(v_night);
  perform engine.settle_closings(v_night);
  select s.* into v_sums from engine.sum_night(v_night, v_debited) s;
  perform engine.check_night(v_night, v_resolution, v_sums);

  insert into hill.nights (
    day,
    bell_at,
    resolved_at,
    accounts,
    moves,
    rent_cents,
    stakes_cents,
    burned_cents,
    granted_cents,
    paid_cents)
  select v_night,
         engine.bell_at(v_night),
         engine.now(),
         v_sums.accounts,
         p.moves,
         p.rent_cents,
         p.stakes_cents,
         p.burned_cents,
         v_sums.granted_cents,
         v_sums.paid_cents
    from (select sum(p.peace_count + p.war_count) as moves,
                 sum(p.rent_cents) as rent_cents,
                 sum(p.stakes_cents) as stakes_cents,
                 sum(p.burned_cents) as burned_cents
            from unnest(v_resolution.places) p) p;
  if v_debited is null then
    perform trusted.note_settled(v_night);
  end if;
  if v_promised then
    perform trusted.note_seal(v_night);
  end if;
  perform trusted.log_night(v_night, v_resolution);
  perform engine.tell_night(v_night);
  update hill.sealed_counts c set day = v_night + 1, counted_at = engine.bell_at(v_night), moves = 0;
  perform trusted.note_change('night');

  return (
    select jsonb_build_object(
             'day', n.day,
             'accounts', n.accounts,
             'moves', n.moves,
             'burned_cents', n.burned_cents,
             'unsealed', trusted.unsealed(n.day),
             'milliseconds', round(extract(epoch from clock_timestamp() - v_started_at) * 1000))
      from hill.nights n
     where n.day = v_night);
end
$$;

create or replace function api_worker.settle_wallets(after text default null)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_night integer := engine.unsettled_night();
  v_last  uuid;
begin
  if v_night is null then
    return null;
  end if;
  perform trusted.lock_one('settling');   -- two at once would write the same wallets in different orders
  if not engine.try_day() then
    return jsonb_build_object('ringing', true);
  end if;
  -- A piece that is lost with the machine is done again, so no commit waits for the disk.
  perform set_config('synchronous_commit', 'off', true);
  v_night := engine.unsettled_night();   -- a bell may have rung since, and now none can
  v_last := trusted.settle_piece(
    -- of another night it would leave out accounts that do not show this one
    case when split_part(after, ' ', 1) = v_night::text then split_part(after, ' ', 2)::uuid end,
    engine.settling_piece());
  return case when v_last is not null then jsonb_build_object('after', v_night || ' ' || v_last) end;
end
$$;

create or replace function api_worker.check_published(night integer)
returns void
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v record;
begin
  perform engine.see_last_night();
  select count(*) as live_moves,
         coalesce(sum(m.cost_cents), 0) as live_cents,
         count(*) filter (where s.account_id is null) as not_charged,
         p.moves as resolved_moves,
         n.granted_cents + n.paid_cents as charged_cents
    into v
    from hill.nights n
   cross join lateral (select sum(r.peace_count + r.war_count) as moves
                         from hill.place_results r
                        where r.day = n.day) p
    left join hill.moves m on m.day = n.day and m.ended is null
    left join hill.settlements s on s.day = n.day and s.account_id = m.account_id
   where n.day = check_published.night and m.day is not null
   group by p.moves, n.granted_cents, n.paid_cents;
  if v.live_moves <> v.resolved_moves or v.live_cents <> v.charged_cents or v.not_charged > 0 then
    perform engine.refuse(
      'VERIFICATION_FAILED',
      format('night %s is published, and is not what its moves come to', night),
      to_jsonb(v));
  end if;
end
$$;

create or replace function api_worker.index_nights()
returns void
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  perform trusted.lock_one('boards');  -- two at once would make the same indexes
  perform set_config('maintenance_work_mem', '256MB', true);
  perform trusted.index_night(n.day)
     from hill.nights n
    where to_regclass('hill.' || engine.queue_index(n.day)) is null;
end
$$;

create or replace function api_worker.make_next_table()
returns void
language sql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$ select trusted.make_next_table() $$;

create or replace function api_worker.read_night(day integer)
returns jsonb
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object(
      'day', n.day,
      'accounts', n.accounts,
      'moves', n.moves,
      'outcomes', p.outcomes,
      'burned_cents', n.burned_cents)
    from hill.nights n
   cross join lateral (
     select jsonb_object_agg(o.outcome, o.places) as outcomes
       from (select p.outcome, count(*) as places from hill.place_results p where p.day = n.day group by p.outcome) o) p
   where n.day = read_night.day
$$;

comment on function api_worker.ring_next_bell is
'Rings the next bell if it is due: resolves, settles, checks and publishes the night, or changes nothing. Returns the '
'night''s figures, null if none is due. Call it until it returns null: missed bells are rung in order. Several '
'callers at once, or a second call, are harmless. Where a log is published and somebody deposited, '
'api_worker.close_next_day comes first, and its closing is signed; failure says why that could not be done: see '
'trusted.give_up_sealing. Errors: NOT_SEALED, NIGHT_DOES_NOT_BALANCE, READ_COMMITTED_ONLY. Rules 2.2, 20.42, 20.43.';
comment on function api_worker.settle_wallets is
'Takes what the last night took from the wallets of the next accounts (after: the last of the piece before), in a '
'transaction that hardly anybody waits for. Returns after, which names the night and the last of the piece, to be '
'given to the next call, and begins anew with another night; null once all wallets show the night; ringing: the next '
'bell has begun, and does it. Any number of callers may begin anew at any time. Rules 5.4.';
comment on function api_worker.check_published is
'Checks a published night in a transaction of its own, which sees what the bell''s could not: each live move was '
'resolved and its account charged, and together they cost what was taken. Errors: VERIFICATION_FAILED. Rules 5.4.';
comment on function api_worker.index_nights is
'trusted.index_night of each night that has no indexes. Runs right after the bell, before all that may take longer, so '
'that few readers come before the indexes. Safe to call at any time. Rules 10.';
comment on function api_worker.make_next_table is
'Makes the table for the sealed moves of the day after this one, so that the bell need not: it makes what it does not '
'find. Safe to call at any time. Rules 2.3.';
comment on function api_worker.read_night is
'What a published night came to: accounts and moves, how many places had which outcome, cents burned. Null for a day '
'without a published night.';

grant execute on function
  api_worker.ring_next_bell,
  api_worker.settle_wallets,
  api_worker.check_published,
  api_worker.index_nights,
  api_worker.make_next_table,
  api_worker.read_night
  to hill_worker;
