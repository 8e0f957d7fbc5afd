-- The order of a night's queue, of its entries and of a stored night's accounts. Written here and nowhere else. Rules
-- 4.2, 4.3, 4.5; decisions 320.

create type engine.queue_key as (below_one numeric, since timestamptz, at timestamptz, seq bigint);

-- Orders the entries of a night's queue, the first having the least. No two of a night are equal. Rules 4.2, 4.5.
create or replace function engine.queue_order(reputation numeric, since timestamptz, at timestamptz, seq bigint)
returns engine.queue_key
language sql immutable parallel safe
return row(1 - queue_order.reputation, queue_order.since, queue_order.at, queue_order.seq)::engine.queue_key;

-- Orders the accounts of a stored night's queue before seniority does, the first having the least. Rules 4.3.
create or replace function engine.reputation_order(peace integer, war integer)
returns double precision
language sql immutable parallel safe
return - case when peace + war = 0 then 0 else peace::double precision / (peace + war) end;

comment on type engine.queue_key is
'What orders the entries of a night''s queue, compared from left to right: by how much the reputation is below 1, '
'seniority, deposit time, sequence number.';
