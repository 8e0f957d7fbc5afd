-- An account may have several sign-ins: its human adds one soon after signing in with another, and removes those no
-- longer wanted. Protocol 5.1, 5.2; decisions 485, 486.

-- From when on a sign-in may be removed.
create or replace function engine.removable_from(sign_in oauth.sign_ins)
returns timestamptz
language sql stable parallel safe security invoker
begin atomic
  -- whoever takes a browser for some minutes and adds a sign-in must not lock the human out with it
  select min(case
               when o.created_at <= (removable_from.sign_in).created_at then (removable_from.sign_in).created_at
               else o.created_at + make_interval(days => engine.new_sign_in_days())
             end)
    from oauth.sign_ins o
   where o.account_id = (removable_from.sign_in).account_id
     and (o.provider, o.subject) <> ((removable_from.sign_in).provider, (removable_from.sign_in).subject);
end;

-- Deletes a sign-in of an account and returns whether there was one: see api_human.remove_sign_in.
create or replace function trusted.delete_sign_in(account_id uuid, provider text, subject text)
returns boolean
language plpgsql volatile parallel unsafe security definer  -- hill_owner: nobody else may delete anything
set search_path to pg_catalog, pg_temp
as $$
begin
  delete from oauth.sign_ins i
   where i.account_id = delete_sign_in.account_id and i.provider = delete_sign_in.provider
     and i.subject = delete_sign_in.subject;
  return found;
end
$$;

grant execute on function trusted.delete_sign_in to hill_api_human;

create policy owner_looks on oauth.sign_ins for select to hill_owner using (true);
create policy owner_deletes on oauth.sign_ins for delete to hill_owner using (true);
