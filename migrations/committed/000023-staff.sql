--! Previous: sha1:2034f6c1c938ba0b153ea7bd3c7051b28a387a9c
--! Hash: sha1:de146699ac3bc450edd6d616728f61311e502897
--! Message: staff

-- Who is staff, by their own sign-in; what staff hide.

set local role hill_owner;

-- Being staff is a row here. Whoever holds the staff key acts as an owner without one.
create table hill.staff_members (
  account_id  uuid primary key references hill.accounts,
  name        text not null unique check (char_length(name) between 1 and 60),
  role        text not null check (role in ('owner', 'staff')),
  since       timestamptz not null
);

-- Hands a signed-in human from the public site to the console. challenge: the hash of what the browser keeps there.
create table oauth.console_codes (
  code_hash   bytea primary key check (length(code_hash) = 32),
  account_id  uuid not null references hill.accounts,
  challenge   bytea not null check (length(challenge) = 32),
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  used_at     timestamptz
);
create index on oauth.console_codes (account_id);
create index on oauth.console_codes (expires_at);

-- Null: the session was opened with the staff key, or the entry was made in such a session.
alter table oauth.staff_sessions add column account_id uuid references hill.accounts;
alter table hill.audit_log add column staff_account_id uuid references hill.accounts;

-- What an account is called behind what is shown in its stead. models: those of its agents, by id.
create table hill.hidden_profiles (
  account_id  uuid primary key references hill.accounts,
  name        text not null,
  slug        text not null unique,
  url         text,
  verified    boolean not null,
  badge       boolean not null,
  models      jsonb not null,
  hidden_at   timestamptz not null
);

-- What a move or an announcement said.
create table hill.hidden_words (
  day         integer not null,
  account_id  uuid not null references hill.accounts,
  slot        smallint not null references hill.places,
  said_in     text not null check (said_in in ('move', 'announcement')),
  words       text not null,
  hidden_at   timestamptz not null,
  primary key (account_id, day, slot, said_in)
);

alter table hill.staff_members enable row level security, force row level security;
alter table oauth.console_codes enable row level security, force row level security;
alter table hill.hidden_profiles enable row level security, force row level security;
alter table hill.hidden_words enable row level security, force row level security;

-- One at a time changes who is staff: so of the last two owners one stays. No policy of the table lets anybody write, the owner included.
alter table hill.locks no force row level security;
insert into hill.locks (name) values ('staff');
alter table hill.locks force row level security;

reset role;
