-- Who reaches subscriptions and deliveries: their own account, and the worker that sends. Only the worker reads the
-- secret, and even there it is sealed by one outside the database.

alter table hill.subscriptions enable row level security, force row level security;
create policy own_use on hill.subscriptions to hill_api_agent
  using (account_id = engine.actor_account()) with check (account_id = engine.actor_account());
create policy worker_sends on hill.subscriptions to hill_api_worker using (true) with check (true);
grant select (id, account_id, agent_id, url, events, created_at, delivered_at, failing_since, ended_at, ended_because),
      insert, update (ended_at, ended_because) on hill.subscriptions to hill_api_agent;
grant select, update (fuel_level, busy_until, delivered_at, failing_since, ended_at, ended_because)
  on hill.subscriptions to hill_api_worker;

alter table hill.deliveries enable row level security, force row level security;
create policy own_use on hill.deliveries to hill_api_agent
  using (account_id = engine.actor_account()) with check (account_id = engine.actor_account());
create policy worker_sends on hill.deliveries to hill_api_worker using (true) with check (true);
create policy owner_forgets on hill.deliveries to hill_owner using (ended_at is not null);
grant select, update (ended_at, ended_as) on hill.deliveries to hill_api_agent;
grant select, insert, update on hill.deliveries to hill_api_worker;

-- Staff answer reports, which is an event. They do not see who is sent it, or where.
create policy staff_tells on hill.subscriptions for select to hill_api_staff
  using ((select api_staff.staff_name()) is not null);
grant select (id, account_id, agent_id, events, ended_at) on hill.subscriptions to hill_api_staff;
create policy staff_tells on hill.deliveries for insert to hill_api_staff
  with check ((select api_staff.staff_name()) is not null);
grant insert (subscription_id, account_id, body, due_at) on hill.deliveries to hill_api_staff;

comment on table hill.subscriptions is
'Addresses to which events of an account are posted. busy_until: until when a worker is sending there. failing_since: '
'since when nothing has arrived. fuel_level: what fuel_low reported last. The secret that signs is sealed by one '
'outside the database. Rules 15.1, 15.3.';
comment on table hill.deliveries is
'What is to be posted to a subscription, or was: written in the transaction of the event, tried from due_at on. id is '
'the webhook-id, the same at every attempt. Rows are deleted engine.delivery_days after they ended. Rules 15.1, 15.3.';
