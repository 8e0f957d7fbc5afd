-- bell/policies.sql · Nights that are over are everyone's to read.

do $$
declare
  v_table text;
begin
  foreach v_table in array array['nights', 'place_results', 'seats'] loop
    execute format('alter table hill.%I enable row level security, force row level security', v_table);
    execute format('create policy all_read on hill.%I for select to hill_api, hill_owner, hill_dba using (true)', v_table);
    execute format('create policy staff_read on hill.%I for select to hill_staff using ((select api_staff.staff_name()) is not null)', v_table);
    execute format('create policy bell_publishes on hill.%I for insert to hill_api_worker with check (true)', v_table);
    execute format('grant select on hill.%I to hill_api, hill_staff, hill_dba', v_table);
    execute format('grant insert on hill.%I to hill_api_worker', v_table);
    execute format('create trigger written_once before update or delete or truncate on hill.%I for each statement execute function engine.guard_balances()', v_table);
  end loop;
end
$$;

alter table hill.sealed_counts enable row level security, force row level security;
create policy all_read on hill.sealed_counts for select to hill_api using (true);
create policy worker_counts on hill.sealed_counts for update to hill_api_worker using (true) with check (true);
grant select on hill.sealed_counts to hill_api;
grant update on hill.sealed_counts to hill_api_worker;

comment on table hill.nights is 'The nights that the bell has resolved, with what they took (cents). Written once.';
comment on table hill.place_results is 'What each of the ten places came to on each night. Written once. Specification 2.2, 3.1.';
comment on table hill.seats is 'Who sat on which place after each night, by which move, for how many bells, for how many points. Written once. Specification 1, 3.1.';
comment on table hill.sealed_counts is 'How many moves are sealed tonight, counted on the quarter hour so that it tells no instant. Decisions 7.';
