--! Previous: sha1:99a946008231839dd616582ab2fc3a8c6d0fbe37
--! Hash: sha1:e3f7654dec8b0428a1c2c05d36aeba276e5f4521
--! Message: terms

-- With whom people deal: what the operator has published (its name, terms, privacy notice), which of it an account has
-- accepted, and what a human is told of a suspension. Rules 3.11, 5.10.

set local role hill_owner;

create table hill.terms (
  id             integer generated always as identity primary key,
  operator       text not null,
  version        text not null,
  terms_text     text,
  terms_url      text,
  terms_sha256   text not null check (terms_sha256 ~ '^[0-9a-f]{64}$'),
  privacy_text   text,
  privacy_url    text,
  privacy_sha256 text not null check (privacy_sha256 ~ '^[0-9a-f]{64}$'),
  at             timestamptz not null,
  check (num_nonnulls(terms_text, terms_url) = 1),
  check (num_nonnulls(privacy_text, privacy_url) = 1)
);

create table hill.terms_accepted (
  account_id  uuid not null references hill.accounts,
  terms_id    integer not null references hill.terms,
  at          timestamptz not null,
  page        text not null check (page in ('claim', 'consent', 'device', 'top-up')),
  primary key (account_id, terms_id)
);

alter table hill.accounts add column suspended_because text;
-- whose functions read whole rows
grant select (suspended_because) on hill.accounts to hill_api_agent, hill_api_human, hill_api_staff, hill_api_worker;

reset role;
