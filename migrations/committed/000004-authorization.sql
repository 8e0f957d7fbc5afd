--! Previous: sha1:8122e9660638161bf705a6930cd822a589e8df0c
--! Hash: sha1:74361688d542ad802861107aaccc3fbbb24fb6a3
--! Message: authorization

-- The authorization server: who may ask for tokens, and what was issued. Tokens, codes and claim tokens are stored by their SHA-256 alone.

do $$
declare
  v_role text;
begin
  foreach v_role in array array[
    'hill_api_oauth',  -- owns the authorization server's API schema
    'hill_oauth'       -- its caller
  ] loop
    begin
      execute format('create role %I nologin noinherit', v_role);
    exception when duplicate_object or unique_violation then null;
    end;
    if not pg_has_role(current_user, v_role, 'SET') then
      execute format('grant %I to current_user', v_role);
    end if;
  end loop;
  grant hill_api to hill_api_oauth with inherit true, set false;
end
$$;

set local role hill_owner;

-- ---------------------------------------------------------------------------------------------------------------------------------
-- Keys. A key is published from created_at, signs from signs_from until its successor does, and stays published until retires_at.

create table oauth.signing_keys (
  kid             text primary key check (char_length(kid) between 20 and 100),
  public_jwk      jsonb not null check (not public_jwk ? 'd'),
  sealed_private  bytea not null,
  created_at      timestamptz not null,
  signs_from      timestamptz not null check (signs_from >= created_at),
  retires_at      timestamptz
);
-- Several processes that rotate at one instant make one key.
create unique index on oauth.signing_keys ((true)) where retires_at is null;

-- ---------------------------------------------------------------------------------------------------------------------------------
-- Clients, and what each was granted

create table oauth.clients (
  id             text primary key check (char_length(id) between 1 and 500),
  kind           text not null check (kind in ('anonymous', 'registered', 'document')),
  name           text not null check (char_length(name) between 1 and 100),
  redirect_uris  text[] not null default '{}',
  scopes         text[] not null,
  details        jsonb not null default '{}',
  created_at     timestamptz not null,
  fetched_at     timestamptz,
  fresh_until    timestamptz,
  check ((kind = 'document') = (fetched_at is not null and fresh_until is not null))
);

-- One client's hold on one account: what a human approves, sees as an agent on the account page, and cuts. Before a claim it is nobody's.
create table oauth.grants (
  id            uuid primary key default uuidv7(),
  client_id     text not null references oauth.clients,
  account_id    uuid references hill.accounts,
  agent_id      uuid unique references hill.agents,
  scopes        text[] not null,
  created_at    timestamptz not null,
  last_used_at  timestamptz not null,
  revoked_at    timestamptz,
  check ((account_id is null) = (agent_id is null))
);
create unique index on oauth.grants (client_id, account_id) where revoked_at is null and account_id is not null;
create index on oauth.grants (account_id);

-- Every access token belongs to a grant; those of the house and of demonstrations to their agent alone.
alter table oauth.access_tokens
  alter column agent_id drop not null,
  add column grant_id uuid references oauth.grants,
  add column chain_id uuid,
  add column audience text,
  add check (agent_id is not null or grant_id is not null);
create index on oauth.access_tokens (grant_id) where grant_id is not null;
create index on oauth.access_tokens (chain_id) where chain_id is not null;
create index on oauth.access_tokens (expires_at);

-- ---------------------------------------------------------------------------------------------------------------------------------
-- Door A: anonymous registration and its claim

create table oauth.registrations (
  id                uuid primary key default uuidv7(),
  grant_id          uuid not null unique references oauth.grants,
  claim_token_hash  bytea not null unique,
  claim_expires_at  timestamptz not null,
  generation        smallint not null default 1 check (generation in (1, 2)),
  email             text,
  claimed_at        timestamptz,
  issued_at         timestamptz,
  created_at        timestamptz not null,
  check ((claimed_at is null) = (email is null) and (claimed_at is null) = (generation = 1)),
  check (issued_at is null or claimed_at is not null)
);

create table oauth.claim_attempts (
  id               uuid primary key default uuidv7(),
  registration_id  uuid not null references oauth.registrations,
  token_hash       bytea not null unique,
  code_hash        bytea not null,
  email            text not null check (email = lower(email) and char_length(email) <= 320),
  status           text not null default 'initiated' check (status in ('initiated', 'approved', 'refused', 'locked')),
  wrong_tries      smallint not null default 0 check (wrong_tries between 0 and 5),
  poll_interval    interval not null default '5 s',
  polled_at        timestamptz,
  created_at       timestamptz not null,
  expires_at       timestamptz not null,
  decided_at       timestamptz
);
create index on oauth.claim_attempts (registration_id, created_at desc);

create table oauth.assertions (
  token_hash       bytea primary key,
  registration_id  uuid not null references oauth.registrations,
  generation       smallint not null check (generation in (1, 2)),
  created_at       timestamptz not null,
  expires_at       timestamptz not null,
  revoked_at       timestamptz
);
create index on oauth.assertions (registration_id);
create index on oauth.assertions (expires_at);

-- ---------------------------------------------------------------------------------------------------------------------------------
-- Door B: authorization codes and refresh tokens. A chain is what one code began; reuse of any of its tokens ends it.

create table oauth.refresh_chains (
  id          uuid primary key default uuidv7(),
  grant_id    uuid not null references oauth.grants,
  scopes      text[] not null,
  audience    text not null,
  created_at  timestamptz not null,
  revoked_at  timestamptz
);
create index on oauth.refresh_chains (grant_id);
alter table oauth.access_tokens add foreign key (chain_id) references oauth.refresh_chains;

create table oauth.authorization_codes (
  code_hash       bytea primary key,
  grant_id        uuid not null references oauth.grants,
  redirect_uri    text not null,
  code_challenge  text not null check (code_challenge ~ '^[A-Za-z0-9_-]{43}$'),
  scopes          text[] not null,
  audience        text not null,
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  used_at         timestamptz,
  chain_id        uuid references oauth.refresh_chains,
  check ((used_at is null) = (chain_id is null))
);
create index on oauth.authorization_codes (grant_id);
create index on oauth.authorization_codes (expires_at);

create table oauth.refresh_tokens (
  token_hash   bytea primary key,
  chain_id     uuid not null references oauth.refresh_chains,
  parent_hash  bytea references oauth.refresh_tokens,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  used_at      timestamptz
);
create index on oauth.refresh_tokens (chain_id);
create index on oauth.refresh_tokens (parent_hash) where parent_hash is not null;
create index on oauth.refresh_tokens (expires_at);

-- ---------------------------------------------------------------------------------------------------------------------------------
-- Rates, counted over all processes. Unlogged: after a crash everybody begins anew, and counting costs no WAL.

create unlogged table oauth.rates (
  what         text not null,
  who          bytea not null,
  began_at     timestamptz not null,
  count        integer not null check (count >= 0),
  before       integer not null default 0 check (before >= 0),
  primary key (what, who)
) with (fillfactor = 60);
create index on oauth.rates (began_at);

reset role;
