-- What has changed, for processes that keep or tell what is public, and for the worker. No transaction notifies of it:
-- NOTIFY fails when its queue is full, and any login can fill that. A deposit must leave nothing here: it would betray
-- the move. Rules 9.2, 10.11; decisions 480.

-- Notes with the transaction that something public has changed. Rules 10.11.
create or replace function trusted.note_change(change text)
returns void
language plpgsql volatile parallel unsafe security definer  -- hill_owner: nobody else writes there
set search_path to pg_catalog, pg_temp
as $$
begin
  insert into hill.changes (xid, change, made_at)
  values (pg_current_xact_id(), note_change.change, clock_timestamp())
  on conflict do nothing;
  -- for whoever sent the statement: to tell others, once it is committed (src/db/call.ts)
  perform set_config('hill.changed', 'yes', true);
end
$$;

-- Statement trigger: notes what has changed (trusted.note_change). Rules 10.8.
create or replace function engine.tell_change()
returns trigger
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  perform trusted.note_change(tg_argv[0]);
  return null;
end
$$;

-- What was committed since an earlier look, whose snapshot and taken_at it returned.
create or replace function trusted.changes_since(snapshot text, taken_at timestamptz)
returns jsonb
language sql stable parallel restricted security definer  -- hill_owner: for processes, not for readers
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object(
      'snapshot', pg_current_snapshot()::text,
      'taken_at', engine.iso(clock_timestamp()),
      'changes', f.changes,
      -- not at each look: where a migration holds the nights, looking goes on
      'last_night', case when f.changes ? 'night' then engine.last_night() end,
      'filling', pg_notification_queue_usage() > engine.notify_limit())
    from (select case when clock_timestamp() - changes_since.taken_at < interval '5 minutes' then (
                   select coalesce(jsonb_agg(distinct c.change), '[]')
                     from hill.changes c
                    where c.xid >= pg_snapshot_xmin(changes_since.snapshot::pg_snapshot)
                      and not pg_visible_in_snapshot(c.xid, changes_since.snapshot::pg_snapshot)
                      -- a restored database has transactions of another server
                      and pg_visible_in_snapshot(c.xid, pg_current_snapshot())) end as changes
         offset 0) f
$$;

-- Deletes changes that every process has seen, or will not ask for any more. Returns how many.
create or replace function trusted.forget_changes()
returns bigint
language sql volatile parallel unsafe security definer  -- hill_owner: nobody else may delete anything
set search_path to pg_catalog, pg_temp
as $$
  with gone as (delete from hill.changes c where c.made_at < clock_timestamp() - interval '10 minutes' returning 1)
  select count(*) from gone
$$;

grant execute on function trusted.note_change to hill_api;
grant execute on function trusted.changes_since to hill_api_public, hill_api_worker;
grant execute on function trusted.forget_changes to hill_api_worker;

alter table hill.changes enable row level security, force row level security;
create policy owner_notes on hill.changes to hill_owner using (true) with check (true);

comment on table hill.changes is
'What has changed, by the transaction that changed it, for some minutes: see trusted.changes_since. Rows are appended, '
'so that no two changes wait for each other. Decisions 480.';
comment on column hill.changes.xid is 'The transaction that made it.';
comment on column hill.changes.change is
'What changed, such as night or boards; with work: in front, what the worker has to do.';
comment on column hill.changes.made_at is 'When it was noted; it is deleted ten minutes later. Real clock.';

create or replace trigger tell_change after insert on hill.announcements
  for each statement execute function engine.tell_change('announcements');
-- it may be the one that somebody asked for in vain
create or replace trigger tell_new after insert on hill.accounts
  for each statement execute function engine.tell_change('accounts');
create or replace trigger tell_change after update of name, slug, url, verified, badge, icon, house on hill.accounts
  for each statement execute function engine.tell_change('identities');
-- a picture that replaces another leaves its account as it is
create or replace trigger tell_change after update on hill.icons
  for each statement execute function engine.tell_change('identities');
create or replace trigger tell_change after update of name, model on hill.agents
  for each statement execute function engine.tell_change('identities');
create or replace trigger tell_change after insert or update on hill.identity_counters
  for each statement execute function engine.tell_change('counters');
create or replace trigger tell_change after update on hill.sealed_counts
  for each statement execute function engine.tell_change('sealed_count');
create or replace trigger tell_change after update on hill.places
  for each statement execute function engine.tell_change('places');
-- the other columns follow what is told of by itself (engine.renew_tonight)
create or replace trigger tell_change
  after update of day_one, founders_total, clock, shown_at, set_at, rate on hill.settings
  for each statement execute function engine.tell_change('clock');
-- a sign-up also updates its tournament, which counts the entries
create or replace trigger tell_change after insert or update on hill.tournaments
  for each statement execute function engine.tell_change('tournaments');
create or replace trigger tell_change after insert on hill.tournament_boards
  for each statement execute function engine.tell_change('tournaments');
create or replace trigger tell_change after insert or update on hill.tournament_codes
  for each statement execute function engine.tell_change('tournaments');
