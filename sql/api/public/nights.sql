-- The nights that are over, a month at a time, for /nights. Rules 10.19.

create or replace function api_public.nights(month text default null)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_one    date := (select s.day_one from hill.settings s);
  v_last   integer := engine.last_night();
  -- a day is one date, so a month is the days from one number to another
  v_months date[] := array(
    select m::date
      from generate_series(
             date_trunc('month', v_one::timestamp),
             engine.day_start(v_last, v_one) at time zone 'UTC',
             interval '1 month') m
     where v_last > 0
     order by m desc);
  v_month  date := (
    select m from unnest(v_months) m
     where nights.month is null or to_char(m, 'YYYY-MM') = nights.month order by m desc limit 1);
begin
  if v_month is null and nights.month is not null then
    perform engine.refuse('NOT_FOUND', 'No night was in that month.', '{"argument": "month"}');
  end if;
  return jsonb_build_object(
    'months', (select coalesce(jsonb_agg(to_char(m, 'YYYY-MM') order by m desc), '[]') from unnest(v_months) m),
    'month', to_char(v_month, 'YYYY-MM'),
    'nights', (
      select coalesce(jsonb_agg(jsonb_build_object(
                 'day', n.day,
                 'headline', engine.headline(n.day),
                 'accounts', n.accounts,
                 'moves', n.moves,
                 'burnedCents', n.burned_cents) order by n.day desc), '[]')
        from hill.nights n
       where n.day between engine.day_of(v_month::timestamp at time zone 'UTC', v_one)
                       and engine.day_of((v_month + interval '1 month - 1 day') at time zone 'UTC', v_one)));
end
$$;

comment on function api_public.nights is
'The nights of a month (such as 2026-11; null: the last one that has any), the latest first: day, headline, accounts, '
'moves, burnedCents (cents); which month it is (null before any night); and the months that have nights, the latest '
'first. Errors: NOT_FOUND. Rules 10.19.';

grant execute on function api_public.nights to hill_public;
