--! Previous: sha1:01ce6364ba710244c0cf866cdcdb2981ef6ac057
--! Hash: sha1:5d222cc9a5a27845b87d88c78af1b410b6cf6871
--! Message: shown counters

-- What is shown of the counters changes once a minute at most: reading counts, and a count that showed at once would make every answer new.

set local role hill_owner;

alter table hill.identity_counters
  add column shown_until   timestamptz not null default '-infinity',
  add column shown_views   bigint not null default 0,
  add column shown_clicks  bigint not null default 0,
  add column shown_agents  bigint not null default 0;

reset role;
