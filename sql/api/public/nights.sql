-- The nights that are over, a month at a time, and what is found by a name, a number or a date. Rules 10.19.

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

create or replace function api_public.search(q text)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_text  text := lower(trim(search.q));
  v_day   integer := substring(v_text from '^(?:(?:night|day) *|#)?(\d{1,9})$');
  v_found jsonb := '{"identities": [], "more": false}';
begin
  -- forms that mean one date to everybody: 03/11/2026 is none
  if v_text ~ '^\d{4}-\d{1,2}-\d{1,2}$|^\d{1,2} [a-z]{3,9} \d{4}$|^[a-z]{3,9} \d{1,2},? \d{4}$'
     and pg_input_is_valid(v_text, 'date') then
    v_day := (select engine.day_of(v_text::date::timestamp at time zone 'UTC', s.day_one) from hill.settings s);
  end if;
  if char_length(v_text) between 2 and engine.name_length() then
    v_found := api_public.identities(v_text);
  end if;
  return v_found || jsonb_build_object(
    'night', case when v_day is not null then
      jsonb_build_object('day', v_day, 'headline', engine.headline(v_day)) end);
end
$$;

comment on function api_public.search is
'What a reader may mean by a text: identities and more (see api_public.identities; none of a text that is shorter than '
'2 characters or longer than 60), and night, where it is a number (12, night 12) or a date (2026-11-03, 3 November '
'2026): day (0 before the first) and headline, null where that night is not over. Rules 10.19, 11.5.';

grant execute on function api_public.nights, api_public.search to hill_public;
