-- How a night was sealed before its bell. Rules 20.43, 20.44.

create or replace function trusted.unsealed(day integer)
returns text
language plpgsql stable parallel safe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
declare
  v_reason text := (select u.reason
                      from hill.unsealed_days u
                     where u.day = unsealed.day
                       and not exists (select from hill.sealed_nights s where s.day = u.day));
begin
  if v_reason is null then
    return null;  -- as of nearly all nights: nothing is planned for their moves
  end if;
  -- staff may have let a bell ring for which nothing was promised
  return case when exists (select from hill.moves m where m.day = unsealed.day) then v_reason end;
end
$$;

comment on function trusted.unsealed is
'Why the bell of a day rang although its closing was not signed, in a sentence of staff or of trusted.give_up_sealing; '
'null of all other nights, and where nobody had deposited. Rules 20.43, 20.44.';

-- How a night was sealed before its bell. Rules 20.43, 20.44.
create or replace function trusted.night_seal(day integer)
returns jsonb
language sql stable parallel safe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'closed', (
      select jsonb_build_object(
               'at', engine.iso(d.closed_at),
               'origin', g.origin,
               'size', s.size,
               'witnesses', (
                 select coalesce(jsonb_agg(jsonb_build_object(
                          'name', split_part(c.witness, '+', 1),
                          'key', c.witness,
                          'seenAt', engine.iso(c.seen_at)) order by c.seen_at, c.witness), '[]')
                   from hill.log_cosignatures c
                  where c.generation = s.generation and c.size = s.size and c.witness = any (s.witnesses)))
        from hill.sealed_nights s
        join hill.closed_days d using (day)
        join hill.log_generations g on g.generation = s.generation
       where s.day = night_seal.day),
    'unsealed', trusted.unsealed(night_seal.day))
$$;

grant execute on function trusted.unsealed to hill_api, hill_dba;
grant execute on function trusted.night_seal to hill_api_public;
