-- The boards of 30 nights. Rules 7.1.

-- What accounts paid and consumed (cents) in the nights after one and up to another. Rules 5.6, 7.1.
create or replace function engine.nights_spend(after integer, upto integer)
returns table (account_id uuid, paid_cents bigint, consumed_cents bigint)
language sql stable parallel safe security invoker
begin atomic
  select s.account_id, sum(s.paid_cents)::bigint, sum(s.granted_cents + s.paid_cents)::bigint
    from hill.settlements s
   where s.day > nights_spend.after and s.day <= nights_spend.upto
   group by s.account_id;
end;

-- Every account with a live move in the 30 nights up to the last one, without house accounts, ranked by points,
-- reputation as it counts at the next bell, seniority, account. Rules 7.1, 7.4.
create or replace function engine.rank_accounts(board integer, night integer)
returns table (
  rank bigint,
  account_id uuid,
  points numeric,
  reputation numeric,
  paid_cents bigint,
  consumed_cents bigint)
language sql stable parallel safe security invoker
begin atomic
  select row_number() over (
           order by engine.order_head(r.points_below, r.reputation_below, r.since), r.since, r.account_id),
         r.account_id,
         r.points,
         r.reputation,
         r.paid_cents,
         r.consumed_cents
    -- A query of its own: what is computed here is computed by several processes, and only that goes on to be sorted.
    from (select w.account_id,
                 w.since,
                 coalesce(p.points, 0) as points,
                 coalesce(p.points_below, engine.points_below(0)) as points_below,
                 f.reputation,
                 f.reputation_below,
                 -- as on the earlier board, with the nights since and without those that have left the window
                 coalesce(b.paid_cents, 0) + coalesce(n.paid_cents, 0) + w.paid_cents
                   - coalesce(l.paid_cents, 0) - coalesce(o.paid_cents, 0) as paid_cents,
                 coalesce(b.consumed_cents, 0) + coalesce(n.consumed_cents, 0) + w.consumed_cents
                   - coalesce(l.consumed_cents, 0) - coalesce(o.granted_cents + o.paid_cents, 0) as consumed_cents
            -- Who played this night, as its settlement has it, and who did not, from the wallets: each with the moves
            -- of 31 nights, of which the oldest is taken off below. Both halves have the same types to the letter, or
            -- the planner could not go on in parallel.
            from (select s.account_id,
                         s.since,
                         s.peace_count::integer + s.peace_tonight as peace,
                         s.war_count::integer + s.war_tonight as war,
                         s.paid_cents,
                         s.granted_cents + s.paid_cents as consumed_cents
                    from hill.settlements s
                   where s.day = rank_accounts.night
                  union all
                  select w.account_id,
                         w.since,
                         engine.ring_count(engine.ring_at(w.peace_ring, w.ring_day, rank_accounts.night - 1)),
                         engine.ring_count(engine.ring_at(w.war_ring, w.ring_day, rank_accounts.night - 1)),
                         0::bigint,
                         0::bigint
                    from hill.wallets w
                   where w.ring_day < rank_accounts.night and (w.peace_ring | w.war_ring) <> 0) w
            left join hill.settlements o
              on o.account_id = w.account_id and o.day = rank_accounts.night - engine.window_nights()
            -- Where boards are a night late, or more: the nights between, and those that left with them. Otherwise the
            -- planner sees that there are none.
            left join engine.nights_spend(rank_accounts.board, rank_accounts.night - 1) n
              on n.account_id = w.account_id
            left join engine.nights_spend(
                        rank_accounts.board - engine.window_nights(),
                        rank_accounts.night - engine.window_nights() - 1) l on l.account_id = w.account_id
            left join hill.leaderboard b on b.account_id = w.account_id and b.day = rank_accounts.board
            left join (select t.account_id, sum(t.points) as points, engine.points_below(sum(t.points)) as points_below
                         from hill.seats t
                        where t.day > rank_accounts.night - engine.window_nights() and t.day <= rank_accounts.night
                        group by t.account_id) p on p.account_id = w.account_id
            -- Divided once for each pair of counts: there are two thousand, of perhaps a million accounts. Quoted, a 0
            -- is of the type that OFFSET has, and the planner sees that it may go on in parallel.
            join (select c.peace,
                         c.war,
                         engine.reputation(c.peace, c.war) as reputation,
                         engine.reputation_below(engine.reputation(c.peace, c.war)) as reputation_below
                    from (select p.peace, w.war
                            from generate_series(0, 2 * engine.window_nights()) p (peace)
                           cross join generate_series(0, 2 * engine.window_nights()) w (war)) c
                   where c.peace + c.war > 0
                  offset '0') f
              on f.peace = w.peace - coalesce(o.peace_tonight, 0) and f.war = w.war - coalesce(o.war_tonight, 0)
           where w.account_id <> all (array(select a.id from hill.accounts a where a.house))
          offset '0') r;
end;

-- Brings the boards up to the last night, from the last one that was built. Runs after the bell's transaction, so
-- that play reopens first. Rules 7.1, 10.7.
create or replace function engine.build_boards()
returns integer
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_board   integer;
  v_night   integer;
  v_entries integer;
begin
  perform trusted.lock_one('boards');
  v_board := engine.see_boards();
  -- what is known of accounts that did not play is read from their wallets
  if v_board >= engine.last_night() or engine.unsettled_night() is not null then
    return null;
  end if;
  perform set_config('plan_cache_mode', 'force_custom_plan', true),
          set_config('work_mem', '256MB', true),
          set_config('maintenance_work_mem', '256MB', true),
          set_config('jit', 'off', true);
  loop
    v_night := engine.see_last_night();
    v_entries := trusted.rank_day(v_board, v_night);
    exit when v_entries is not null;   -- null if the next bell has rung meanwhile
  end loop;
  insert into hill.boards (day, built_at, entries) values (v_night, engine.now(), v_entries);
  perform trusted.note_change('boards'), trusted.note_change('work:archive');
  return v_night;
end
$$;

-- The night up to which the boards are built; 0 before any.
create or replace function engine.board_day()
returns integer
language sql stable parallel safe security invoker
begin atomic
  select coalesce(max(b.day), 0) from hill.boards b;
end;

-- The night up to which the boards are built (engine.board_day), once this connection sees all of them
-- (engine.see_day).
create or replace function engine.see_boards()
returns integer
language sql stable parallel restricted security invoker
return engine.see_day('leaderboard', engine.board_day());

-- The cursor that goes on after a rank on the boards of a night: its shape stands here alone. Rules 10.9.
create or replace function engine.rank_cursor(day integer, rank integer)
returns text
language sql immutable parallel safe
return day::text || '.' || rank::text;

-- What engine.rank_cursor made; nulls for null. Of another text, or one of another night where it must be of one night
-- (of_day), it says that it is not one that its giver gave. Errors: INVALID_ARGUMENT.
create or replace function engine.read_rank_cursor(
  cursor text,
  giver text,
  of_day integer,
  out day integer,
  out after integer)
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if cursor !~ format('^%s[.]\d{1,9}$', coalesce(of_day::text, '\d{1,9}')) then
    perform engine.refuse(
      'INVALID_ARGUMENT', format('cursor is not one that %s gave.', giver), '{"argument": "cursor"}');
  end if;
  day := split_part(cursor, '.', 1)::integer;
  after := split_part(cursor, '.', 2)::integer;
end
$$;

-- The part of the leaderboard that a reader asks for. Errors: INVALID_ARGUMENT. Rules 7.2, 10.7.
create or replace function engine.board_page(
  max integer,
  usual integer,
  cursor text,
  out day integer,
  out after integer,
  out upto integer,
  out total integer,
  out next_cursor text)
language plpgsql stable parallel restricted security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_last integer := engine.see_boards();
begin
  if board_page.max not between 1 and engine.list_length() then
    perform engine.refuse(
      'INVALID_ARGUMENT',
      'limit is out of bounds.',
      jsonb_build_object('argument', 'limit', 'minimum', 1, 'maximum', engine.list_length()));
  end if;
  -- A cursor stays with the board that it came from: no entry is skipped or repeated if the bell rings between two
  -- pages.
  select coalesce(c.day, v_last), coalesce(c.after, 0) into day, after
    from engine.read_rank_cursor(board_page.cursor, 'this board', null) c;
  if board_page.cursor is not null and not exists (select from hill.leaderboard l where l.day = board_page.day) then
    perform engine.refuse(
      'INVALID_ARGUMENT',
      'The board of that cursor is no longer kept. Begin again without a cursor.',
      '{"argument": "cursor"}');
  end if;
  total := coalesce((select b.entries from hill.boards b where b.day = board_page.day), 0);
  upto := after + coalesce(board_page.max, usual);
  next_cursor := case when upto < total then engine.rank_cursor(day, upto) end;
end
$$;

-- The Wall: the sponsors with the largest real spend (cents, paid credits only) in the window, at most 5. Rules 5.6,
-- 7.1, 7.3.
create or replace function engine.wall()
returns table (rank bigint, account_id uuid, spent_cents bigint)
language sql stable parallel safe security invoker
begin atomic
  -- the reputation that the leaderboard used: between a bell and its boards, the wallet's is a night ahead
  select row_number() over (
           order by s.paid_cents desc, engine.tie_order(s.reputation, a.created_at, s.account_id)),
         s.account_id,
         s.paid_cents
    from (select l.account_id, l.paid_cents, l.reputation
            from hill.leaderboard l
           where l.day = (select engine.board_day()) and l.paid_cents > 0
           order by l.paid_cents desc fetch first (engine.wall_size()) rows with ties) s
    join hill.accounts a on a.id = s.account_id
   order by 1 limit engine.wall_size();
end;

-- On how many of the window's nights up to one an account earned points: one lucky war, or a month.
create or replace function engine.nights_seated(account_id uuid, night integer)
returns bigint
language sql stable parallel safe security invoker
begin atomic
  select count(distinct s.day) from hill.seats s
   where s.account_id = nights_seated.account_id
     and s.day > nights_seated.night - engine.window_nights() and s.day <= nights_seated.night;
end;

-- Points per dollar consumed, granted credits included, of the points top 100 who consumed at least 500 cents in the
-- window, with the nights of their points. Rules 7.1, 7.4.
create or replace function engine.efficiency(night integer default engine.board_day())
returns table (
  rank bigint, account_id uuid, points numeric, consumed_cents bigint, points_per_dollar numeric, nights bigint)
language sql stable parallel safe security invoker
begin atomic
  select row_number() over (
           order by engine.efficiency_order(l.points, l.consumed_cents) desc,
                    engine.tie_order(l.reputation, a.created_at, l.account_id)),
         l.account_id,
         l.points,
         l.consumed_cents,
         engine.points_per_dollar(l.points, l.consumed_cents),
         engine.nights_seated(l.account_id, l.day)
    from hill.leaderboard l
    join hill.accounts a on a.id = l.account_id
   where l.day = (select efficiency.night)
     and l.rank <= engine.efficiency_top()
     and l.consumed_cents >= engine.efficiency_minimum_cents()
   order by 1;
end;

alter table hill.boards enable row level security, force row level security;
create policy staff_read on hill.boards for select to hill_staff using ((select api_staff.staff_name()) is not null);
create policy dba_read on hill.boards for select to hill_dba using (true);
create policy boards_build on hill.boards to hill_api_worker using (true) with check (true);
create policy boards_read on hill.boards for select to hill_api, hill_owner using (true);
grant select on hill.boards to hill_api, hill_staff, hill_dba;

alter table hill.leaderboard enable row level security, force row level security;
create policy staff_read on hill.leaderboard for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
create policy dba_read on hill.leaderboard for select to hill_dba using (true);
create policy boards_build on hill.leaderboard to hill_api_worker using (true) with check (true);
create policy boards_read on hill.leaderboard for select to hill_api, hill_owner using (true);
grant select on hill.leaderboard to hill_api, hill_staff, hill_dba;
grant insert on hill.boards to hill_api_worker;

comment on table hill.boards is 'Which nights the boards were built for.';
comment on column hill.boards.day is 'The last night that they count.';
comment on column hill.boards.built_at is 'When the worker built them, after the bell. Hill''s clock.';
comment on column hill.boards.entries is 'How many accounts hill.leaderboard ranks.';
comment on table hill.leaderboard is
'The accounts of the window after a night, ranked by points, with what they paid and consumed in it (cents). Those of '
'the last two nights are kept; older ones are dropped as soon as no long read prevents it. Rules 7.2, 7.4.';
comment on column hill.leaderboard.day is 'The last night that counts in the row.';
comment on column hill.leaderboard.rank is 'Rank by points, from 1; no two have the same. Rules 7.1.';
comment on column hill.leaderboard.account_id is 'Who is ranked.';
comment on column hill.leaderboard.points is 'Points of the 30 nights.';
comment on column hill.leaderboard.reputation is 'Reputation as the next bell uses it, which breaks ties.';
comment on column hill.leaderboard.paid_cents is 'What the 30 nights took from paid credits: the Wall. Rules 5.6.';
comment on column hill.leaderboard.consumed_cents is
'What they took from granted and paid credits: efficiency. Rules 5.6.';
