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
'the hill''s clock), and what the last one found, of its icon, too. Accounts that never wanted one have no row. '
'Rules 11.2, 11.3.';
comment on column hill.site_checks.account_id is 'Whose site it is.';
comment on column hill.site_checks.token is 'What the tag on the site has to hold, in hexadecimal.';
comment on column hill.site_checks.asked_at is
'When the account last asked for a check; null if it never did. Hill''s clock.';
comment on column hill.site_checks.due_at is 'When the next check is due; null if none is. Hill''s clock.';
comment on column hill.site_checks.busy_until is 'Until when a worker is checking it; null if none is. Real clock.';
comment on column hill.site_checks.url is 'The address that was checked last; null before the first check.';
comment on column hill.site_checks.checked_at is 'When it was checked last; null before. Hill''s clock.';
comment on column hill.site_checks.result is 'What that check found, as a word; null before.';
comment on column hill.site_checks.status is 'The HTTP status of that check; null if none came.';
comment on column hill.site_checks.failures is
'How many checks in a row could not read the site: after 3 it is not verified. Rules 11.2.';
comment on column hill.site_checks.icon_result is
'drawn, no_icon, or why its icon could not be fetched; null if it was not looked for.';
comment on column hill.site_checks.icon_failures is
'How many looks for the icon in a row failed: after 3 it goes. Rules 11.3.';
comment on column hill.site_checks.icon_hidden is 'Whether staff hide the icon. Rules 18.1.';

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
comment on column hill.icons.account_id is 'Whose icon it is.';
comment on column hill.icons.image is 'PNG of 64 by 64 pixels, drawn anew from what the site has.';
comment on column hill.icons.hash is 'SHA-256 of image in hexadecimal, by which it is served.';
comment on column hill.icons.drawn_at is 'When it was drawn. Hill''s clock.';
