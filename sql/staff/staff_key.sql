-- The key that opens the console. Rules 18.1, 18.2.
--
-- The console's login acts as hill_staff, and so does every GraphQL request that it serves. So that no request can open
-- a session by itself, opening one asks for the key itself. Neither the login nor the database has it: the owner leaves
-- its hash here when the hill starts.

-- Called by the owner at each start with the SHA-256 of the staff key.
create or replace function trusted.set_staff_key(key_hash bytea)
returns boolean
language plpgsql volatile parallel unsafe security definer  -- hill_owner: nobody else may change the key
set search_path to pg_catalog, pg_temp
as $$
begin
  insert into oauth.staff_keys as k (key_hash, set_at) values (set_staff_key.key_hash, clock_timestamp())
  on conflict (singleton) do update
     set key_hash = excluded.key_hash, set_at = excluded.set_at
   where k.key_hash <> excluded.key_hash;
  if not found then
    return false;
  end if;
  -- sessions opened with the old key end
  update oauth.staff_sessions s set revoked_at = clock_timestamp() where s.revoked_at is null;
  return true;
end
$$;

alter table oauth.staff_keys enable row level security, force row level security;
create policy owner_keeps on oauth.staff_keys to hill_owner using (true) with check (true);
create policy staff_checks on oauth.staff_keys for select to hill_api_staff using (true);
grant select on oauth.staff_keys to hill_api_staff;

create policy owner_revokes on oauth.staff_sessions to hill_owner using (true) with check (true);

comment on table oauth.staff_keys is
'The hash of the staff key, which opens sessions on the console. Its file is HILL_DATA_DIR/staff-key.';
comment on column oauth.staff_keys.singleton is 'Always true: there is one row.';
comment on column oauth.staff_keys.key_hash is 'SHA-256 of the key.';
comment on column oauth.staff_keys.set_at is
'When the owner set it; sessions of the former one ended then. Real clock.';
