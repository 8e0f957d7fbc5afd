-- Which caps an account's human has set, one after the other: a cap that was widened past them is found. Rules 3.8.

-- Trigger: notes the caps of an account that is made, or whose human sets others.
create or replace function trusted.note_caps()
returns trigger
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
begin
  insert into hill.caps_set (account_id, at, daily_cap_cents, max_stake_cents, weekly_cap_cents)
  values (new.account_id, new.updated_at, new.daily_cap_cents, new.max_stake_cents, new.weekly_cap_cents);
  return null;
end
$$;

create or replace trigger note_first_caps after insert on hill.mandates
  for each row execute function trusted.note_caps();
create or replace trigger note_caps after update on hill.mandates
  for each row when ((old.daily_cap_cents, old.max_stake_cents, old.weekly_cap_cents)
                     is distinct from (new.daily_cap_cents, new.max_stake_cents, new.weekly_cap_cents))
  execute function trusted.note_caps();

create policy owner_notes on hill.caps_set to hill_owner using (true) with check (true);
create policy own_read on hill.caps_set for select to hill_api_human using (account_id = engine.actor_account());
create policy dba_read on hill.caps_set for select to hill_dba using (true);
grant select on hill.caps_set to hill_api_human, hill_dba;
create policy owner_checks on hill.mandates for select to hill_owner using (true);
revoke update, delete, truncate on hill.caps_set from hill_owner;
create or replace trigger written_once before update or delete or truncate on hill.caps_set
  for each statement execute function trusted.guard_balances();

comment on table hill.caps_set is
'The caps that humans have set, the account''s first ones too. Rows are only ever added. An account whose caps were '
'last set before there was this table has none. Rules 3.8.';
comment on column hill.caps_set.id is 'In the order in which they were written.';
comment on column hill.caps_set.account_id is 'Whose caps they are.';
comment on column hill.caps_set.at is 'When they were set. Hill''s clock.';
comment on column hill.caps_set.daily_cap_cents is 'What the live moves of a day may cost together.';
comment on column hill.caps_set.max_stake_cents is 'What one WAR may stake.';
comment on column hill.caps_set.weekly_cap_cents is 'What seven nights may cost; null for no such cap.';
