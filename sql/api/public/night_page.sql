-- What a page of one night shows. Rules 4.4, 4.5.

create or replace function api_public.night_page(n integer)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return jsonb_build_object(
    'night', api_public.day(n),
    'money', (
      select jsonb_build_object('rent_cents', x.rent_cents, 'stakes_cents', x.stakes_cents, 'accounts', x.accounts)
        from hill.nights x where x.day = n),
    'last_night', engine.last_night());
end
$$;

comment on function api_public.night_page is
'A night for people: night (see api_public.day), money (rent and stakes paid, in cents, and how many accounts moved), '
'and last_night. Errors: DAY_NOT_RESOLVED. Rules 4.4, 4.5, 4.8.';

grant execute on function api_public.night_page to hill_public;
