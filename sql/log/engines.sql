-- The sources of the engine: what is loaded now, and what resolved a night. Rules 20.9.

-- Says what is loaded: a tar file of sql/ and of the migrations. Rules 20.9.
create or replace function engine.load_engine(source bytea)
returns void
language sql volatile parallel unsafe security invoker
begin atomic
  insert into hill.loaded_engine (sha256, source, loaded_at)
  values (sha256(load_engine.source), load_engine.source, clock_timestamp())
  on conflict (one) do update
    set (sha256, source, loaded_at) = (excluded.sha256, excluded.source, excluded.loaded_at)
    where loaded_engine.sha256 <> excluded.sha256;
end;

-- Keeps the sources of what is loaded, since it resolves this night, and logs them the first time. Rules 20.9.
create or replace function engine.keep_engine(night integer)
returns bytea
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_engine bytea := (select l.sha256 from hill.loaded_engine l);
begin
  insert into hill.engines (sha256, source, day)
  select l.sha256, l.source, night
    from hill.loaded_engine l
   where not exists (select from hill.engines e where e.sha256 = v_engine);
  if found then
    insert into hill.log_waiting (at, entry) values (engine.now(), engine.engine_entry(v_engine));
  end if;
  return v_engine;
end
$$;

-- The sources of an engine by their SHA-256, a tar file: of one that resolved a night, or of the one that is loaded.
-- Null for any other. Rules 20.9.
create or replace function trusted.show_source(sha256 bytea)
returns bytea
language sql stable parallel safe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  select coalesce((select e.source from hill.engines e where e.sha256 = show_source.sha256),
                  (select l.source from hill.loaded_engine l where l.sha256 = show_source.sha256))
$$;

-- Each engine that resolved a night, the latest first, with which nights, and the SHA-256 of the one that is loaded.
-- Rules 20.9.
create or replace function trusted.show_engines()
returns jsonb
language sql stable parallel safe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'running', (select encode(l.sha256, 'hex') from hill.loaded_engine l),
    'engines', (
      select coalesce(jsonb_agg(jsonb_build_object(
                 'sha256', encode(e.sha256, 'hex'),
                 'firstNight', e.day,
                 'lastNight', n.last,
                 'nights', n.nights) order by e.day desc), '[]')
        from hill.engines e
        join (select o.engine, max(o.day) as last, count(*) as nights
                from hill.logged_nights o group by o.engine) n on n.engine = e.sha256))
$$;

grant execute on function trusted.show_source, trusted.show_engines to hill_api_public;
