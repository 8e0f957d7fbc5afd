--! Previous: sha1:71ae6f105abf778fda5baf120aaf1e1500450d7b
--! Hash: sha1:8f01629bcd5507eb2963ca8d09814077c294e2be
--! Message: shown counters

-- What is shown of the counters changes once a minute at most: reading counts, and a count that showed at once would make every answer new.

set local role hill_owner;

alter table hill.identity_counters
  add column shown_until   timestamptz not null default '-infinity',
  add column shown_views   bigint not null default 0,
  add column shown_clicks  bigint not null default 0,
  add column shown_agents  bigint not null default 0;

reset role;
