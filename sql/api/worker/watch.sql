-- api/worker/watch.sql · The worker's heartbeat, and the figures that it shows to operators. Decisions 116, 118.

create or replace function api_worker.beat()
returns void language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.beat() $$;

create or replace function api_worker.changes(snapshot text default null, taken_at timestamptz default null)
returns jsonb language sql stable parallel restricted security definer set search_path to pg_catalog, pg_temp
as $$ select engine.changes_since(snapshot, taken_at) $$;

create or replace function api_worker.free_server()
returns jsonb language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.free_server() $$;

create or replace function api_worker.probe_writes()
returns bigint language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.probe_writes() $$;

create or replace function api_worker.note_bell_failure(code text)
returns void language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.note_bell_failure(code) $$;

create or replace function api_worker.count_books(with_checks boolean)
returns boolean language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.count_books(with_checks) $$;

create or replace function api_worker.watch()
returns jsonb
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'worker', s.worker,
    'bell', s.bell,
    'books', s.books,
    'silent_seconds', s.silent_seconds,
    'last_night', s.last_night,
    'overdue_seconds', s.overdue_seconds,
    'failure', s.failure,
    'unsigned_seconds', extract(epoch from clock_timestamp() - s.log_signed_at),
    'unsealed', engine.unsealed(s.last_night) is not null,
    'delta_cents', s.delta_cents,
    'checks', b.checks,
    'checked_seconds', extract(epoch from clock_timestamp() - b.checked_at),
    'counted_seconds', extract(epoch from clock_timestamp() - b.counted_at),
    'lag_seconds', extract(epoch from n.resolved_at - n.bell_at),
    'accounts', n.accounts,
    'moves', n.moves,
    'charged_cents', n.granted_cents + n.paid_cents,
    'burned_cents', n.burned_cents,
    'sealed_moves', c.moves,
    'deliveries', d.waiting,
    'delivery_seconds', d.oldest_seconds,
    'waiting_payments', engine.count_waiting_payments(),
    'failing_subscriptions', (select count(*) from hill.subscriptions x
                               where x.ended_at is null and x.failing_since is not null))
    from engine.bell_state() s
   cross join hill.watch b
   cross join hill.sealed_counts c
   cross join lateral (select count(*) as waiting,
                              extract(epoch from clock_timestamp() - min(e.due_at)) as oldest_seconds
                         from hill.deliveries e
                        where e.ended_at is null and e.due_at <= clock_timestamp()) d
    left join hill.nights n on n.day = s.last_night
$$;

comment on function api_worker.beat is 'engine.beat(): says that a worker lives.';
comment on function api_worker.changes is 'engine.changes_since(): what was committed since an earlier look.';
comment on function api_worker.free_server is
'engine.free_server(): ends sessions that fill or hold what the bell needs of the server.';
comment on function api_worker.probe_writes is 'engine.probe_writes(): whether the database can write.';
comment on function api_worker.note_bell_failure is 'engine.note_bell_failure(): notes that a bell failed.';
comment on function api_worker.count_books is 'engine.count_books(): whether the books balance.';
comment on function api_worker.watch is
'Figures for operators, all of them settled or public: engine.bell_state, the last night, the count of sealed moves '
'as of the quarter hour, deliveries that are due (how many; for how many seconds the oldest), payments that wait for a '
'person, and subscriptions that fail. Decisions 116.';

grant execute on function
  api_worker.beat,
  api_worker.changes,
  api_worker.free_server,
  api_worker.probe_writes,
  api_worker.note_bell_failure,
  api_worker.count_books,
  api_worker.watch
  to hill_worker;
