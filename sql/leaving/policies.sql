-- Who knows of closings, what the closing itself may do as the owner of the tables, and what a human may read for a
-- download.

create policy all_read on hill.closings for select to hill_api, hill_dba using (true);
create policy staff_read on hill.closings for select to hill_staff using ((select api_staff.staff_name()) is not null);
create policy owner_closes on hill.closings to hill_owner using (true) with check (true);
grant select on hill.closings to hill_api, hill_staff, hill_dba;
create or replace trigger written_once before update or delete or truncate on hill.closings
  for each statement execute function trusted.guard_balances();

create policy all_compare on hill.retired_slugs for select to hill_api using (true);
create policy owner_retires on hill.retired_slugs to hill_owner using (true) with check (true);
grant select on hill.retired_slugs to hill_api;
create or replace trigger written_once before update or delete or truncate on hill.retired_slugs
  for each statement execute function trusted.guard_balances();

create policy owner_forgets on oauth.humans to hill_owner using (true) with check (false);
create policy owner_renames on oauth.clients for update to hill_owner
  using (kind = 'anonymous') with check (kind = 'anonymous');
create policy owner_renames on hill.accounts for update to hill_owner using (true) with check (true);
create policy owner_renames on hill.agents for update to hill_owner using (true) with check (true);
create policy owner_forgets on hill.former_slugs for delete to hill_owner using (true);
create policy owner_looks on hill.subscriptions for select to hill_owner using (true);
create policy owner_closes on hill.subscriptions for delete to hill_owner using (true);
create policy owner_looks on hill.deliveries for select to hill_owner using (true);
create policy owner_closes on hill.deliveries for delete to hill_owner using (true);
create policy owner_looks on hill.site_checks for select to hill_owner using (true);
create policy owner_closes on hill.site_checks for delete to hill_owner using (true);
create policy owner_looks on hill.reports for select to hill_owner using (true);
create policy owner_renames on hill.reports for update to hill_owner using (true) with check (true);

-- What was published changes for closed accounts alone, and nothing of it but the messages, with their salts.
create policy owner_looks on hill.moves for select to hill_owner
  using ((select current_user) = 'hill_owner' and account_id in (select c.account_id from hill.closings c));
create policy owner_forgets on hill.moves for update to hill_owner
  using ((select current_user) = 'hill_owner' and account_id in (select c.account_id from hill.closings c))
  with check (message is null and message_salt is null);
grant update (message, message_salt) on hill.moves to hill_owner;
create policy owner_looks on hill.announcements for select to hill_owner using (true);
create policy owner_forgets on hill.announcements for update to hill_owner
  using (exists (select from hill.closings c where c.account_id = announcements.account_id))
  with check (message is null and message_salt is null);

-- For the download, of the own account alone.
create policy own_download on hill.security_events for select to hill_api_human
  using (account_id = (select engine.actor_account()));
create policy own_download on hill.subscriptions for select to hill_api_human
  using (account_id = (select engine.actor_account()));
create policy own_download on hill.deliveries for select to hill_api_human
  using (account_id = (select engine.actor_account()));
create policy own_download on hill.reports for select to hill_api_human
  using (account_id = (select engine.actor_account()));
create policy own_download on hill.icons for select to hill_api_human
  using (account_id = (select engine.actor_account()));
grant select on hill.icons to hill_api_human;
grant select on hill.security_events, hill.deliveries, hill.reports to hill_api_human;
grant select (
  id, account_id, agent_id, url, events, created_at, delivered_at, failing_since, ended_at, ended_because)
  on hill.subscriptions to hill_api_human;
grant select (transfer_id, at) on hill.payments to hill_api_human;

comment on table hill.closings is
'Accounts that their humans closed, when, and the day at whose bell the credits lapsed. Such an account stays for its '
'moves, points and entries, without a person. Rules 19.3, 19.5.';
comment on column hill.closings.account_id is 'The account that was closed.';
comment on column hill.closings.day is 'The day at whose bell its credits lapse.';
comment on column hill.closings.closed_at is 'When it was closed. Hill''s clock.';
comment on table hill.retired_slugs is
'Hashes of the slugs that closed accounts had: they lead nowhere, and nobody gets them. Rules 19.4.';
comment on column hill.retired_slugs.slug_hash is 'SHA-256 of the slug.';
