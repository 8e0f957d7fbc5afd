-- What the worker calls to ring, build, count and play for the house. No sealed move is read out.

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
  v_expired    bigint;
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

  perform trusted.unseal_day(v_night);
  perform trusted.settle_day(v_night);
  -- From the stored input, like every replay of the night.
  v_resolution := engine.resolve_places(engine.stored_night(v_night));

  v_expired := trusted.debit_wallets(v_night);
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
  perform engine.settle_closings(v_night);
  select s.* into v_sums from engine.sum_night(v_night) s;
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
    paid_cents,
    expired_cents)
  select v_night,
         engine.bell_at(v_night),
         engine.now(),
         v_sums.accounts,
         p.moves,
         p.rent_cents,
         p.stakes_cents,
         p.burned_cents,
         v_sums.granted_cents,
         v_sums.paid_cents,
         v_expired
    from (select sum(p.peace_count + p.war_count) as moves,
                 sum(p.rent_cents) as rent_cents,
                 sum(p.stakes_cents) as stakes_cents,
                 sum(p.burned_cents) as burned_cents
            from unnest(v_resolution.places) p) p;
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

create or replace function api_worker.keep_prospects()
returns void language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.keep_prospects(engine.see_last_night() + 1) $$;

create or replace function api_worker.build_boards()
returns integer language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.build_boards() $$;

create or replace function api_worker.drop_old_boards()
returns integer language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select trusted.drop_old_boards() $$;

create or replace function api_worker.rank_next_tournament()
returns text
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_last       integer;
  v_tournament hill.tournaments;
  v_before     integer;
begin
  perform trusted.lock_one('tournament boards');   -- two at once would write the same rows
  v_last := engine.see_last_night();
  -- any of them, so that one which always fails does not keep the others from their turn
  select t.* into v_tournament from hill.tournaments t
   where t.starts_day <= v_last and engine.tournament_board_day(t) < least(v_last, t.ends_day)
   order by random() limit 1;
  if not found then
    return null;
  end if;
  -- What is looked up was written a moment ago or the night before: it is in memory.
  perform set_config('plan_cache_mode', 'force_custom_plan', true),
          set_config('work_mem', '256MB', true),
          set_config('random_page_cost', '1.1', true),
          set_config('jit', 'off', true);
  v_before := engine.tournament_board_day(v_tournament);
  perform engine.rank_tournament(v_tournament, v_before, least(v_last, v_tournament.ends_day));
  -- the standings before stay, for whoever is paging through them
  perform trusted.forget_standings(v_tournament.id, v_before);
  return v_tournament.slug;
end
$$;

create or replace function api_worker.play_house()
returns integer
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_today     integer;
  v_announces boolean;
  v_deposits  boolean;
  v_made      integer := 0;
  v           record;
begin
  -- one at a time: two servers that start together must not grant twice
  perform trusted.lock_one('house');
  if not engine.try_day() then
    return 0;
  end if;
  select engine.day_of(n.now, s.day_one),
         n.now < engine.day_start(engine.day_of(n.now, s.day_one), s.day_one) + engine.announcements_close(),
         n.now >= engine.house_deposits_from(engine.day_of(n.now, s.day_one))
    into v_today, v_announces, v_deposits
    from hill.settings s, (select engine.now() as now) n
   where engine.day_of(n.now, s.day_one) > s.founders_total;
  if not found or v_today <> engine.last_night() + 1 then
    return 0;
  end if;
  perform engine.found_house();  -- also late in the day: a hill that opens then can be looked at, too
  if not (v_announces or v_deposits) then
    return 0;
  end if;
  for v in select h.* from engine.house_moves(v_today) h loop
    perform set_config('hill.account_id', (v.actor).account_id::text, true),
            set_config('hill.agent_id', (v.actor).agent_id::text, true);
    -- Announced when the day begins, while announcements are open: moves are sealed, and a hill must show from its
    -- first day who will be on it.
    if v_announces and not exists (
      select from hill.announcements n
       where n.day = v_today and n.account_id = (v.actor).account_id and n.slot = v.slot) then
      perform engine.announce(v.actor, v.slot, 'PEACE', 'The house keeps this place until a guest comes.', v_today);
    end if;
    if v_deposits then
      perform engine.grant_credits((v.actor).account_id, v.cents, 'House agent''s move of day ' || v_today);
      perform engine.unless_refused(engine.play(v.actor, v.slot, 'PEACE', null, null, v_today));
      v_made := v_made + 1;
    end if;
  end loop;
  perform set_config('hill.account_id', '', true);
  return v_made;
exception
  -- The clock passed 22:00 or midnight meanwhile. Nothing was done; whoever rings the bell calls this again.
  when sqlstate 'ZHANC' or sqlstate 'ZHBEL' or sqlstate 'ZHDAY' then
    return 0;
end
$$;

create or replace function api_worker.refresh_sealed_count()
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_quarter timestamptz := date_bin('15 minutes', engine.now(), 'epoch');
begin
  if not engine.try_day() then
    return false;                                        -- the bell resets the count itself
  end if;
  update hill.sealed_counts c
     set day = engine.last_night() + 1, counted_at = v_quarter,
         moves = (select count(*) from hill.sealed_moves m   -- as of that instant, however late this runs
                  where m.move <> 'PASS' and m.at < v_quarter and (m.ended_at is null or m.ended_at >= v_quarter))
   where c.counted_at is null or c.counted_at < v_quarter;
  return found;
end
$$;

create or replace function api_worker.forget_ended(at_most integer)
returns jsonb language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select trusted.forget_ended(at_most) || jsonb_build_object('changes', trusted.forget_changes()) $$;

create or replace function api_worker.secret_fits(proof text)
returns boolean language sql stable parallel safe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.secret_fits(proof) $$;

create or replace function api_worker.read_clock()
returns jsonb
language sql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object(
      'clock', s.clock,
      'rate', coalesce(s.rate, 1),
      'now', engine.iso(n.now),
      'day', engine.day_of(n.now, s.day_one),
      'last_night', engine.last_night(),
      'next_bell_at', engine.iso(engine.bell_at(engine.last_night() + 1)),
      'house_at', engine.iso(engine.house_deposits_from(engine.last_night() + 1)),
      -- when to look again, in real time: at the next quarter hour, when the house deposits, or at the next bell,
      -- whichever comes first
      'seconds_to_next', case when coalesce(s.rate, 1) > 0 then greatest(0, extract(epoch from least(
          date_bin('15 minutes', n.now, 'epoch') + interval '15 minutes',
          engine.bell_at(engine.last_night() + 1),
          case when engine.house_deposits_from(engine.last_night() + 1) > n.now then
            engine.house_deposits_from(engine.last_night() + 1) end) - n.now)
        / coalesce(s.rate, 1)) end)
    from hill.settings s, (select engine.now() as now) n
$$;

create or replace function api_worker.set_clock(shown_at timestamptz, rate double precision)
returns timestamptz
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  if shown_at < engine.now() then
    perform engine.refuse('INVALID_ARGUMENT', 'The clock cannot be set back.');
  end if;
  update hill.settings s
     set shown_at = coalesce(set_clock.shown_at, engine.now()), set_at = clock_timestamp(),
         rate = coalesce(set_clock.rate, s.rate)
   where s.clock = 'simulated';
  if not found then
    perform engine.refuse('SETTING_REFUSED', 'This database runs with the real clock, which nobody sets.');
  end if;
  return engine.now();
end
$$;

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
comment on function api_worker.check_published is
'Checks a published night in a transaction of its own, which sees what the bell''s could not: each live move was '
'resolved and its account charged, and together they cost what was taken. Errors: VERIFICATION_FAILED. Rules 5.4.';
comment on function api_worker.index_nights is
'trusted.index_night of each night that has no indexes. Runs right after the bell, before all that may take longer, so '
'that few readers come before the indexes. Safe to call at any time. Rules 10.';
comment on function api_worker.keep_prospects is
'engine.keep_prospects() of tonight: returns once it is kept what moves would earn a newcomer.';
comment on function api_worker.build_boards is
'engine.build_boards(): the night up to which the boards were brought, null if they were there already.';
comment on function api_worker.drop_old_boards is
'trusted.drop_old_boards(): how many old leaderboards were dropped; none during a long read.';
comment on function api_worker.rank_next_tournament is
'Brings the boards of one tournament up to the last night, or to its own last, and returns its slug; null if all are '
'up to date. One that has ended costs a look-up. Call it until it returns null, after the hill''s boards, which wait '
'for none of these; each tournament is published as soon as it is ranked. Rules 8.4.';
comment on function api_worker.play_house is
'Announces (until 22:00 UTC) what the house agents will play today: PEACE on each open place that no guest holds, at '
'most three nights running, not after an eviction, and nothing after a night on which ten guests moved. Deposits it '
'in the last minute of the day, each move paid with credits granted for it. Once a day, from launch day on; safe to '
'call at any time. Returns the deposits made, 0 while the bell rings. Rules 1.3.';
comment on function api_worker.refresh_sealed_count is
'Counts the moves that were live at the last quarter hour, once a quarter. Returns whether it did. Rules 9.3.';
comment on function api_worker.forget_ended is
'trusted.forget_ended(): how many rows of the authorization server were deleted, by table.';
comment on function api_worker.secret_fits is
'Whether the worker has the HILL_SIGNING_SECRET of the last npm run migrate: see engine.secret_fits.';
comment on function api_worker.read_clock is
'The clock, the day, the next bell, from when the house deposits before it, and in how many real seconds something may '
'be due.';
comment on function api_worker.set_clock is
'Moves the simulated clock forward to an instant (null: leaves it) and sets the pace at which it runs (1: like the '
'real one; null: unchanged). Returns the present. Errors: SETTING_REFUSED on the real clock; INVALID_ARGUMENT for an '
'instant that has passed.';
comment on function api_worker.read_night is
'What a published night came to: accounts and moves, how many places had which outcome, cents burned. Null for a day '
'without a published night.';

grant execute on function
  api_worker.ring_next_bell,
  api_worker.check_published,
  api_worker.index_nights,
  api_worker.keep_prospects,
  api_worker.build_boards,
  api_worker.drop_old_boards,
  api_worker.rank_next_tournament,
  api_worker.play_house,
  api_worker.refresh_sealed_count,
  api_worker.forget_ended,
  api_worker.secret_fits,
  api_worker.read_clock,
  api_worker.set_clock,
  api_worker.read_night
  to hill_worker;
