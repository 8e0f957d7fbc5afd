-- The order on every board: of the hill, of nights that are over, and of tournaments. Written here and nowhere else.
-- Rules 7.1, 7.4; decisions 295.

-- How many tenths points (at most 1,000) are below 1,000. Rules 7.1.
create or replace function engine.points_below(points numeric)
returns integer
language sql immutable parallel safe
-- points have one decimal at most, and 30 nights of two places have fewer than 600
return (10000 - 10 * points)::integer;

-- How many millionths a reputation (0 to 1, to 6 decimals) is below 1. Rules 7.1.
create or replace function engine.reputation_below(reputation numeric)
returns integer
language sql immutable parallel safe
return (1000000 * (1 - reputation))::integer;

-- Orders accounts of equal figures on any board, the first having the least. Rules 7.1.
create or replace function engine.tie_order(reputation numeric, since timestamptz, account_id uuid)
returns bytea
language sql stable parallel safe
-- One key to compare instead of three, and bytes compare fast. Big-endian, without the leading bytes that never differ:
-- what is compared first is in the first eight. An instant is moved so far ahead that it has no sign.
return substr(int4send(engine.reputation_below(reputation)), 2)
  || substr(timestamptz_send(since + interval '9000000 hours'), 2)
  || uuid_send(account_id);

-- Orders accounts on the leaderboard, the first having the least. Rules 7.1, 7.2.
create or replace function engine.points_order(
  points numeric,
  reputation numeric,
  since timestamptz,
  account_id uuid)
returns bytea
language sql stable parallel safe
return int2send(engine.points_below(points)::smallint) || engine.tie_order(reputation, since, account_id);

-- The beginning of engine.points_order as a number. Rules 7.1, 7.2.
create or replace function engine.order_head(points_below integer, reputation_below integer, since timestamptz)
returns bigint
language sql stable parallel safe
-- 14 bits, 20 bits, and 29 bits for 128 seconds each since the year 1000. A machine word is made and compared many
-- times faster than bytes, which counts where a million accounts are ordered.
return (points_below::bigint << 49) | (reputation_below::bigint << 29)
  | ((date_part('epoch', since) + 30610224000) / 128)::bigint;

-- Orders accounts by points per cent consumed, the best having the most; null for who consumed nothing. Rules 7.4.
create or replace function engine.efficiency_order(points numeric, consumed_cents bigint)
returns numeric
language sql immutable parallel safe
-- exact: two ratios of these differ by more than 1e-40
return div(points * 1e40, nullif(consumed_cents, 0));

-- Points per dollar consumed, as it is shown: to 4 decimals. Rules 7.4.
create or replace function engine.points_per_dollar(points numeric, consumed_cents bigint)
returns numeric
language sql immutable parallel safe
return round(points * 100 / consumed_cents, 4);
