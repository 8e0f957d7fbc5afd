-- Staff have an event posted to its subscription once more. Rules 15.3, 18.1.

create policy staff_resends on hill.deliveries for select to hill_api_staff
  using ((select api_staff.staff_name()) is not null);
create policy staff_resends_now on hill.deliveries for update to hill_api_staff
  using ((select api_staff.staff_name()) is not null) with check (ended_at is null);
grant select (id, account_id, subscription_id, attempts, due_at, ended_at, ended_as),
      update (due_at, attempts, ended_at, ended_as) on hill.deliveries to hill_api_staff;
