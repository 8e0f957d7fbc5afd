-- What the log says of a night: how it was sealed, the result that the bell comes to, the engine, the night file. Rules
-- 20.10, 20.44.

-- What the log says of how a night was sealed; null of one that was not promised to be. Rules 20.8, 20.44.
create or replace function trusted.seal_entry(night integer)
returns bytea
language sql stable parallel safe security definer  -- hill_owner: of the past alone, for engine.check_seal
set search_path to pg_catalog, pg_temp
as $$
  select coalesce(
    (select engine.closed_entry(s.day, g.origin, s.size, h.root)
       from hill.sealed_nights s
       join hill.log_generations g on g.generation = s.generation
       join hill.log_heads h on h.generation = s.generation and h.size = s.size
      where s.day = seal_entry.night),
    engine.unsealed_entry(seal_entry.night, trusted.unsealed(seal_entry.night)))
$$;

-- Logs a night in the transaction of its bell: the engine that is loaded, and the result. Rules 20.10.
create or replace function trusted.log_night(night integer, resolution engine.resolution)
returns void
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
declare
  v_engine bytea := engine.keep_engine(night);
  v_result bytea := sha256(convert_to(engine.result_text(engine.stored_night(night), resolution), 'UTF8'));
begin
  if v_engine is null then
    return;
  end if;
  insert into hill.logged_nights (day, engine, result) values (night, v_engine, v_result);
  insert into hill.log_waiting (at, entry) values (engine.now(), engine.night_entry(night, v_engine, v_result));
  -- no bell fails for an origin that leaves it no room
  insert into hill.log_waiting (at, entry)
  select engine.now(), s.entry from trusted.seal_entry(night) s (entry) where octet_length(s.entry) <= 255;
end
$$;

-- Logs the night file of a day when it is first made; later ones, as of a night that was told anew, are not logged.
-- Rules 20.10.
create or replace function trusted.log_file(day integer, sha256 bytea)
returns void
language sql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  with made as (
    insert into hill.logged_nights as n (day, file) values (log_file.day, log_file.sha256)
    on conflict (day) do update set file = excluded.file where n.file is null
    returning 1)
  insert into hill.log_waiting (at, entry)
  select engine.now(), engine.file_entry(log_file.day, log_file.sha256) from made
$$;

grant execute on function trusted.log_night to hill_api_worker;
grant execute on function trusted.seal_entry to hill_dba;
