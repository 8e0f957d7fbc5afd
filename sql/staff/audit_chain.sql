-- The audit log as a chain of hashes: whoever knows its head sees later whether an entry was changed, taken out or put
-- in. Rules 18.1.

-- What an entry adds to the chain: SHA-256 of the hash before it, and of all that the entry says.
create or replace function engine.audit_hash(before bytea, entry hill.audit_log)
returns bytea
language sql stable parallel safe security invoker
return sha256(before || convert_to(jsonb_build_array(
  (entry).id,
  extract(epoch from (entry).at),
  (entry).staff_name,
  (entry).staff_account_id,
  (entry).action,
  (entry).account_id,
  (entry).slot,
  (entry).details,
  (entry).reason)::text, 'UTF8'));

-- Adds entries to the chain that are not in it: one and those that wait, or with null all. The caller holds the lock.
create or replace function engine.chain_entries(entry_id bigint)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_entry    hill.audit_log;
  v_position bigint := 0;
  v_hash     bytea := '';
begin
  select c.position, c.hash into v_position, v_hash from hill.audit_chain c order by c.position desc limit 1;
  for v_entry in
    select l.* from hill.audit_log l
     where (chain_entries.entry_id is null or l.id = chain_entries.entry_id
            or l.id in (select w.entry_id from hill.audit_waiting w))
       and not exists (select from hill.audit_chain c where c.entry_id = l.id)
     order by l.id
  loop
    v_position := coalesce(v_position, 0) + 1;
    v_hash := engine.audit_hash(coalesce(v_hash, ''), v_entry);
    insert into hill.audit_chain (position, entry_id, hash) values (v_position, v_entry.id, v_hash);
  end loop;
  delete from hill.audit_waiting w where w.entry_id in (select c.entry_id from hill.audit_chain c);
end
$$;

-- Trigger: adds an entry to the chain when its transaction commits, so that nobody waits for an action under way, and
-- after every other lock.
create or replace function trusted.chain_audit()
returns trigger
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    -- it does not see the head as it is now: the next one adds it
    insert into hill.audit_waiting (entry_id) values (new.id);
    return null;
  end if;
  perform trusted.lock_one('audit');
  perform engine.chain_entries(new.id);
  return null;
end
$$;

-- Makes the trigger that goes on with the chain, where there is none: in a new database, and after an earlier version
-- was in between. What was logged meanwhile comes into the chain, and caps that were set are noted. By sql/load.sql.
-- No item of sql/: the loader of an earlier version drops the function first, and would not find the trigger then.
create or replace function engine.begin_audit_chain()
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if exists (select from pg_trigger t
              where t.tgrelid = 'hill.audit_log'::regclass and t.tgname = 'chain_audit') then
    return;
  end if;
  create constraint trigger chain_audit after insert on hill.audit_log
    deferrable initially deferred for each row execute function trusted.chain_audit();
  perform trusted.lock_one('audit');
  perform engine.chain_entries(null);
  perform engine.catch_up_caps();
end
$$;

-- What of the audit log its chain does not have as it is: the entry, the account that it is about, and in words what is
-- wrong with it. Rules 18.1.
create or replace function trusted.audit_faults()
returns table (entry_id bigint, account_id uuid, fault text)
language sql stable parallel safe security definer  -- hill_owner: reasons are for staff alone
set search_path to pg_catalog, pg_temp
as $$
  with link as materialized (
    select c.position, c.entry_id, c.hash,
           lag(c.hash, 1, '') over w as before, c.position - lag(c.position, 1, 0::bigint) over w as step
      from hill.audit_chain c
    window w as (order by c.position))
  select coalesce(k.entry_id, l.id), l.account_id,
         case when k.entry_id is null then 'is not in the chain: Hill did not write it'
              when l.id is null then 'is gone'
              when k.step <> 1 then 'follows one that was taken out of the chain'
              else 'was changed, or one before it was taken out or put in' end
    from link k
    full join hill.audit_log l on l.id = k.entry_id
   where k.entry_id is null and l.id not in (select w.entry_id from hill.audit_waiting w)
      or l.id is null or k.step <> 1 or k.hash <> engine.audit_hash(k.before, l)
   union all
  select w.entry_id, null, 'is gone'
    from hill.audit_waiting w
   where not exists (select from hill.audit_log l where l.id = w.entry_id)
$$;

create or replace function trusted.audit_head()
returns table (entries bigint, hash text)
language sql stable parallel safe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$ select c.position, encode(c.hash, 'hex') from hill.audit_chain c order by c.position desc limit 1 $$;

create or replace function trusted.audit_hash_at(entries bigint)
returns text
language sql stable parallel safe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$ select encode(c.hash, 'hex') from hill.audit_chain c where c.position = audit_hash_at.entries $$;

create policy owner_chains on hill.audit_log for select to hill_owner using (true);
create policy owner_chains on hill.audit_chain to hill_owner using (true) with check (true);
create policy owner_waits on hill.audit_waiting to hill_owner using (true) with check (true);
revoke update, delete, truncate on hill.audit_chain from hill_owner;
create or replace trigger written_once before update or delete or truncate on hill.audit_chain
  for each statement execute function trusted.guard_balances();

comment on table hill.audit_chain is
'The audit log as a chain of hashes, in the order in which its entries were committed. Rows are only ever added. '
'Rules 18.1.';
comment on table hill.audit_waiting is
'Entries of the audit log from transactions that could not see the head of the chain: the next entry adds them to it. '
'Rules 18.1.';
comment on column hill.audit_waiting.entry_id is 'The entry: its id in hill.audit_log.';
comment on column hill.audit_chain.position is 'Number of the entry in the chain, from 1.';
comment on column hill.audit_chain.entry_id is 'The entry: its id in hill.audit_log.';
comment on column hill.audit_chain.hash is
'SHA-256 of the hash before it, of none at position 1, and of the entry: engine.audit_hash.';

comment on function trusted.audit_head is
'How many entries the chain of the audit log has, and the hash of the last. No row before the first. Rules 18.1.';
comment on function trusted.audit_hash_at is
'The hash of the chain of the audit log when it had so many entries; null if it has fewer. Rules 18.1.';

grant execute on function trusted.audit_head, trusted.audit_hash_at to hill_dba;
grant execute on function trusted.audit_head to hill_api_staff;
