-- The result that a night comes to, as text. Rules 20.10.

-- The result of a night as the text whose SHA-256 the log has. Rules 20.10.
create or replace function engine.result_text(night engine.night, resolution engine.resolution)
returns text
language sql stable parallel safe security invoker
begin atomic
  select format(e'day %s\n', (result_text.night).day) || string_agg(l.line || e'\n', '' order by l.slot, l.seat)
    from (select p.slot, 0 as seat,
                 format('place %s %s %s %s %s', p.slot, p.outcome, p.peace_count, p.war_count, p.burned_cents) as line
            from unnest((result_text.resolution).places) p
          union all
          select s.slot, s.seat,
                 format('seat %s %s %s %s %s', s.slot, coalesce(n.name, s.account::text), s.days_held, s.via,
                        round(s.points, 1))
            from unnest((result_text.resolution).seats) s
            left join engine.night_names(result_text.night) n using (account)) l;
end;

-- Resolves a night file, and returns the result as the text whose SHA-256 the log has: see engine.result_text. Errors:
-- INVALID_NIGHT with the reason. Rules 12.1, 20.10.
create or replace function engine.result_of(night jsonb)
returns text
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_night engine.night := engine.parse_night(night);
begin
  return engine.result_text(v_night, engine.resolve_places(v_night));
end
$$;
