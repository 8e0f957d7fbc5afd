-- What the worker calls to bring the boards up to the last night. Rules 7, 8.4.

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
   where engine.has_begun(t, v_last) and engine.tournament_board_day(t) < least(v_last, t.ends_day)
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

grant execute on function
  api_worker.keep_prospects, api_worker.build_boards, api_worker.drop_old_boards, api_worker.rank_next_tournament
  to hill_worker;
