--! Previous: sha1:8b65ba2358909d82e03c7c6cc847ca537f61953d
--! Hash: sha1:6790e7eece6f94b6dd69fc58b2b82e27cc0741a0
--! Message: code attempts

-- What accounts typed as codes, for whoever helps them; and orders of as many different codes as uses. Rules 8.5, 18.6.

set local role hill_owner;

create table hill.code_attempts (
  id          bigint generated always as identity primary key,
  account_id  uuid not null references hill.accounts,
  agent_id    uuid references hill.agents,
  at          timestamptz not null,
  code        text not null check (char_length(code) between 1 and 100),
  outcome     text not null
);
create index on hill.code_attempts (account_id, id);
create index on hill.code_attempts (agent_id);
create index on hill.code_attempts (code text_pattern_ops);
create index on hill.code_attempts (at);
alter table hill.code_attempts enable row level security, force row level security;

-- No reference: an order of one code refers to the code, and two tables that refer to each other cannot be restored.
alter table hill.tournament_codes add column order_id bigint;

alter table hill.credit_orders
  add column prefix text,
  add column note text,
  add constraint codes_of_a_tournament check (prefix is null or tournament_id is not null) not valid,
  drop constraint credit_orders_check1,
  -- not valid, so that no row is looked at: those that are there were held to a stricter constraint
  add constraint made_is_there check (num_nonnulls(lot_id, code)
                                      = case when state = 'made' and prefix is null then 1 else 0 end) not valid;

reset role;
