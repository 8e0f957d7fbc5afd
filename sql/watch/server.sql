-- What any login can fill or hold of the server, and who does. Decisions 481, 482.

-- For how many locks of all sessions together the server has room, at least. Without room nobody commits a change.
create or replace function engine.lock_room()
returns integer
language sql stable parallel safe security invoker
begin atomic
  select current_setting('max_locks_per_transaction')::integer
         * (current_setting('max_connections')::integer + current_setting('max_prepared_transactions')::integer);
end;

-- All sessions that may be ended so that a bell can ring, and for some of them why they should be.
create or replace function engine.in_the_way()
returns table (pid integer, role name, application text, why text)
language plpgsql volatile parallel restricted security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now     timestamptz := clock_timestamp();
  v_soon    timestamptz := v_now - make_interval(secs => engine.idle_patience_seconds());
  v_late    timestamptz := v_now - make_interval(secs => 6 * engine.idle_patience_seconds());
  v_queue   boolean := pg_notification_queue_usage() > engine.notify_limit();
  v_due     boolean := engine.now() >= engine.bell_at(engine.last_night() + 1);
begin
  return query
  with others as (
    select a.pid, a.usename, a.application_name, a.datname = current_database() as here, a.xact_start,
           pg_has_role(a.usesysid, 'hill_worker', 'member') as works,
           pg_has_role(a.usesysid, 'hill_dba', 'member') as looks,
           -- idle in a transaction, or sends something that its client does not take
           a.xact_start < v_soon
             and (a.state like 'idle%' and a.state_change < v_soon
                  or a.wait_event = 'ClientWrite' and a.query_start < v_late) as idles,
           coalesce(a.xact_start, a.state_change) < v_late as lasts
      from pg_stat_activity a
      join pg_roles r on r.oid = a.usesysid
     where a.backend_type = 'client backend' and a.pid <> pg_backend_pid()
       -- whom nobody here may end, and backups
       and not (r.rolsuper or r.rolbypassrls or r.rolreplication)
  ), listening as (
    -- who may hold the queue back, the likeliest alone; at last who is idle: what was sent and then undone wakes nobody
    select s.pid, s.suspicion = min(s.suspicion) over () as likeliest
      from (select o.pid, case when o.idles then 1 when o.xact_start is not null then 2 else 3 end as suspicion
              from others o
             where v_queue and (o.idles or not o.works and o.lasts)) s
  ), held as materialized (
    select l.pid,
           count(*) filter (where not l.fastpath) as locks,
           bool_or(l.relation is not null and l.mode <> 'AccessShareLock'
                   and l.database = (select d.oid from pg_database d where d.datname = current_database())
                   and l.relation in (select c.oid from pg_class c where c.relnamespace = 'hill'::regnamespace))
             as keeps
      from pg_locks l
     where l.granted
     group by l.pid
  ), full_of_locks as (
    -- whoever holds most, until there is room again
    select m.pid
      from (select h.pid, h.locks,
                   sum(h.locks) over (order by h.locks desc, h.pid) - h.locks as before_it
              from held h join others o on o.pid = h.pid
             where not o.works) m,
           (select sum(h.locks) as locks from held h) s
     where s.locks > engine.lock_room() / 2 and m.before_it < s.locks - engine.lock_room() / 2
  ), connected as (
    select count(*) as all_of_them from pg_stat_activity a where a.backend_type = 'client backend'
  ), one_of_many as (
    select o.pid, row_number() over (partition by o.usename order by o.pid) as n from others o where o.looks and o.here
  )
  select o.pid, o.usename, o.application_name,
         case when q.likeliest then 'notifications'
              when f.pid is not null then 'locks'
              when v_due and not o.works and o.here and o.idles and h.keeps then 'bell'
              when m.n > engine.dba_connections()
                   and c.all_of_them > 0.9 * (current_setting('max_connections')::integer
                                              - current_setting('superuser_reserved_connections')::integer
                                              - current_setting('reserved_connections')::integer) then 'connections' end
    from others o
   cross join connected c
    left join listening q on q.pid = o.pid
    left join held h on h.pid = o.pid
    left join full_of_locks f on f.pid = o.pid
    left join one_of_many m on m.pid = o.pid;
end
$$;

-- Ends the sessions that engine.in_the_way names, if hill_owner may do that (may_end), and returns them (role,
-- application, why), with the shares of the queue of notifications and of the room for locks that were taken before.
-- It writes nothing, so that it works without room for another lock.
create or replace function trusted.free_server()
returns jsonb
language plpgsql volatile parallel unsafe security definer  -- hill_owner, who may end sessions: see sql/harden.sql
set search_path to pg_catalog, pg_temp
as $$
declare
  v_queue double precision := pg_notification_queue_usage();
  v_locks double precision := (select count(*) from pg_locks l where not l.fastpath)::double precision
                              / engine.lock_room();
  v_may   boolean := pg_has_role('pg_signal_backend', 'usage') and pg_has_role('pg_read_all_stats', 'usage');
  v_ended jsonb := '[]';
  v       record;
begin
  if v_may then
    for v in select * from engine.in_the_way() w where w.why is not null loop
      if pg_terminate_backend(v.pid) then
        v_ended := v_ended || jsonb_build_object('role', v.role, 'application', v.application, 'why', v.why);
      end if;
    end loop;
  end if;
  return jsonb_build_object('queue', v_queue, 'locks', v_locks, 'may_end', v_may, 'ended', v_ended);
end
$$;

grant execute on function trusted.free_server to hill_api_worker;
