-- Staff take an account's icon away, or let it have one again. Rules 11.3, 18.1.

create policy staff_hides on hill.site_checks to hill_api_staff
  using (api_staff.staff_name() is not null) with check (true);
grant select (account_id, due_at, icon_hidden), update (due_at, icon_hidden) on hill.site_checks to hill_api_staff;
grant update (icon) on hill.accounts to hill_api_staff;
