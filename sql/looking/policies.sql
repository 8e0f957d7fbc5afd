-- What the owner of the staff's API may read beside what every API may, for a live session only. Rules 18.2.

create policy staff_explains on hill.wallets for select to hill_api_staff
  using ((select api_staff.staff_name()) is not null);
grant select (account_id, paid_cents, granted_cents, ring_day) on hill.wallets to hill_api_staff;

grant select (granted_cents, paid_cents) on hill.settlements to hill_api_staff;

-- By address an account is found, and its address is never shown: decisions 230.
create policy staff_finds on oauth.humans for select to hill_api_staff
  using ((select api_staff.staff_name()) is not null);
grant select (account_id, email) on oauth.humans to hill_api_staff;
create policy staff_finds on oauth.sign_ins for select to hill_api_staff
  using ((select api_staff.staff_name()) is not null);
grant select (account_id, email) on oauth.sign_ins to hill_api_staff;
create policy staff_finds on hill.audit_log for select to hill_api_staff
  using ((select api_staff.staff_name()) is not null);
grant select on hill.audit_log to hill_api_staff;

-- Webhooks: the host that they go to, and what became of them; staff are not shown the path, which can be a secret.
grant select (url, created_at, delivered_at, failing_since, ended_because) on hill.subscriptions to hill_api_staff;
create policy staff_looks on hill.deliveries for select to hill_api_staff
  using ((select api_staff.staff_name()) is not null);
grant select on hill.deliveries to hill_api_staff;
