-- night/add_reasons.sql · The results of a published night with their reasons: who sits where and how, and the decision
-- that seated each. The data and the page of a night both tell these. Rules 4.4, 4.5, 10.6.

create or replace function engine.add_reasons(day integer, resolution engine.resolution, results jsonb)
returns jsonb
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_night      engine.night := engine.stored_night(add_reasons.day);
  v_accounts   uuid[] := array(
    select s.account from unnest(resolution.seats) s
    union
    select h.account from engine.night_holders(v_night) h);
  v_decisions  engine.decision[] := array(
    select d
      from engine.explain_places(v_night, resolution) d
     where d.account = any (v_accounts) and d.fate in ('kept', 'seated', 'left'));
begin
  if exists (select from unnest(resolution.seats) s where s.via = 'queue') then
    v_decisions := v_decisions || array(
      select d
        from engine.explain_queue(v_night, resolution) d
       where d.account = any (v_accounts) and d.fate = 'served');
  end if;
  return (
    select coalesce(
             jsonb_agg(
               p.result || jsonb_build_object(
                 'occupants', (
                   select coalesce(
                            jsonb_agg(
                              o.occupant || jsonb_build_object(
                                'via', s.via,
                                'daysHeld', s.days_held,
                                'points', trim_scale(s.points),
                                'decision', engine.public_decision(d::engine.decision, r.name)::jsonb)
                              order by o.n),
                            '[]')
                     from jsonb_array_elements(p.result -> 'occupants') with ordinality o (occupant, n)
                     join unnest(resolution.seats) s
                       on s.slot = (p.result ->> 'slot')::smallint
                      and s.account = (o.occupant ->> 'accountId')::uuid
                     join unnest(v_decisions) d on d.seq = s.seq
                     left join lateral engine.profile_on(d.rival, add_reasons.day) r on true),
                 'left', (
                   select coalesce(jsonb_agg(i.identity::jsonb order by d.account), '[]')
                     from unnest(v_decisions) d
                    cross join lateral engine.identity_on(d.account, add_reasons.day) i
                    where d.fate = 'left' and d.slot = (p.result ->> 'slot')::smallint))
               order by p.n),
             '[]')
      from jsonb_array_elements(results) with ordinality p (result, n));
end
$$;

comment on function engine.add_reasons is
'Adds reasons to the results of a published day, as engine.show_results gives them. Each occupant gets via, daysHeld, '
'points and the decision that seated it, and left has the holders that played nothing there. Rules 4.4, 4.5, 10.6.';

grant execute on function engine.add_reasons to hill_api;
