-- What the laboratory asks of a world between its bells: loaded into its own template, never into a hill. It reads; what
-- changes a world are the functions of the hill.

create schema lab;

-- A night that was published: its places, its moves by place, PEACE before WAR, the earliest first, with what became of
-- each (engine.own_fate), and its announcements with their verdicts, the latest first.
create function lab.night(night integer)
returns jsonb
language sql stable
set plan_cache_mode to force_custom_plan  -- of these partitions
as $$
  select jsonb_build_object(
    'day', night,
    'places', (
      select jsonb_agg(jsonb_build_object(
                 'slot', p.slot,
                 'outcome', p.outcome,
                 'burned_cents', p.burned_cents,
                 'occupants', coalesce(s.occupants, '[]')) order by p.slot)
        from hill.place_results p
        left join (
          select s.slot, jsonb_agg(jsonb_build_object(
                   'account', s.account_id,
                   'via', s.via,
                   'days_held', s.days_held,
                   'points', s.points) order by s.seat) as occupants
            from hill.seats s
           where s.day = night
           group by s.slot) s using (slot)
       where p.day = night),
    'moves', (
      select coalesce(jsonb_agg(jsonb_build_object(
                 'account', m.account_id,
                 'slot', m.slot,
                 'move', m.move,
                 'stake_cents', case m.move when 'WAR' then m.stake_cents end,
                 'cents', m.cost_cents,
                 'days_held', h.days_held,
                 'result', engine.own_fate(m.move, p.outcome, h.slot is not null, s.slot is not null))
               order by m.slot, m.move, m.at, m.seq), '[]')
        from hill.moves m
        join hill.place_results p on p.day = night and p.slot = m.slot
        left join hill.seats h on h.day = night - 1 and h.slot = m.slot and h.account_id = m.account_id
        left join hill.seats s
          on s.day = night and s.slot = m.slot and s.account_id = m.account_id and s.via <> 'queue'
       where m.day = night and m.ended is null),
    'announcements', (
      select coalesce(jsonb_agg(jsonb_build_object(
                 'account', n.account_id,
                 'slot', n.slot,
                 'intention', n.intention,
                 'message', n.message,
                 'verdict', n.verdict) order by n.at desc, n.account_id, n.slot), '[]')
        from hill.announcements n
       where n.day = night))
$$;

-- The places on the day after a night, and who sits there.
create function lab.places(night integer)
returns jsonb
language sql stable
as $$
  select jsonb_agg(jsonb_build_object(
             'slot', p.slot,
             'open', p.opens_day <= night + 1 and p.slot <= engine.slot_count(),
             'points', engine.points(p.slot, 1),
             'occupants', coalesce(s.occupants, '[]')) order by p.slot)
    from hill.places p
    left join (
      select s.slot, jsonb_agg(jsonb_build_object(
               'account', a.id,
               'name', a.name,
               'house', a.house,
               'days_held', s.days_held,
               'reputation', r.reputation) order by s.seat) as occupants
        from hill.seats s
        join hill.accounts a on a.id = s.account_id
        join engine.night_accounts(engine.stored_night(night)) r on r.account = a.id
       where s.day = night
       group by s.slot) s using (slot)
$$;

-- The first of the board after a night. Of the nights of another hill none is built.
create function lab.leaders(night integer, most integer)
returns jsonb
language sql stable
as $$
  select coalesce(jsonb_agg(jsonb_build_object('account', b.account_id, 'points', b.points) order by b.rank), '[]')
    from (select l.account_id, l.points, l.rank from hill.leaderboard l where l.day = night and l.rank <= most
           union all
          select p.account_id, p.points, p.rank
            from engine.past_board(night) p
           where p.rank <= most and not exists (select from hill.boards h where h.day = night)) b
$$;

-- Moves the clock on to an instant, if it has not passed it.
create function lab.reach(instant timestamptz)
returns void
language plpgsql
as $$
begin
  -- not by engine.now(), which is planned anew for each role that calls it
  if exists (select from hill.settings s where s.shown_at < instant) then
    perform api_worker.set_clock(instant, null);
  end if;
end
$$;

-- What has been announced on a day, the latest first.
create function lab.announced(day integer, most integer)
returns jsonb
language sql stable
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
             'account', n.account_id, 'slot', n.slot, 'intention', n.intention, 'message', n.message)
           order by n.at desc, n.account_id, n.slot), '[]')
    from (select * from hill.announcements n
           where n.day = announced.day
           order by n.at desc, n.account_id, n.slot limit most) n
$$;

-- The own part of the views of accounts (cents), in their order.
create function lab.look(accounts uuid[], day integer)
returns jsonb
language plpgsql stable
set enable_seqscan to off
set enable_hashjoin to off
set enable_mergejoin to off
set plan_cache_mode to force_generic_plan
as $$
begin
  return coalesce(jsonb_agg(jsonb_build_object(
             'account', d.account_id,
             'name', d.name,
             'credits_cents', d.granted_cents + d.paid_cents - d.reserved_cents,
             'left_today_cents', greatest(0, least(
               d.daily_cap_cents - d.today_cents,
               d.weekly_left_cents - d.today_cents,
               d.granted_cents + d.paid_cents - d.reserved_cents)),
             'most_stake_cents', d.max_stake_cents,
             'moves_left', engine.moves_per_day() - d.moves,
             'reputation', d.reputation,
             'live', case when d.peace + d.war = 0 then '[]' else (
               select coalesce(jsonb_agg(jsonb_build_object(
                          'slot', l.slot,
                          'move', l.move,
                          'stake_cents', case l.move when 'WAR' then l.stake_cents end) order by l.slot), '[]')
                 from engine.live_moves(d.account_id) l) end) order by a.n), '[]')
    from unnest(accounts) with ordinality a (id, n)
   cross join lateral engine.account_today(a.id, look.day, look.day - 1) d;
end
$$;

-- Announces at an instant what accounts say, one after the other. What is refused is passed over.
create function lab.announce(instant timestamptz, tokens text[], slots integer[], intentions text[], messages text[])
returns void
language plpgsql
as $$
begin
  perform lab.reach(instant);
  for i in 1 .. cardinality(tokens) loop
    begin
      perform api_agent.announce(tokens[i], slots[i], intentions[i], messages[i]);
    exception when others then
      if left(sqlstate, 2) <> 'ZH' then
        raise;
      end if;
    end;
  end loop;
end
$$;

-- Deposits moves in their order, each at its instant, as many in each call as travel together: of one account there is
-- one at each instant and in each round. What is refused is passed over.
create function lab.deposit(
  instants timestamptz[],
  rounds integer[],
  tokens text[],
  slots integer[],
  moves text[],
  stakes bigint[],
  messages text[])
returns void
language plpgsql
as $$
declare
  v         record;
  v_answers jsonb;
begin
  for v in
    select c.instant, min(c.n) as first, max(c.n) as last, count(*)::integer as calls
      from (select d.instant, d.round, d.n,
                   (row_number() over (partition by d.instant, d.round order by d.n) - 1) / engine.batch_calls() as call
              from unnest(instants, rounds) with ordinality d (instant, round, n)) c
     group by c.instant, c.round, c.call
     order by 2
  loop
    perform lab.reach(v.instant);
    v_answers := api_agent.play_many(
      tokens[v.first:v.last], slots[v.first:v.last], moves[v.first:v.last], stakes[v.first:v.last],
      messages[v.first:v.last], array_fill(null::integer, array[v.calls]));
    if jsonb_path_exists(v_answers, '$[*] ? (exists (@.busy))') then
      raise 'a deposit found its account busy, and nobody else is there';
    end if;
  end loop;
end
$$;

-- What an answer of the tool status advises: PASS where a live PEACE would get no seat, and its advice.
create function lab.advice_of(status jsonb)
returns jsonb
language sql immutable
as $$
  select (select coalesce(jsonb_agg(jsonb_build_object('slot', w.value, 'move', 'PASS')), '[]')
            from jsonb_array_elements(status -> 'wasted') w)
         || case when status #>> '{advice,refused}' is null and status -> 'advice' <> 'null'
                 then jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
                   'slot', status #> '{advice,slot}',
                   'move', status #> '{advice,move}',
                   'stake_cents', status #> '{advice,stake_cents}')))
                 else '[]' end
$$;

-- What the tool status advises each of these accounts at an instant.
create function lab.advice(instant timestamptz, tokens text[])
returns jsonb[]
language sql
as $$
  select lab.reach(instant);
  select array_agg(lab.advice_of(s.status) order by t.n)
    from unnest(tokens) with ordinality t (token, n)
   cross join lateral (select api_agent.status(t.token) as status offset 0) s
$$;

-- What the humans of these accounts pay when less than so much (cents) is left of their credits.
create function lab.fuel(accounts uuid[], low bigint, cents bigint)
returns void
language sql
as $$
  select api_worker.fuel_agent(w.account_id, 0, cents)
    from hill.wallets w
   where w.account_id = any (accounts) and w.paid_cents + w.granted_cents < low
   order by w.account_id
$$;

-- What does not hold of the books after all nights; nothing where money is conserved.
create function lab.wrong()
returns setof text
language sql stable
as $$
  select c.name || coalesce(': ' || c.example, '')
    from (select * from engine.check_balances()
          union all
          select * from engine.check_settlements()
          union all
          select * from engine.check_reputations()) c
   where c.wrong > 0
$$;

-- Resolves the stored nights after one again, and nothing else: the floor under all that the laboratory does.
create function lab.resolve(night integer)
returns bigint
language sql stable
as $$
  select count((r.resolution).seats)
    from hill.nights n
   cross join lateral (select engine.resolve_places(engine.stored_night(n.day)) as resolution offset 0) r
   where n.day > night
$$;

-- Follows a night of another hill, whose moves may be others than it had, to what it comes to: with rents, reputations
-- and seats as the nights before left them here, by the functions that npm run verify follows nights with, and the
-- bell's own.
create function lab.follow(night jsonb, announcements jsonb)
returns void
language plpgsql
as $$
declare
  v_night  engine.night := engine.parse_night(night);
  v_day    integer := (v_night).day;
  v_stored engine.night := engine.stored_night(v_day);
begin
  perform * from engine.follow_places(v_night);
  perform * from engine.follow_accounts(night);
  perform engine.settle_followed(v_night);
  perform engine.follow_result(v_day, engine.result_text(v_stored, engine.resolve_places(v_stored)));
  perform engine.follow_announcements(v_day, announcements);
end
$$;

-- What the tool status would advise an account at an instant of a day whose night is still to be followed: its live
-- moves and what they reserve (cents), so many deposits made, and what was announced by then. Afterwards the database
-- knows of the day what no night says: the caller rolls back to where it was.
create function lab.advise(
  account uuid,
  since timestamptz,
  night jsonb,
  instant timestamptz,
  announcements jsonb,
  live jsonb,
  moves integer,
  daily_cap_cents bigint,
  max_stake_cents bigint)
returns jsonb
language plpgsql
as $$
declare
  v_night engine.night := engine.parse_night(night);
  v_day   integer := (v_night).day;
begin
  perform * from engine.follow_places(v_night);
  perform engine.follow_announcements(v_day, announcements);
  perform * from engine.follow_accounts(jsonb_build_object(
    'accounts', jsonb_build_array(jsonb_build_object('account', account, 'since', since))));
  update hill.wallets w set paid_cents = daily_cap_cents where w.account_id = advise.account;
  insert into hill.mandates (account_id, daily_cap_cents, max_stake_cents, updated_at)
  values (account, daily_cap_cents, max_stake_cents, since);
  insert into hill.sealed_moves (day, seq, account_id, agent_id, at, slot, move, stake_cents, cost_cents)
  select v_day, l.slot, account, account, instant, l.slot, l.move, coalesce(l.stake_cents, 0), l.cents
    from jsonb_to_recordset(live) l (slot smallint, move hill.move, stake_cents bigint, cents bigint);
  insert into hill.reservations (account_id, day, cents, peace, war, moves)
  select account, v_day, coalesce(sum(m.cost_cents), 0), count(*) filter (where m.move = 'PEACE'),
         count(*) filter (where m.move = 'WAR'), advise.moves
    from hill.sealed_moves m
   where m.account_id = advise.account;
  insert into hill.settings as s (day_one, founders_total, clock, shown_at, set_at, rate, created_at, last_night)
  values ((instant at time zone 'UTC')::date - (v_day - 1), 0, 'simulated', instant, clock_timestamp(), 0, since, v_day - 1)
      on conflict (singleton) do update
     set founders_total = 0, clock = 'simulated', shown_at = instant, set_at = clock_timestamp(), rate = 0,
         last_night = v_day - 1;
  perform engine.keep_prospects(v_day, array[account]);
  return lab.advice_of(engine.tell_status(
    row(account, account, array['hill:read', 'hill:play'], null)::engine.agent_actor, true, 0));
end
$$;

-- Where a night that was followed, and its night file by itself, differ: in who sits where for how many points, and in
-- who was charged what (cents).
create function lab.differences(night jsonb)
returns setof text
language sql stable
as $$
  with file as materialized (
    select engine.resolve_night(night) as result, (night ->> 'day')::integer as day
  ), there as (
    select 'seat' as what, p.value ->> 'slot' as slot, o.value ->> 'account' as account,
           (o.value ->> 'points')::numeric as amount
      from file f
     cross join jsonb_array_elements(f.result -> 'slots') p (value)
     cross join jsonb_array_elements(p.value -> 'occupants') o (value)
     union all
    select 'charge', c.value ->> 'slot', c.value ->> 'account', (c.value ->> 'cents')::numeric
      from file f cross join jsonb_array_elements(f.result -> 'charges') c (value)
  ), here as (
    select 'seat' as what, s.slot::text, s.account_id::text as account, s.points as amount
      from file f join hill.seats s on s.day = f.day
     union all
    select 'charge', m.slot::text, m.account_id::text, m.cost_cents
      from file f join hill.moves m on m.day = f.day and m.ended is null
  )
  select format('%s of %s on place %s: %s, and %s by itself', what, account, slot, h.amount, t.amount)
    from here h full join there t using (what, slot, account)
   where h.amount is distinct from t.amount
$$;

-- What a deposit would cost (cents), and the code with which play would refuse it: see engine.why_refused.
create function lab.judge(
  move hill.move,
  stake_cents bigint,
  days_held integer,
  replaces boolean,
  replaced_cents bigint,
  moves integer,
  places integer,
  reserved_cents bigint,
  daily_cap_cents bigint,
  max_stake_cents bigint)
returns table (cents bigint, refused text)
language sql stable
as $$
  select c.cents,
         engine.why_refused(jsonb_populate_record(null::engine.call, jsonb_build_object(
           'well_formed', true, 'admitted', true, 'founder', true, 'founders_total', 0,
           'today', 1, 'for_day', 1, 'last_night', 0, 'opens_day', 1,
           'move', move, 'stake_cents', stake_cents, 'cost_cents', c.cents,
           'live', replaces, 'live_cents', replaced_cents,
           'moves', moves, 'peace', places, 'war', 0, 'reserved_cents', reserved_cents,
           'daily_cap_cents', daily_cap_cents, 'max_stake_cents', max_stake_cents, 'credits_cents', daily_cap_cents)))
    from (select engine.move_cents(move, stake_cents, days_held) as cents) c
$$;
