-- The input of a night, stored or from a file, through the same functions. One half of each union is empty and is
-- dropped by the planner: a stored night uses the tables' indexes. Plain SQL without a search_path, so that the
-- functions are inlined into the queries that use them.

create or replace function engine.night_moves(night engine.night)
returns setof engine.night_move
language sql stable parallel safe security invoker
begin atomic
  select m.seq, m.account_id, m.slot, m.move, m.stake_cents, m.cost_cents, m.at
    from hill.moves m where m.day = (night_moves.night).day and m.ended is null and (night_moves.night).names is null
  union all
  select f.seq, f.account, f.slot, f.move, f.stake_cents, f.cost_cents, f.at
    from unnest((night_moves.night).moves) f where (night_moves.night).names is not null;
end;

create or replace function engine.first_peace(night engine.night, slot smallint, how_many integer)
returns setof engine.night_move
language sql stable parallel safe security invoker
begin atomic
  -- Ordered and limited inside each half, where the index gives the order: PEACE before WAR, and then by instant. It
  -- serves for the order only: under row-level security no index condition on a move is used, because comparing moves
  -- is not leakproof. With ties: what breaks them is not in the index.
  (select m.seq, m.account_id, m.slot, m.move, m.stake_cents, m.cost_cents, m.at
     from hill.moves m
    where m.day = (first_peace.night).day
      and m.slot = first_peace.slot
      and m.move = 'PEACE'
      and m.ended is null
      and (first_peace.night).names is null
    order by m.move, m.at fetch first (first_peace.how_many) rows with ties)
  union all
  (select f.seq, f.account, f.slot, f.move, f.stake_cents, f.cost_cents, f.at
     from unnest((first_peace.night).moves) f
    where f.slot = first_peace.slot and f.move = 'PEACE' and (first_peace.night).names is not null
    order by f.at fetch first (first_peace.how_many) rows with ties);
end;

-- The earliest WAR moves on a place, by instant and then by seq.
create or replace function engine.first_wars(night engine.night, slot smallint, how_many integer)
returns setof engine.night_move
language sql stable parallel safe security invoker
begin atomic
  -- likewise, by an index that has WAR alone (trusted.index_night)
  (select m.seq, m.account_id, m.slot, m.move, m.stake_cents, m.cost_cents, m.at
     from hill.moves m
    where m.day = (first_wars.night).day
      and m.slot = first_wars.slot
      and m.move = 'WAR'
      and m.ended is null
      and (first_wars.night).names is null
    order by m.at, m.seq limit first_wars.how_many)
  union all
  (select f.seq, f.account, f.slot, f.move, f.stake_cents, f.cost_cents, f.at
     from unnest((first_wars.night).moves) f
    where f.slot = first_wars.slot and f.move = 'WAR' and (first_wars.night).names is not null
    order by f.at, f.seq limit first_wars.how_many);
end;

-- The first accounts in the order of a night's queue, at least so many, and all that are equal to the last of them.
-- Rules 4.5.
create or replace function engine.queue_heads(
  night engine.night,
  how_many integer,
  after_reputation double precision default '-infinity',
  after_since timestamptz default '-infinity')
returns setof engine.night_account
language sql stable parallel safe security invoker
begin atomic
  -- Likewise, by the night's own index (trusted.index_night); until that is made, in one pass over all accounts. A
  -- limit with ties would put all of them in order first, a plain one keeps only the first while it reads. So it finds
  -- some more than asked for, and only if all of these are needed are those equal to the last looked up. Decisions 471.
  (with first as materialized (
     select s.account_id,
            engine.reputation(s.peace_count, s.war_count) as reputation,
            s.since,
            engine.reputation_order(s.peace_count, s.war_count) as place
       from hill.settlements s
      where s.day = (queue_heads.night).day
        and s.peace_tonight > 0
        and (engine.reputation_order(s.peace_count, s.war_count), s.since)
            > (queue_heads.after_reputation, queue_heads.after_since)
        and (queue_heads.night).names is null
      order by engine.reputation_order(s.peace_count, s.war_count), s.since limit queue_heads.how_many + 64

   ), last as materialized (
     select l.place,
            l.since,
            (select count(*) from first f where (f.place, f.since) <= (l.place, l.since))
            = queue_heads.how_many + 64 as crowded
       from (select f.place, f.since
               from first f
              order by f.place, f.since offset queue_heads.how_many - 1 limit 1) l
   )
   select f.account_id, f.reputation, f.since
     from first f
     left join last l on true
    where l.place is null
       or (f.place, f.since) < (l.place, l.since)
       or (f.place, f.since) = (l.place, l.since) and not l.crowded
   union all
   select s.account_id, engine.reputation(s.peace_count, s.war_count), s.since
     from hill.settlements s
    where (select l.crowded from last l)
      and s.day = (queue_heads.night).day
      and s.peace_tonight > 0
      and engine.reputation_order(s.peace_count, s.war_count) = (select l.place from last l)
      and s.since = (select l.since from last l)
      and (queue_heads.night).names is null)
  union all
  (select f.account, f.reputation, f.since
     from unnest((queue_heads.night).accounts) f
    where (queue_heads.night).names is not null
    order by engine.queue_order(f.reputation, f.since, null, null)
    fetch first (queue_heads.how_many) rows with ties);
end;

-- The one WAR on a place where there is exactly one.
create or replace function engine.lone_warrior(night engine.night, slot smallint)
returns setof engine.night_move
language sql stable parallel safe security invoker
begin atomic
  -- the other end of the same index
  (select m.seq, m.account_id, m.slot, m.move, m.stake_cents, m.cost_cents, m.at
     from hill.moves m
    where m.day = (lone_warrior.night).day
      and m.slot = lone_warrior.slot
      and m.ended is null
      and (lone_warrior.night).names is null
    order by m.move desc, m.at desc limit 1)
  union all
  (select f.seq, f.account, f.slot, f.move, f.stake_cents, f.cost_cents, f.at
     from unnest((lone_warrior.night).moves) f
    where f.slot = lone_warrior.slot and (lone_warrior.night).names is not null
    order by f.move desc, f.at desc limit 1);
end;

-- The accounts that moved, with reputation and seniority as the night used them.
create or replace function engine.night_accounts(night engine.night)
returns setof engine.night_account
language sql stable parallel safe security invoker
begin atomic
  select s.account_id, engine.reputation(s.peace_count, s.war_count), s.since
    from hill.settlements s where s.day = (night_accounts.night).day and (night_accounts.night).names is null
  union all
  select f.account, f.reputation, f.since
    from unnest((night_accounts.night).accounts) f where (night_accounts.night).names is not null;
end;

create or replace function engine.night_holders(night engine.night)
returns setof engine.night_holder
language sql stable parallel safe security invoker
begin atomic
  select s.slot, s.account_id, s.days_held
    from hill.seats s where s.day = (night_holders.night).day - 1 and (night_holders.night).names is null
  union all
  select f.slot, f.account, f.days_held
    from unnest((night_holders.night).holders) f where (night_holders.night).names is not null;
end;

-- The places that were open that night.
create or replace function engine.night_open_slots(night engine.night)
returns setof smallint
language sql stable parallel safe security invoker
begin atomic
  select p.slot
    from hill.places p
   where p.opens_day <= (night_open_slots.night).day and (night_open_slots.night).names is null
  union all
  select f from unnest((night_open_slots.night).open_slots) f where (night_open_slots.night).names is not null;
end;

comment on function engine.night_moves is 'The live moves of a night, with what each cost (cents).';
comment on function engine.first_peace is
'The earliest PEACE moves on a place, and all that are as early as the last of them.';
comment on function engine.night_holders is 'Who held which place before the night, and for how many bells.';
