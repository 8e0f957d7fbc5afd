-- The boards after a night that was followed, by the functions that make those of a hill, beside what another hill
-- shows. Rules 7, 20.50.

-- An entry of a board in a few words: who, and the figures of these names.
create or replace function engine.entry_words(account text, entry jsonb, names jsonb)
returns text
language sql immutable parallel safe
begin atomic
  select coalesce(
    entry_words.account || ' with '
      || string_agg(n.name || ' ' || coalesce(trim_scale((entry_words.entry ->> n.name)::numeric)::text, 'none'),
                    ', ' order by n.name),
    'nobody')
    from jsonb_object_keys(entry_words.names) n (name);
end;

-- Where a board of the hill after a night (hill, efficiency; of a night that is over, of those who had points) differs
-- from the entries that are shown, from rank 1 to a last one (null: to its end).
create or replace function engine.wrong_board(board text, past boolean, day integer, entries jsonb, upto integer)
returns setof engine.fault
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if not past and not exists (select from hill.leaderboard l where l.day = wrong_board.day) then
    insert into hill.leaderboard (day, rank, account_id, points, reputation, paid_cents, consumed_cents)
    select wrong_board.day, r.rank, r.account_id, r.points, r.reputation, r.paid_cents, r.consumed_cents
      from engine.rank_accounts(0, wrong_board.day) r;
  end if;
  return query
  with due as (
    select b.rank, b.account_id, jsonb_build_object('points', b.points, 'reputation', b.reputation) as figures
      from engine.past_board(wrong_board.day) b
     where board = 'hill' and past
    union all
    select l.rank, l.account_id, jsonb_build_object('points', l.points, 'reputation', l.reputation)
      from hill.leaderboard l
     where l.day = wrong_board.day and board = 'hill' and not past
    union all
    select e.rank,
           e.account_id,
           jsonb_build_object(
             'points', e.points,
             'consumed_cents', e.consumed_cents,
             'points_per_dollar', e.points_per_dollar,
             'nights', e.nights)
      from (select p.* from engine.past_efficiency(wrong_board.day) p where past
            union all
            select p.* from engine.efficiency(wrong_board.day) p where not past) e
     where board = 'efficiency'

  ), shown as (
    select (e.value ->> 'rank')::bigint as rank, e.value ->> 'accountId' as account, e.value as entry
      from jsonb_array_elements(wrong_board.entries) e (value)
  )
  select null::smallint,
         null::text,
         'rank ' || rank,
         engine.entry_words(d.account_id::text, d.figures, coalesce(d.figures, '{}')),
         engine.entry_words(s.account, s.entry, coalesce(d.figures, '{"points": 0}'))
    from (select b.* from due b where wrong_board.upto is null or b.rank <= wrong_board.upto) d
    full join shown s using (rank)
   where d.account_id is null or s.account is distinct from d.account_id::text or not s.entry @> d.figures
   order by rank;
end
$$;

-- Where the Wall after a night, whose board engine.wrong_board has made, cannot be so: what was paid with which credits
-- is not public, but nobody spent more than was consumed, and the order is public, too.
create or replace function engine.wrong_wall(day integer, entries jsonb)
returns setof engine.fault
language sql stable parallel safe security invoker
begin atomic
  with shown as (
    select (e.value ->> 'rank')::bigint as rank,
           e.value ->> 'accountId' as account,
           (e.value ->> 'spent_cents')::numeric as cents
      from jsonb_array_elements(wrong_wall.entries) e (value)
  )
  select null::smallint, s.account, 'cents spent on the Wall', 'at most ' || coalesce(l.consumed_cents, 0),
         s.cents::text
    from shown s
    left join hill.leaderboard l on l.day = wrong_wall.day and l.account_id::text = s.account
   where s.cents > coalesce(l.consumed_cents, 0)
   union all
  select null, s.account, 'rank on the Wall', (1 + (select count(*) from shown o where o.cents > s.cents))::text
         || ' at most', s.rank::text
    from shown s
   where s.rank < 1 + (select count(*) from shown o where o.cents > s.cents);
end;

comment on function engine.wrong_board is
'Where a board that another hill shows after a night (hill, efficiency) differs from that of the nights that were '
'followed: engine.past_board and past_efficiency, or those of the last night. Rules 7.1, 10.7, 20.50.';
