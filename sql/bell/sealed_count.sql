-- bell/sealed_count.sql · sealedTonight, refreshed on the quarter hour. Rules 9.3, 10.4.

create or replace function engine.refresh_sealed_count()
returns boolean
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_quarter timestamptz := date_bin('15 minutes', engine.now(), 'epoch');
begin
  if not engine.try_day() then
    return false;                                        -- the bell resets the count itself
  end if;
  update hill.sealed_counts c
     set day = engine.last_night() + 1, counted_at = v_quarter,
         moves = (select count(*) from hill.sealed_moves m   -- as of that instant, however late this runs
                  where m.move <> 'PASS' and m.at < v_quarter and (m.ended_at is null or m.ended_at >= v_quarter))
   where c.counted_at is null or c.counted_at < v_quarter;
  return found;
end
$$;

comment on function engine.refresh_sealed_count is
'Counts the moves that were live at the last quarter hour, once a quarter. Returns whether it did. Rules 9.3.';
grant execute on function engine.refresh_sealed_count to hill_api_worker;
