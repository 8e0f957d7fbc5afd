-- boards/order.sql · The order on every board: of the hill, of nights that are over, and of tournaments. Written here
-- and nowhere else. Rules 7.1, 7.4; decisions 295.

create or replace function engine.points_below(points numeric)
returns integer
language sql immutable parallel safe
-- points have one decimal at most, and 30 nights of two places have fewer than 600
return (10000 - 10 * points)::integer;

create or replace function engine.reputation_below(reputation numeric)
returns integer
language sql immutable parallel safe
return (1000000 * (1 - reputation))::integer;

comment on function engine.points_below is 'How many tenths points (at most 1,000) are below 1,000. Rules 7.1.';
comment on function engine.reputation_below is
'How many millionths a reputation (0 to 1, to 6 decimals) is below 1. Rules 7.1.';

create or replace function engine.tie_order(reputation numeric, since timestamptz, account_id uuid)
returns bytea
language sql stable parallel safe
-- One key to compare instead of three, and bytes compare fast. Big-endian, without the leading bytes that never differ:
-- what is compared first is in the first eight. An instant is moved so far ahead that it has no sign.
return substr(int4send(engine.reputation_below(reputation)), 2)
  || substr(timestamptz_send(since + interval '9000000 hours'), 2)
  || uuid_send(account_id);

create or replace function engine.points_order(
  points numeric,
  reputation numeric,
  since timestamptz,
  account_id uuid)
returns bytea
language sql stable parallel safe
return int2send(engine.points_below(points)::smallint) || engine.tie_order(reputation, since, account_id);

create or replace function engine.order_head(points_below integer, reputation_below integer, since timestamptz)
returns bigint
language sql stable parallel safe
-- 14 bits, 20 bits, and 29 bits for 128 seconds each since the year 1000. A machine word is made and compared many
-- times faster than bytes, which counts where a million accounts are ordered.
return (points_below::bigint << 49) | (reputation_below::bigint << 29)
  | ((date_part('epoch', since) + 30610224000) / 128)::bigint;

comment on function engine.tie_order is
'Orders accounts of equal figures on any board, the first having the least: by reputation (0 to 1, to 6 decimals), '
'most first, then seniority (the years 1000 to 3000), then account. No two are equal. Rules 7.1.';
comment on function engine.points_order is
'Orders accounts on the leaderboard, the first having the least: by points (at most 1,000), most first, then as '
'engine.tie_order. Rules 7.1, 7.2.';

comment on function engine.order_head is
'The beginning of engine.points_order as a number: orders accounts as it does, by engine.points_below, '
'engine.reputation_below and the two minutes of their seniority (the years 1000 to 3000). Of equal ones the seniority '
'and then the account decide. Rules 7.1, 7.2; decisions 350.';

create or replace function engine.efficiency_order(points numeric, consumed_cents bigint)
returns numeric
language sql immutable parallel safe
-- exact: two ratios of these differ by more than 1e-40
return div(points * 1e40, nullif(consumed_cents, 0));

create or replace function engine.points_per_dollar(points numeric, consumed_cents bigint)
returns numeric
language sql immutable parallel safe
return round(points * 100 / consumed_cents, 4);

comment on function engine.efficiency_order is
'Orders accounts by points per cent consumed, the best having the most; null for who consumed nothing. Rules 7.4.';
comment on function engine.points_per_dollar is 'Points per dollar consumed, as it is shown: to 4 decimals. Rules 7.4.';
