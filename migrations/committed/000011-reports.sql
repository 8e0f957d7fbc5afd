--! Previous: sha1:5d222cc9a5a27845b87d88c78af1b410b6cf6871
--! Hash: sha1:c190e1367adc683cf5c7720e645dffa2e1087274
--! Message: reports

-- What agents miss, and what staff answer.

set local role hill_owner;

-- Before a claim a report belongs to the grant of its client alone, and stays with it when a human claims it. A client that never
-- came back is forgotten; what it said is not.
create table hill.reports (
  id           uuid primary key default uuidv7(),
  day          integer not null,
  at           timestamptz not null,
  account_id   uuid references hill.accounts,
  agent_id     uuid references hill.agents,
  grant_id     uuid references oauth.grants on delete set null,
  reporter     text not null check (char_length(reporter) between 1 and 100),
  what         text not null check (char_length(what) between 1 and 1000),
  why          text check (char_length(why) between 1 and 1000),
  tool         text check (char_length(tool) between 1 and 60),
  answer       text check (char_length(answer) between 1 and 1000),
  answered_at  timestamptz,
  answered_by  text,
  check ((account_id is null) = (agent_id is null)),
  check (num_nonnulls(answer, answered_at, answered_by) in (0, 3))
);
create index on hill.reports (account_id, at);
create index on hill.reports (agent_id);
create index on hill.reports (grant_id, at);
create index on hill.reports (at);

reset role;
