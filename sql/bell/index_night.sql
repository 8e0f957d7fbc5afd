-- Indexes of a resolved night for readers of its long lists. Rules 10.

-- The name of the index that a night's queue is read by.
create or replace function engine.queue_index(day integer)
returns text language sql immutable parallel safe
return engine.partition_name('settlements', day) || '_queue';

-- Makes the indexes of a resolved night that engine.queue_page and engine.moves_page need, and analyzes its
-- settlements. Rules 10.
create or replace function trusted.index_night(day integer)
returns void
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
declare
  v_name text := engine.partition_name('settlements', day);
begin
  -- The expression that engine.reputation_order is inlined to: an index on the function itself would have to be dropped
  -- whenever these files are reloaded.
  execute format($sql$
    create index if not exists %I on hill.%I
      ((- case when peace_count::integer + war_count::integer = 0 then 0
               else peace_count::integer::double precision / (peace_count::integer + war_count::integer) end), since)
     where peace_tonight > 0 $sql$, engine.queue_index(day), v_name);
  execute format('analyze hill.%I', v_name);  -- or the planner would not know how small a part of it a page is

  v_name := engine.partition_name('moves', day);
  execute format($sql$create index if not exists %I on hill.%I (slot, at, seq)
                       where ended is null and move = 'WAR'$sql$, v_name || '_war', v_name);
end
$$;

grant execute on function trusted.index_night to hill_api_worker;
