-- What is left of a lot, as a field of the lot in the console. Rules 5.3.

create or replace function api_staff.lots_remaining_cents(lot hill.lots)
returns bigint
language sql stable parallel restricted security invoker  -- reads what its caller may read
set search_path to pg_catalog, pg_temp
as $$
  select l.remaining_cents from engine.account_lots(lot.account_id) l where l.lot_id = lot.id
$$;

comment on function api_staff.lots_remaining_cents is
'What settled nights and expiry have left of the lot (cents): see engine.account_lots.';

grant execute on function api_staff.lots_remaining_cents to hill_staff;
