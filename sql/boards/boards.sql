-- boards/boards.sql · The boards of 30 nights. Specification 2.7; decisions 6.

create function engine.rank_accounts(night integer)
returns table (account_id uuid, points numeric, reputation numeric, since timestamptz)
language sql stable parallel safe security invoker
begin atomic
  select w.account_id, coalesce(p.points, 0), engine.reputation_tonight(w.peace_ring, w.war_ring, w.ring_day, rank_accounts.night), w.since
    from hill.wallets w
    left join (select s.account_id, sum(s.points) as points
                 from hill.seats s where s.day > rank_accounts.night - engine.window_nights() and s.day <= rank_accounts.night
                group by s.account_id) p on p.account_id = w.account_id
   where engine.ring_at(w.peace_ring | w.war_ring, w.ring_day, rank_accounts.night) <> 0
     and w.account_id not in (select a.id from hill.accounts a where a.house);
end;

comment on function engine.rank_accounts(integer) is
$$Every account with a live move in the 30 nights up to a night, house accounts excluded: its points in them, its reputation as it counts at the next
bell, its seniority. Ranked by points, reputation, seniority, account. Specification 2.7; decisions 6.$$;

create function engine.add_spend(night integer, sign integer)
returns void
language sql volatile parallel unsafe security invoker
begin atomic
  insert into hill.spend_windows as w (account_id, paid_cents, consumed_cents)
  select s.account_id, add_spend.sign * s.paid_cents, add_spend.sign * (s.granted_cents + s.paid_cents)
    from hill.settlements s where s.day = add_spend.night and add_spend.sign > 0
  on conflict (account_id) do update
     set paid_cents = w.paid_cents + excluded.paid_cents, consumed_cents = w.consumed_cents + excluded.consumed_cents;
  update hill.spend_windows w
     set paid_cents = w.paid_cents - s.paid_cents, consumed_cents = w.consumed_cents - s.granted_cents - s.paid_cents
    from hill.settlements s
   where add_spend.sign < 0 and s.day = add_spend.night and w.account_id = s.account_id;
end;

comment on function engine.add_spend(integer, integer) is 'Adds (sign 1) or takes out (sign -1) what every account paid for a night to the sums of the window (cents).';

create function engine.build_boards()
returns integer
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_last  integer;
  v_night integer;
begin
  perform pg_advisory_xact_lock(engine.lock_key(), 2);
  v_last := engine.last_night();
  select coalesce(max(b.day), 0) into v_night from hill.boards b;
  if v_night >= v_last then
    return null;
  end if;
  perform set_config('plan_cache_mode', 'force_custom_plan', true), set_config('work_mem', '256MB', true);
  loop
    while v_night < v_last loop
      v_night := v_night + 1;
      perform engine.add_spend(v_night, 1);
      perform engine.add_spend(v_night - engine.window_nights(), -1);
    end loop;
    exit when engine.rank_day(v_last);
    v_last := engine.last_night();
  end loop;
  insert into hill.boards (day, built_at, entries) select v_last, engine.now(), count(*) from hill.leaderboard l where l.day = v_last;
  perform pg_notify('hill_boards', v_last::text);
  return v_last;
end
$$;

comment on function engine.build_boards() is
$$Brings the boards to the last night: sums of spending by adding that night and taking out the one that left the window, ranks anew. Returns the night,
null if they were there. Runs after the bell's transaction, so that play reopens before. Safe to call at any time. Decisions 6.$$;

create function engine.board_day()
returns integer
language sql stable parallel safe security invoker
begin atomic
  select coalesce(max(b.day), 0) from hill.boards b;
end;

comment on function engine.board_day() is 'The night up to which the boards are built; 0 before any.';

create function engine.wall()
returns table (rank bigint, account_id uuid, spent_cents bigint)
language sql stable parallel safe security invoker
begin atomic
  select row_number() over (order by s.paid_cents desc, engine.reputation_tonight(w.peace_ring, w.war_ring, w.ring_day, engine.board_day()) desc,
                                    w.since, s.account_id), s.account_id, s.paid_cents
    from (select s.account_id, s.paid_cents
            from hill.spend_windows s
           where s.paid_cents > 0 and s.account_id not in (select a.id from hill.accounts a where a.house)
           order by s.paid_cents desc fetch first (engine.wall_size()) rows with ties) s
    join hill.wallets w on w.account_id = s.account_id
   order by 1 limit engine.wall_size();
end;

comment on function engine.wall() is
'The Wall: the sponsors with the largest real spend (cents, paid credits only) in the window, at most 5. Specification 2.7; decisions 4, 6.';

create function engine.efficiency()
returns table (rank bigint, account_id uuid, points numeric, consumed_cents bigint, points_per_dollar numeric)
language sql stable parallel safe security invoker
begin atomic
  select row_number() over (order by div(l.points * 1e40, w.consumed_cents) desc,   -- exact: two ratios of these differ by more than 1e-40
                                     l.reputation desc, a.created_at, l.account_id),
         l.account_id, l.points, w.consumed_cents, round(l.points * 100 / w.consumed_cents, 4)
    from hill.leaderboard l join hill.spend_windows w on w.account_id = l.account_id join hill.accounts a on a.id = l.account_id
   where l.day = (select engine.board_day()) and l.rank <= engine.efficiency_top() and w.consumed_cents >= engine.efficiency_minimum_cents()
   order by 1;
end;

comment on function engine.efficiency() is
$$Points per dollar consumed, granted credits included, of the points top 100 who consumed at least 500 cents in the window. Ranked by the exact ratio,
shown to 4 decimals; ties by reputation, seniority, account, as on any board. Specification 2.7; decisions 6.$$;

grant execute on function engine.rank_accounts(integer) to hill_api, hill_owner, hill_dba;
grant execute on function engine.add_spend(integer, integer), engine.build_boards() to hill_api_worker;
grant execute on function engine.board_day(), engine.wall(), engine.efficiency() to hill_api, hill_dba;

do $$
declare
  v_table text;
begin
  foreach v_table in array array['spend_windows', 'boards', 'leaderboard'] loop
    execute format('alter table hill.%I enable row level security, force row level security', v_table);
    execute format('create policy staff_read on hill.%I for select to hill_staff using ((select api_staff.staff_name()) is not null)', v_table);
    execute format('create policy dba_read on hill.%I for select to hill_dba using (true)', v_table);
    execute format('create policy boards_build on hill.%I to hill_api_worker using (true) with check (true)', v_table);
    execute format('create policy boards_read on hill.%I for select to hill_api using (true)', v_table);
    execute format('grant select on hill.%I to hill_api, hill_staff, hill_dba', v_table);
  end loop;
end
$$;
grant insert, update on hill.spend_windows to hill_api_worker;
grant insert on hill.boards to hill_api_worker;

comment on table hill.spend_windows is 'What each account paid and consumed in the window of the boards (cents), kept night by night. Decisions 4, 6.';
comment on table hill.boards is 'Which nights the boards were built for.';
comment on table hill.leaderboard is 'The points leaderboard after a night, one partition a night, the last two kept. Specification 2.7.';
