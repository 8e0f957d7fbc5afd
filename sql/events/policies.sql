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
comment on column hill.subscriptions.id is 'The subscription, chosen by the web process; the secret is sealed with it.';
comment on column hill.subscriptions.account_id is 'Whose events are posted.';
comment on column hill.subscriptions.agent_id is 'The agent that subscribed: it ends when that is cut.';
comment on column hill.subscriptions.url is 'Where events are posted.';
comment on column hill.subscriptions.events is 'Which ones, such as bell_rung. Rules 15.2.';
comment on column hill.subscriptions.sealed_secret is 'The secret that signs, sealed by one outside the database.';
comment on column hill.subscriptions.created_at is 'When it was made. Hill''s clock.';
comment on column hill.subscriptions.fuel_level is
'What was last found of its credits: 0 enough, 1 below the daily cap, 2 below the cheapest move.';
comment on column hill.subscriptions.busy_until is 'Until when a worker is posting there; null if none is. Real clock.';
comment on column hill.subscriptions.delivered_at is 'When something last arrived; null if nothing has. Real clock.';
comment on column hill.subscriptions.failing_since is
'Since when nothing has arrived; null if the last attempt did. Real clock.';
comment on column hill.subscriptions.ended_at is 'When it ended; null while it goes on. Hill''s clock.';
comment on column hill.subscriptions.ended_because is
'cancelled, gone (the receiver answered 410), failing (for 3 days) or agent_cut; null while it goes on.';
comment on table hill.deliveries is
'What is to be posted to a subscription, or was: written in the transaction of the event, tried from due_at on. id is '
'the webhook-id, the same at every attempt. Rows are deleted engine.delivery_days after they ended. Rules 15.1, 15.3.';
comment on column hill.deliveries.id is 'The webhook-id, the same at each attempt.';
comment on column hill.deliveries.subscription_id is 'Where it is posted.';
comment on column hill.deliveries.account_id is 'Whose event it is.';
comment on column hill.deliveries.body is 'What is posted: type, timestamp, data.';
comment on column hill.deliveries.due_at is 'When the next attempt is due. Real clock.';
comment on column hill.deliveries.attempts is 'How many were made; from 0 again if staff post an ended one again.';
comment on column hill.deliveries.tried_at is 'When the last attempt began; null before. Real clock.';
comment on column hill.deliveries.outcome is 'What became of that attempt: delivered, or why not; null before.';
comment on column hill.deliveries.status is 'The HTTP status that answered it; null if none came.';
comment on column hill.deliveries.ended_at is 'When nothing more was to be done; null while it waits. Real clock.';
comment on column hill.deliveries.ended_as is
'delivered, given_up or dropped (with its subscription); null while it waits.';
