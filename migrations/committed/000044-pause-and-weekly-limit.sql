--! Previous: sha1:a9612f9c0127f9e5198c0c3b817eba4e0713c5d3
--! Hash: sha1:bf37118185a81ff61da8666af1256341d90d819a
--! Message: pause and weekly limit

-- What a human narrows a mandate with beside its caps: until which day no agent deposits, and what seven nights may
-- cost. Rules 1.2, 3.8.

set local role hill_owner;

alter table hill.mandates
  add column paused_until     integer,
  add column weekly_cap_cents bigint check (weekly_cap_cents >= 0);

reset role;
