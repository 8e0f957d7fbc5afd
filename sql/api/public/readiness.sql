-- Whether the hill as a whole does what it should, in a word each. Decisions 118, 481.

create or replace function api_public.readiness()
returns jsonb
language sql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object(
      'worker', b.worker,
      'bell', b.bell,
      'books', b.books,
      'seal', engine.seal_gaps(),
      'reserve', engine.bell_reserve(),
      'at', engine.iso(clock_timestamp()),
      'server', case when pg_notification_queue_usage() > engine.notify_limit() then 'filling' else 'ok' end)
    from engine.bell_state() b
$$;

comment on function api_public.readiness is
'worker: ok, silent or none. bell: ok, overdue, or unsettled (see engine.unsettled_seconds). books: ok, or wrong when '
'balances do not add up or a night failed its checks. seal: engine.seal_gaps, of the session that asks. reserve: '
'engine.bell_reserve. at: the database''s real clock. server: ok, or filling when somebody fills its queue of '
'notifications. Decisions 118, 481.';

grant execute on function api_public.readiness to hill_public;
