--! Previous: sha1:75ea89235cb378ee6ef25df41af7b20e6e1fe132
--! Hash: sha1:f1513b62926d940bd90585aca15628072c8acf6e
--! Message: profiles

-- What an account shows of itself, and the slugs that it has had.

set local role hill_owner;

-- As the WHATWG writes an address: a host in lower case, then a path. So no user name, no blank, nothing that a page would have to escape but quotes.
alter table hill.accounts
  drop constraint accounts_url_check,
  add constraint accounts_url_check check (url ~ '^https?://[a-z0-9._-]*[a-z0-9.](:[0-9]{1,5})?/[!-~]*$' and char_length(url) <= 300);

-- Whoever follows an old link meets whom it was made for, or nobody: a slug that an account has left is never another's.
create table hill.former_slugs (
  slug        text primary key,
  account_id  uuid not null references hill.accounts,
  left_at     timestamptz not null
);
create index on hill.former_slugs (account_id);

reset role;
