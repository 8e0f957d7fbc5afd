-- Who waits for whom: the day, an account, and what is done by one at a time. Rules 2.3; decisions 18.
--
-- None of them is an advisory lock: those belong to nobody, and every login could take them, or see in pg_locks which
-- account deposits. Whoever takes several takes them in this order, so that there is no deadlock: a row of hill.locks,
-- the day, a grant (oauth.grants), the account. The row of hill.settings is taken with nothing after it: by the bell,
-- and by whoever changes a place or the clock.

-- Refuses a transaction that would not see what was committed while it waited for a lock. Errors: READ_COMMITTED_ONLY.
-- Rules 2.3.
create or replace function engine.check_isolation()
returns void
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    perform engine.refuse('READ_COMMITTED_ONLY', 'This needs the isolation level READ COMMITTED.');
  end if;
end
$$;

-- Holds the day until the end of the transaction, as everything does that must not run in the middle of a bell. Errors:
-- READ_COMMITTED_ONLY. Rules 2.3.
create or replace function engine.try_day()
returns boolean
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    perform engine.check_isolation();
  end if;
  -- Shared: it conflicts with the bell's EXCLUSIVE alone, neither with its like nor with a reader, pg_dump or
  -- autovacuum.
  lock table hill.day_lock in row exclusive mode nowait;
  return true;
exception
  when lock_not_available then  -- caught, so nothing is logged
    return false;
end
$$;

-- For what may come at any time, even while the bell rings. Rules 2.3.
create or replace function engine.hold_day()
returns timestamptz
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_held boolean := engine.try_day();
  v_last integer := engine.last_night();
begin
  if not v_held then
    if engine.now() >= engine.bell_at(v_last + 1) then
      return engine.bell_at(v_last + 1);   -- the bell that is ringing
    end if;
    -- It has just ended; or a clock was set back while it rings, and then its end is waited for.
    lock table hill.day_lock in row exclusive mode;
    v_last := engine.last_night();
  end if;
  return case when v_last = 0 then '-infinity' else engine.bell_at(v_last) end;
end
$$;

-- Holds the day (engine.hold_day) and the account until the end of the transaction, and returns the instant of what the
-- account does now. Rules 2.3, 5.4.
create or replace function trusted.take_instant(account_id uuid)
returns timestamptz
language plpgsql volatile parallel unsafe security definer  -- hill_owner: of staff and worker no policy shows the row
set search_path to pg_catalog, pg_temp
as $$
declare
  v_bell timestamptz := engine.hold_day();
  v_now  timestamptz;
begin
  -- The clock is read while the row is held: where it had to be waited for, the expression is computed anew.
  update hill.reservations r set acted_at = greatest(engine.now(), v_bell, r.acted_at)
   where r.account_id = take_instant.account_id
  returning r.acted_at into v_now;
  return coalesce(v_now, greatest(engine.now(), v_bell));
end
$$;

-- Serializes everything that an account does today, by any of its agents or by its human, until the end of the
-- transaction. Rules 2.3.
create or replace function trusted.lock_account(account_id uuid)
returns void
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.check_isolation();
  perform from hill.reservations r where r.account_id = lock_account.account_id for no key update;
end
$$;

-- Takes a lock of hill.locks by its name until the transaction ends. Errors: READ_COMMITTED_ONLY; P0002 for an unknown
-- name.
create or replace function trusted.lock_one(name text, shared boolean default false)
returns void
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
declare
  v_name text;   -- a lock that is not in the table is nobody's
begin
  perform engine.check_isolation();
  if shared then
    select l.name into strict v_name from hill.locks l where l.name = lock_one.name for share;
  else
    select l.name into strict v_name from hill.locks l where l.name = lock_one.name for update;
  end if;
end
$$;

-- The privilege to lock, and no row to write: no policy allows one. (Row-level security was enabled with the tables:
-- enabling it here would block deposits during a deploy.)
grant insert on hill.day_lock to hill_api_agent, hill_api_human, hill_api_staff, hill_api_worker;
grant update on hill.day_lock to hill_api_worker;

create policy owner_locks on hill.locks to hill_owner using ((select current_user) = 'hill_owner') with check (false);

comment on table hill.day_lock is
'Empty. A deposit holds it in ROW EXCLUSIVE mode, the bell in EXCLUSIVE mode: a bell waits for the deposits under '
'way, and none begins while it rings. Only roles that have the privilege to write to it, and no policy that lets '
'them, can take these locks. Rules 2.3; decisions 18.';
comment on table hill.locks is
'A row for each thing that is done by one at a time; trusted.lock_one takes its lock. Decisions 18.';
comment on column hill.locks.name is
'What is done by one at a time, such as log or payments; rows come from migrations.';

grant execute on function
  trusted.take_instant, trusted.lock_account, trusted.lock_one
  to hill_api_agent, hill_api_human, hill_api_staff, hill_api_worker, hill_api_oauth;
