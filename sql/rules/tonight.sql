-- What every deposit asks of tonight beside the clock, in the one row of settings: the last night, the last day that
-- was closed, and the day from which each place is open. Decisions 310, 430.

-- Writes last_night, closed_day and opens_days of hill.settings anew, from the nights, the closed days and the places.
create or replace function engine.renew_tonight()
returns void
language plpgsql volatile parallel unsafe security invoker  -- as hill_owner: nobody else may write these columns
set search_path to pg_catalog, pg_temp
as $$
begin
  -- Held first, by a statement of its own: of two that change places, the second sees what the first one changed.
  perform from hill.settings s for no key update;
  update hill.settings s
     set last_night = n.last_night,
         closed_day = greatest(n.last_night, (select max(d.day) from hill.closed_days d)),
         opens_days = array(select p.opens_day from hill.places p order by p.slot)
    from (select coalesce(max(n.day), 0) as last_night from hill.nights n) n;
end
$$;

-- Statement trigger of the tables that engine.renew_tonight reads, and of the first row of settings.
create or replace function trusted.follow_tonight()
returns trigger
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.renew_tonight();
  return null;
end
$$;
