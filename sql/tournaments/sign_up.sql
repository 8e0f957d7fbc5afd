-- An account enters a tournament. Rules 8.1, 8.3.

-- The tournament of a slug, which the caller passed as the argument of that name. Errors: NOT_FOUND, with the slugs
-- that exist, the latest to end first.
create or replace function engine.find_tournament(slug text, argument text default 'slug')
returns hill.tournaments
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_tournament hill.tournaments;
begin
  select t.* into v_tournament from hill.tournaments t where t.slug = find_tournament.slug;
  if not found then
    perform engine.refuse('NOT_FOUND', 'There is no such tournament.', jsonb_build_object(
      'argument', find_tournament.argument,
      'tournaments', (select coalesce(jsonb_agg(t.slug order by t.ends_day desc, t.slug), '[]')
                        from (select t.slug, t.ends_day
                                from hill.tournaments t
                               order by t.ends_day desc, t.slug
                               limit engine.page_length()) t)));
  end if;
  return v_tournament;
end
$$;

-- The tournament that an account may enter today and has not, as status tells it, as JSON: of several the one whose
-- sign-ups close first. Null for none. Rules 8.3.
create or replace function engine.open_tournament(account_id uuid, today integer, last_night integer)
returns text
language sql stable parallel safe security invoker
return (
  select format('{"slug": "%s", "sign_ups_close_day": %s}', t.slug, t.sign_ups_close_day)
    from hill.tournaments t
   where engine.tournament_phase(t, today, last_night) = 'open'
     and not exists (select from hill.tournament_entries e
                      where e.tournament_id = t.id and e.account_id = open_tournament.account_id)
   order by t.sign_ups_close_day, t.id
   limit 1);

-- Trigger: adds new entries to the count of their tournament, so that readers need not count them.
create or replace function trusted.count_entries()
returns trigger
language plpgsql volatile parallel unsafe security definer  -- hill_owner: nobody else may count
set search_path to pg_catalog, pg_temp
as $$
begin
  update hill.tournaments t set entries = t.entries + a.entries
    from (select n.tournament_id, count(*) as entries from added n group by 1) a where a.tournament_id = t.id;
  return null;
end
$$;

create or replace trigger count_entries after insert on hill.tournament_entries
  referencing new table as added
  for each statement execute function trusted.count_entries();
