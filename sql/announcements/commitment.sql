-- What an announcement is committed to with in the log, and how that is opened. Rules 20.46, 20.47; decisions 440.

-- The commitment to an announcement. Rules 20.46.
create or replace function engine.announcement_commitment(
  day integer,
  account_id uuid,
  slot integer,
  intention text,
  message_hash bytea,
  announced_at text,
  salt bytea)
returns bytea
language sql immutable parallel safe
return sha256((
  'hill announcement' || E'\n'
  || day::text || E'\n'
  || account_id::text || E'\n'
  || slot::text || E'\n'
  || intention || E'\n'
  || coalesce(encode(message_hash, 'hex'), '') || E'\n'
  || announced_at || E'\n'
  || encode(salt, 'hex') || E'\n')::bytea);

-- The entry of an announcement in the log: day and commitment. Rules 20.8, 20.46.
create or replace function engine.announcement_entry(day integer, commitment bytea)
returns bytea language sql immutable strict parallel safe
-- day::text, as in engine.deposit_entry: so it is inlined
return ('announcement ' || day::text || ' ' || encode(commitment, 'hex'))::bytea;

-- Commits to an announcement with new salts, and has its entry wait for the log, in the transaction of the caller.
-- Rules 20.46.
create or replace function engine.commit_announcement(announcement hill.announcements)
returns hill.announcements
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_salts bytea := engine.random_salts();
begin
  announcement.salt := substr(v_salts, 1, 16);
  if announcement.message is not null then
    announcement.message_salt := substr(v_salts, 17, 16);
    announcement.message_hash := engine.message_hash(announcement.message_salt, announcement.message);
  end if;
  announcement.commitment := engine.announcement_commitment(
    announcement.day, announcement.account_id, announcement.slot, announcement.intention::text,
    announcement.message_hash, engine.iso(announcement.at), announcement.salt);
  insert into hill.log_waiting (at, entry)
  values (announcement.at, engine.announcement_entry(announcement.day, announcement.commitment));
  return announcement;
end
$$;

-- What opens the commitment to an announcement. Rules 20.47.
create or replace function engine.announcement_opening(announcement hill.announcements)
returns jsonb
language sql stable parallel safe security invoker
return case when (announcement).salt is not null then jsonb_build_object(
  'salt', encode((announcement).salt, 'hex'),
  'message_hash', encode((announcement).message_hash, 'hex'),
  'message_salt', encode((announcement).message_salt, 'hex')) end;

-- It may be written by whoever announces, and read by nobody but who numbers.
create policy announcements_wait on hill.log_waiting for insert to hill_api_agent, hill_api_worker
  with check (substr(entry, 1, 13) = 'announcement '::bytea and octet_length(entry) <= 255);
grant insert on hill.log_waiting to hill_api_agent, hill_api_worker;
