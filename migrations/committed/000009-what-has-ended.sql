--! Previous: sha1:71ae6f105abf778fda5baf120aaf1e1500450d7b
--! Hash: sha1:01ce6364ba710244c0cf866cdcdb2981ef6ac057
--! Message: what has ended

-- What has ended is deleted in batches (engine.forget_ended): how its rows are found, and what may go before what it points to.

set local role hill_owner;

-- A count stays until its window and the one after it are over. The window's length is a setting, so each row says until when.
truncate oauth.rates;
drop index oauth.rates_began_at_idx;
alter table oauth.rates add column ends_at timestamptz not null;
create index on oauth.rates (ends_at);

-- A token's parent ends before it; who its parent was tells nothing then.
alter table oauth.refresh_tokens drop constraint refresh_tokens_parent_hash_fkey,
  add foreign key (parent_hash) references oauth.refresh_tokens on delete set null;

create index on oauth.grants (client_id);
create index on oauth.grants (last_used_at) where account_id is null;
create index on oauth.clients (created_at);
create index on oauth.claim_attempts (expires_at);
create index on oauth.authorization_codes (chain_id) where chain_id is not null;
create index on oauth.human_sessions (expires_at);
create index on oauth.staff_sessions (expires_at);

reset role;
