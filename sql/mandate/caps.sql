-- Which caps an account's human has set, one after the other: a cap that was widened past them is found. Rules 3.8.

-- Notes the caps of an account that was made, or whose human has set them. A function, and no trigger: what is changed
-- in the table by hand is not noted, and so is found.
create or replace function trusted.note_caps(account_id uuid)
returns void
language sql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  insert into hill.caps_set (account_id, at, daily_cap_cents, max_stake_cents, weekly_cap_cents)
  select m.account_id, m.updated_at, m.daily_cap_cents, m.max_stake_cents, m.weekly_cap_cents
    from hill.mandates m
   where m.account_id = note_caps.account_id
     and row(m.daily_cap_cents, m.max_stake_cents, m.weekly_cap_cents) is distinct from (
           select row(c.daily_cap_cents, c.max_stake_cents, c.weekly_cap_cents)
             from hill.caps_set c
            where c.account_id = note_caps.account_id
            order by c.id desc
            limit 1)
$$;

-- Notes the caps that were set under an earlier version, which notes none. See engine.begin_audit_chain.
create or replace function engine.catch_up_caps()
returns void
language sql volatile parallel unsafe security invoker
begin atomic
  select trusted.note_caps(c.account_id) from (select distinct c.account_id from hill.caps_set c) c;
end;

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

grant execute on function trusted.note_caps to hill_api_human, hill_api_worker;
