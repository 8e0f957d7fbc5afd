-- The standings of a tournament after nights that were followed, beside what another hill shows. Rules 8.4, 20.50.

-- Takes in what was announced of a day, from its announcements.ndjson, with the verdicts that it deserves.
create or replace function engine.follow_announcements(day integer, lines jsonb)
returns void
language sql volatile parallel unsafe security invoker
begin atomic
  insert into hill.announcements (day, account_id, slot, agent_id, intention, at, verdict)
  select follow_announcements.day, a.account, a.slot, a.account, a.intention, a.at, engine.verdict(a.intention, m.move)
    from (select (l.value #>> '{occupant,accountId}')::uuid as account,
                 (l.value ->> 'slot')::smallint as slot,
                 (l.value ->> 'intention')::hill.move as intention,
                 (l.value ->> 'at')::timestamptz as at
            from jsonb_array_elements(follow_announcements.lines) l (value)) a
    left join hill.moves m on m.day = follow_announcements.day and m.account_id = a.account and m.slot = a.slot
  on conflict do nothing;
end;

-- Where the boards of a tournament, as /api/tournaments/{slug} has them, differ from those of its nights. Who signed up
-- is not public: all that one of them shows. Rules 8.4, 10.7.
create or replace function engine.wrong_standings(tournament jsonb)
returns setof engine.fault
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_tournament hill.tournaments;
  v_day        integer := tournament #>> '{boards,day}';
begin
  insert into hill.tournaments (
    slug, name, opens_day, sign_ups_close_day, starts_day, ends_day, target_agents, recommended_daily_cap_cents,
    created_at)
  select t.slug, t.slug, t.opens_day, t.sign_ups_close_day, t.starts_day, t.ends_day, 1, 0, '-infinity'
    from jsonb_to_record(tournament) t (
           slug text, opens_day integer, sign_ups_close_day integer, starts_day integer, ends_day integer)
  returning * into v_tournament;
  insert into hill.tournament_entries (tournament_id, account_id, agent_id, signed_up_at)
  select distinct v_tournament.id, e.account, e.account, '-infinity'::timestamptz
    from (select (e.value ->> 'accountId')::uuid as account
            from unnest(array['points', 'efficiency', 'record']) b (board)
           cross join jsonb_array_elements(tournament #> array['boards', b.board, 'entries']) e (value)) e;
  perform engine.rank_tournament(v_tournament, v_tournament.starts_day - 1, v_day);
  return query
  with shown as (
    select b.board, (e.value ->> 'rank')::integer as rank, e.value ->> 'accountId' as account, e.value as entry
      from unnest(array['points', 'efficiency', 'record']) b (board)
     cross join jsonb_array_elements(tournament #> array['boards', b.board, 'entries']) e (value)
  )
  select null::smallint,
         null::text,
         format('rank %s by %s', rank, board),
         engine.entry_words(d.account_id::text, d.figures, coalesce(d.figures, '{}')),
         engine.entry_words(s.account, s.entry, coalesce(d.figures, '{"points": 0}'))
    from engine.board_entries(v_tournament.id, v_day, 0, 2147483647, null) d
    full join shown s using (board, rank)
   where d.account_id is null or s.account is distinct from d.account_id::text or not s.entry @> d.figures
   order by board, rank;
end
$$;

comment on function engine.wrong_standings is
'Where the three boards of a tournament that another hill shows differ from those of the nights that were followed: '
'engine.rank_tournament of all that are on one of them. Rules 8.4, 20.50.';
