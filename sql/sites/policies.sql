-- Who reaches the checks of sites: their own account, and the worker that makes them.

alter table hill.site_checks enable row level security, force row level security;
create policy own_use on hill.site_checks to hill_api_agent, hill_api_human
  using (account_id = engine.actor_account()) with check (account_id = engine.actor_account());
create policy worker_looks on hill.site_checks to hill_api_worker using (true) with check (true);
grant select, insert, update (asked_at, due_at) on hill.site_checks to hill_api_agent, hill_api_human;
grant select, update on hill.site_checks to hill_api_worker;

create policy worker_verifies on hill.accounts for update to hill_api_worker using (true) with check (true);
grant update (verified, badge, icon) on hill.accounts to hill_api_worker;

comment on table hill.site_checks is
'Whether the site of an account says that it is the account''s: the token of its tag, when the next check is due (by '
'the hill''s clock), and what the last one found, of its icon, too. Accounts that never asked have no row. '
'Rules 11.2, 11.3.';

alter table hill.icons enable row level security, force row level security;
create policy worker_draws on hill.icons to hill_api_worker using (true) with check (true);
create policy public_sees on hill.icons for select to hill_api_public using (true);
create policy owner_finds on hill.icons for select to hill_owner using (true);
create policy owner_drops on hill.icons for delete to hill_owner using (true);
grant select, insert, update (image, drawn_at) on hill.icons to hill_api_worker;
grant select (account_id, image, hash) on hill.icons to hill_api_public;

comment on table hill.icons is
'The icon of each account that has one (hill.accounts.icon), as it is served: image, the SHA-256 of its bytes (hash), '
'and when it was drawn. Rules 11.3.';
