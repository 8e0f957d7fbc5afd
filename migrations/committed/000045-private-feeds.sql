--! Previous: sha1:bf37118185a81ff61da8666af1256341d90d819a
--! Hash: sha1:846c20df22d6e902852f0961b3efe8531f14d324
--! Message: private feeds

-- The private feed of an account: whoever has its token reads what each night was for the account, and what its human
-- should see to. Protocol 5.4.

set local role hill_owner;

create table oauth.private_feeds (
  account_id  uuid primary key references hill.accounts,
  token_hash  bytea unique check (octet_length(token_hash) = 32),
  created_at  timestamptz not null
);

reset role;
