-- Points of a few accounts, night by night: a picture beside their rank. Rules 4.8, 7.1.

-- For each of the accounts that had points in the 30 nights up to one. Rules 4.8, 7.1.
create or replace function engine.points_by_night(accounts uuid[], night integer)
returns jsonb
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  select coalesce(jsonb_object_agg(s.account_id, s.nights), '{}')
    from (select n.account_id, jsonb_agg(jsonb_build_array(n.day, n.points) order by n.day) as nights
            from (select a.id as account_id, t.day, sum(t.points) as points
                    from unnest(points_by_night.accounts) a (id)
                    join hill.seats t
                      on t.account_id = a.id
                     and t.day > points_by_night.night - engine.window_nights()
                     and t.day <= points_by_night.night
                   group by a.id, t.day) n
           group by n.account_id) s
$$;
