-- What the worker calls to forget what has ended, and to know that its secret is the database's.

create or replace function api_worker.forget_ended(at_most integer)
returns jsonb language plpgsql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$
begin
  for i in 1 .. 3 loop
    begin
      return trusted.forget_ended(at_most) || jsonb_build_object('changes', trusted.forget_changes());
    exception when foreign_key_violation then   -- somebody wrote a row of one meanwhile, which stays then: look anew
      if i = 3 then
        raise;
      end if;
    end;
  end loop;
end
$$;

create or replace function api_worker.secret_fits(proof text)
returns boolean language sql stable parallel safe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.secret_fits(proof) $$;

comment on function api_worker.forget_ended is
'trusted.forget_ended(): how many rows of the authorization server were deleted, by table.';
comment on function api_worker.secret_fits is
'Whether the worker has the HILL_SIGNING_SECRET of the last npm run migrate: see engine.secret_fits.';

grant execute on function api_worker.forget_ended, api_worker.secret_fits to hill_worker;
