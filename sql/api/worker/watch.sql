-- The worker's heartbeat, and the figures that it shows to operators. Decisions 116, 118.

create or replace function api_worker.beat()
returns void language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.beat() $$;

create or replace function api_worker.changes(snapshot text default null, taken_at timestamptz default null)
returns jsonb language sql stable parallel restricted security definer set search_path to pg_catalog, pg_temp
as $$ select trusted.changes_since(snapshot, taken_at) $$;

create or replace function api_worker.free_server()
returns jsonb language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select trusted.free_server() $$;

create or replace function api_worker.probe_writes()
returns bigint
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
set work_mem to '64kB'
as $$
declare
  v_bytes bigint;
begin
  perform engine.beat();
  -- A row that is there finds room on its page even on a full disk, and a deposit does not. This wants eight megabytes
  -- of the disk, in a file that is gone at once.
  with filler as materialized (
    select repeat(md5(g::text), 32) as text from generate_series(1, 8192) g
  )
  select sum(length(f.text)) into v_bytes from filler f;
  return v_bytes;
end
$$;

create or replace function api_worker.note_bell_failure(code text)
returns void
language sql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
  insert into hill.bell_failures (night, code, first_at, last_at)
  select n.last + case when note_bell_failure.code = 'NIGHT_DOES_NOT_BALANCE' then 1 else 0 end,
         note_bell_failure.code,
         clock_timestamp(),
         clock_timestamp()
    from (select engine.last_night() as last) n
      on conflict on constraint bell_failures_pkey
      do update set last_at = excluded.last_at, times = bell_failures.times + 1
$$;

create or replace function api_worker.count_books(with_checks boolean default false)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_ok boolean;
begin
  update hill.watch b
     set delta_cents = (select coalesce(sum(w.paid_cents + w.granted_cents), 0) from hill.wallets w)
                     - (select coalesce(sum(p.paid_cents + p.granted_cents), 0) from engine.pending_settlements() p)
                     + (select sum(a.balance_cents) from hill.ledger_accounts a),
         counted_at = clock_timestamp();
  if with_checks then
    perform api_worker.check_books('balances');
  end if;
  select b.delta_cents = 0
     and not exists (select from jsonb_array_elements(b.checks) c where (c ->> 'wrong')::bigint > 0)
    into v_ok
    from hill.watch b;
  return v_ok;
end
$$;

create or replace function api_worker.check_books(part text)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_at     timestamptz := clock_timestamp();
  v_checks jsonb;
begin
  select coalesce(
           jsonb_agg(to_jsonb(c) || jsonb_build_object('part', part, 'checked_at', engine.iso(v_at)) order by c.n),
           '[]')
    into v_checks
    from trusted.check_part(part) with ordinality c (name, compared, wrong, example, n);
  update hill.watch b
     set checks = v_checks || (
           select coalesce(jsonb_agg(e order by x.n), '[]')
             from jsonb_array_elements(b.checks) with ordinality x (e, n)
            where coalesce(e ->> 'part', 'balances') <> part),
         -- of what is looked at each hour
         checked_at = case when part = 'balances' then v_at else b.checked_at end;
  return not exists (select from jsonb_array_elements(v_checks) c where (c ->> 'wrong')::bigint > 0);
end
$$;

create or replace function api_worker.book_parts()
returns jsonb
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'hourly', h.parts || 'last_night'::text,
    'nightly', 'last_seal'::text || array(select p from unnest(engine.check_parts()) p where p <> all (h.parts)))
    from (select array['balances'] as parts) h
$$;

create or replace function api_worker.watch()
returns jsonb
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'worker', s.worker,
    'bell', s.bell,
    'books', s.books,
    'log', s.log,
    'seal', engine.seal_gaps(),
    'reserve', engine.bell_reserve(),
    'at', engine.iso(clock_timestamp()),
    'silent_seconds', s.silent_seconds,
    'last_night', s.last_night,
    'overdue_seconds', s.overdue_seconds,
    'failure', s.failure,
    'unsigned_seconds', extract(epoch from clock_timestamp() - s.log_signed_at),
    'unsealed', trusted.unsealed(s.last_night) is not null,
    'unsettled_seconds', engine.unsettled_seconds(),
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
    'waiting_payments', trusted.count_waiting_payments(),
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
comment on function api_worker.changes is 'trusted.changes_since(): what was committed since an earlier look.';
comment on function api_worker.free_server is
'trusted.free_server(): ends sessions that fill or hold what the bell needs of the server.';
comment on function api_worker.probe_writes is
'Writes a row, and eight megabytes of a temporary file: fails as deposits do where the database''s disk is full, or '
'where it takes no writes. Returns the bytes.';
comment on function api_worker.note_bell_failure is
'Notes that a bell failed: NIGHT_DOES_NOT_BALANCE of the night that is due, VERIFICATION_FAILED of the last one. What '
'was found is in the worker''s log; it may tell of a night that is not published. Decisions 118.';
comment on function api_worker.count_books is
'Adds up all balances; with_checks, which workers of an earlier version pass, checks balances, too. Keeps both in '
'hill.watch. Returns whether all that was found when it was last looked at holds. Settled money only. Rules 5.5; '
'decisions 118.';
comment on function api_worker.book_parts is
'Which parts (api_worker.check_books) are checked each hour and after each bell (hourly); and which once after each '
'bell, for they take as long as the hill is old (nightly).';
comment on function api_worker.check_books is
'Checks one part of what must hold (engine.check_part), which takes as long as the hill is old, and keeps what was '
'found in hill.watch. Returns whether it holds. Errors: INVALID_ARGUMENT. Decisions 118.';
comment on function api_worker.watch is
'Figures for operators, all of them settled or public: engine.bell_state, engine.seal_gaps of the session that asks, '
'engine.bell_reserve, the real clock (at), the last night, the count of sealed moves as of the quarter hour, '
'deliveries that are due (how many; for how many seconds the oldest), payments that wait for a person, and '
'subscriptions that fail. Decisions 116.';

grant execute on function
  api_worker.beat,
  api_worker.changes,
  api_worker.free_server,
  api_worker.probe_writes,
  api_worker.note_bell_failure,
  api_worker.count_books,
  api_worker.book_parts,
  api_worker.check_books,
  api_worker.watch
  to hill_worker;
