-- boards/order.sql · The order on every board: of the hill, of nights that are over, and of tournaments. Written here
-- and nowhere else. Rules 7.1, 7.4; decisions 295.

create or replace function engine.tie_order(reputation numeric, since timestamptz, account_id uuid)
returns bytea
language sql stable parallel safe
-- One key to compare instead of three, and bytes compare fast. An instant is sent as a number with a sign: far enough
-- ahead, every one is positive.
return int4send((1000000 * (1 - reputation))::integer)
  || timestamptz_send(since + interval '60000000 hours')
  || uuid_send(account_id);

comment on function engine.tie_order is
'Orders accounts of equal figures on any board, the first having the least: by reputation (0 to 1, to 6 decimals), '
'most first, then seniority, then account. No two are equal. Rules 7.1.';

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

grant execute on function engine.tie_order, engine.efficiency_order, engine.points_per_dollar to hill_api, hill_dba;
