-- moves/policies.sql · Sealed until the bell, public after it. Decisions 7.

-- Tonight's moves: their own account, and the bell. The public and the staff have neither policy nor grant here.
create function engine.guard_sealed_moves()
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  alter table hill.sealed_moves enable row level security, force row level security;
  create policy own_read on hill.sealed_moves for select to hill_api_agent, hill_api_human using (account_id = engine.actor_account());
  create policy own_deposit on hill.sealed_moves for insert to hill_api_agent with check (account_id = engine.actor_account());
  create policy own_end on hill.sealed_moves for update to hill_api_agent, hill_api_human
    using (account_id = engine.actor_account()) with check (account_id = engine.actor_account() and ended is not null);
  create policy bell_counts on hill.sealed_moves for select to hill_api_worker using (true);
  create policy house_deposits on hill.sealed_moves for insert to hill_api_worker with check (account_id = engine.actor_account());
  create policy house_ends on hill.sealed_moves for update to hill_api_worker
    using (account_id = engine.actor_account()) with check (account_id = engine.actor_account() and ended is not null);
  grant select on hill.sealed_moves to hill_api_agent, hill_api_human, hill_api_worker;
  grant insert on hill.sealed_moves to hill_api_agent, hill_api_worker;
  grant update (ended, ended_at) on hill.sealed_moves to hill_api_agent, hill_api_human, hill_api_worker;
end
$$;

comment on function engine.guard_sealed_moves() is
'Sets the policies and grants of tonight''s sealed moves. Called when sql/ is loaded, and by the bell for the table of the new day, before anyone can use it.';

do $$ begin perform engine.guard_sealed_moves(); end $$;

alter table hill.reservations enable row level security, force row level security;
create policy own_use on hill.reservations to hill_api_agent, hill_api_human
  using (account_id = engine.actor_account()) with check (account_id = engine.actor_account());
create policy worker_settles on hill.reservations to hill_api_worker using (true) with check (true);
grant select, update on hill.reservations to hill_api_agent, hill_api_human, hill_api_worker;
grant insert on hill.reservations to hill_api_worker;
grant usage on sequence hill.deposit_seq to hill_api_agent, hill_api_worker;

-- Nights that are over: live moves are public; what was withdrawn or replaced stays with its account.
alter table hill.moves enable row level security, force row level security;
revoke update, delete, truncate on hill.moves from hill_owner;
create policy public_read on hill.moves for select to hill_api, hill_dba using (ended is null);
create policy own_read on hill.moves for select to hill_api_agent, hill_api_human using (account_id = engine.actor_account());
create policy staff_read on hill.moves for select to hill_staff using (ended is null and (select api_staff.staff_name()) is not null);
grant select on hill.moves to hill_api, hill_staff, hill_dba;

comment on table hill.moves is
$$The moves of nights that are over, one partition a day. ended is null for the live moves, which are public; what was replaced or withdrawn stays
with its account. Amounts in cents; cost_cents is what the bell took. Specification 2.4; decisions 2, 7.$$;
comment on column hill.moves.seq is 'Number of the deposit, in the order in which they were accepted; the last tie-break of deposit order.';
