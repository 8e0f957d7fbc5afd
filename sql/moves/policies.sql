-- Sealed until the bell, public after it. Rules 9.1, 9.4.

-- Drops the policies of a table of sealed moves, in an order that tells nobody anything: that of the catalog's rows may
-- change at any time.
create or replace function engine.drop_policies(sealed regclass)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_old record;
begin
  for v_old in select p.polname from pg_policy p where p.polrelid = sealed order by p.polname loop
    execute format('drop policy %I on %s', v_old.polname, sealed);
  end loop;
end
$$;

-- Tonight's moves: their own account and the bell's worker. Where deposits travel together, what they need to know is
-- read for all their accounts, and each row is written by its own account and agent (engine.acting).
-- docs/architecture.md 3 has the roles. The public and the staff have neither policy nor grant here. The login that
-- owns the database is a member of every role, and would see by accident what they see: so where a policy shows all
-- rows, it does so to the role itself.
-- Gives a table of sealed moves its policies and grants: whose they are, of which day, and in what form.
create or replace function engine.guard_sealed_moves(sealed regclass, day integer)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  execute format($p$
    alter table %1$s enable row level security, force row level security;
    create policy own_read on %1$s for select to hill_api_agent, hill_api_human
      using (account_id = any ((select engine.actor_accounts())::uuid[]));
    create policy own_deposit on %1$s for insert to hill_api_agent
      with check (account_id = engine.actor_account() and agent_id = engine.actor_agent() and day = %2$s and %3$s);
    create policy own_end on %1$s for update to hill_api_agent, hill_api_human
      using (account_id = engine.actor_account())
      with check (account_id = engine.actor_account() and ended is not null and %3$s);
    create policy bell_counts on %1$s for select to hill_api_worker
      using ((select current_user) = 'hill_api_worker');
    create policy house_deposits on %1$s for insert to hill_api_worker
      with check (account_id = engine.actor_account() and agent_id = engine.actor_agent() and day = %2$s and %3$s);
    create policy house_ends on %1$s for update to hill_api_worker
      using (account_id = engine.actor_account())
      with check (account_id = engine.actor_account() and ended is not null and %3$s);
    grant select on %1$s to hill_api_agent, hill_api_human, hill_api_worker;
    grant insert on %1$s to hill_api_agent, hill_api_worker;
    grant update (ended, ended_at) on %1$s to hill_api_agent, hill_api_human, hill_api_worker;
    grant update (end_salt, end_commitment) on %1$s to hill_api_human;
    comment on table %1$s is
      'Tonight''s deposits, until the bell makes them the day''s partition of hill.moves, whose columns say what is in '
      'them: read by their own account, and counted by the bell''s worker. Amounts in cents. Rules 3.3, 9.1.'$p$,
    sealed,
    day,
    -- The form of a move is written once, as the constraint of hill.moves. Here it is part of the policies: a policy is
    -- planned once a connection, while a constraint's text is parsed by every statement, a twentieth of a deposit. The
    -- bell adds the constraint itself (trusted.unseal_day).
    (select pg_get_expr(k.conbin, k.conrelid)
       from pg_constraint k
      where k.conrelid = 'hill.moves'::regclass and k.conname = 'moves_form'));
end
$$;

-- Renews what the settings say of tonight, the policies and grants of tonight's sealed moves, and the table for
-- tomorrow's. Called at the end of load.sql, because it has to see which night was the last: under forced row-level
-- security the owner sees no night before the policies of hill.nights exist.
create or replace function engine.guard_tonight()
returns void
language plpgsql volatile parallel unsafe security invoker  -- run by the owner
set search_path to pg_catalog, pg_temp
as $$
begin
  -- Before the day is read: a bell that is ringing renames the table, and the one that this then waits for is of
  -- another day.
  lock table hill.sealed_moves in access exclusive mode;
  perform engine.renew_tonight();
  perform engine.drop_policies('hill.sealed_moves');
  revoke all on hill.sealed_moves from hill_api_agent, hill_api_human, hill_api_worker;
  perform engine.guard_sealed_moves('hill.sealed_moves', engine.last_night() + 1);
  lock table hill.day_lock in share update exclusive mode;   -- as trusted.make_next_table does
  perform engine.prepare_sealed_moves(engine.last_night() + 2, true);
end
$$;

alter table hill.reservations enable row level security, force row level security;
create policy own_use on hill.reservations to hill_api_agent, hill_api_human
  using (account_id = any ((select engine.actor_accounts())::uuid[]))
  with check (account_id = engine.actor_account() and cents >= 0 and peace >= 0 and war >= 0 and moves >= 0);
create policy worker_settles on hill.reservations to hill_api_worker
  using ((select current_user) = 'hill_api_worker') with check (cents >= 0 and peace >= 0 and war >= 0 and moves >= 0);
grant select, update on hill.reservations to hill_api_agent, hill_api_human, hill_api_worker;
grant insert on hill.reservations to hill_api_worker;
grant usage on sequence hill.deposit_seq to hill_api_agent, hill_api_worker;

-- Nights that are over: live moves are public; what was withdrawn or replaced stays with its account.
alter table hill.moves enable row level security, force row level security;
revoke update, delete, truncate on hill.moves from hill_owner;
create policy public_read on hill.moves for select to hill_api, hill_dba using (ended is null);
create policy own_read on hill.moves for select to hill_api_agent, hill_api_human
  using (account_id = any ((select engine.actor_accounts())::uuid[]));
create policy staff_read on hill.moves for select to hill_staff
  using (ended is null and (select api_staff.staff_name()) is not null);
grant select on hill.moves to hill_api;
-- Each column, and not the table, which would have the numbers of transactions as well.
revoke select on hill.moves from hill_staff, hill_dba;
grant select (
  day,
  account_id,
  agent_id,
  seq,
  at,
  slot,
  move,
  stake_cents,
  cost_cents,
  message,
  ended,
  ended_at,
  salt,
  ends,
  message_salt,
  message_hash,
  commitment,
  end_salt,
  end_commitment) on hill.moves to hill_staff, hill_dba;

comment on table hill.moves is
'The moves of nights that are over, one partition a day. ended is null for the live moves, which are public; what was '
'replaced or withdrawn stays with its account. Amounts in cents; cost_cents is what the bell took. '
'Rules 3.3, 9.1.';
comment on column hill.moves.day is 'The day on which it was deposited, and whose bell it counts at.';
comment on column hill.moves.account_id is 'Whose move it is.';
comment on column hill.moves.agent_id is 'The agent that deposited it.';
comment on column hill.moves.at is 'When it was accepted: first in deposit order, rules 4.2. Hill''s clock.';
comment on column hill.moves.ended_at is
'When it was replaced or withdrawn; of a PASS, at. Null for live moves. Hill''s clock.';
comment on column hill.moves.stake_cents is 'What it stakes (cents); 0 unless it is WAR.';
comment on column hill.moves.cost_cents is
'Cents that it reserves until the bell, which takes them if it is live. Rules 3.6.';
comment on column hill.moves.slot is 'On which place.';
comment on column hill.moves.move is 'PEACE, WAR or PASS. Rules 3.1.';
comment on column hill.moves.ended is 'Why it is not live; null if it is. Rules 3.3.';
comment on column hill.moves.message is
'What it says, sealed with it; null if nothing, or the account was closed. Rules 3.9.';
comment on column hill.moves.seq is
'Number of the deposit, in the order in which they were accepted; the last tie-break of deposit order.';
comment on column hill.moves.salt is
'Salt of its commitment: 16 random bytes, the account''s alone until the bell. Null from before the log. Rules 20.15.';
comment on column hill.moves.ends is
'What its commitment has of the one that it ends (engine.ending), or random bytes.';
comment on column hill.moves.message_salt is
'Salt of the message; null without one, and while staff hide it (hill.hidden_words). Rules 20.19.';
comment on column hill.moves.message_hash is 'engine.message_hash, which stays when staff hide the message.';
comment on column hill.moves.commitment is 'engine.commitment, which is in the log. Rules 20.16.';
comment on column hill.moves.end_salt is
'The salt of the withdrawal by the account''s human, which has no row of its own.';
comment on column hill.moves.end_commitment is 'The commitment to the withdrawal by the account''s human.';
comment on table hill.reservations is
'What tonight''s live moves of each account reserve (cents), how many they are, and how many moves were made: sealed '
'with them, and read by their own account alone. A row of an earlier day counts for nothing. Rules 3.3, 3.6, 9.1, 9.2.';
comment on column hill.reservations.account_id is 'Whose day it is.';
comment on column hill.reservations.day is 'The day that the figures are of; 0 before the first deposit.';
comment on column hill.reservations.cents is 'What the live moves of the day cost: the bell takes it. Rules 3.6.';
comment on column hill.reservations.peace is 'Live PEACE moves of the day.';
comment on column hill.reservations.war is 'Live WAR moves of the day.';
comment on column hill.reservations.moves is
'Deposits accepted that day, PASS included, of which there are four. Rules 3.5.';
comment on column hill.reservations.acted_at is
'When anything was last done that the account is locked for, not only a deposit; null before. Hill''s clock.';
comment on sequence hill.deposit_seq is 'Numbers the deposits of all days, in the order in which they were accepted.';
comment on type hill.move is
'What may be deposited on a place. Rules 3.1.
- PEACE: a bid to be an occupant, for rent.
- WAR: a bid for the place with a stake.
- PASS: an end to what was deposited there.';
comment on type hill.deposit_end is
'Why a deposit is not live: another replaced it, it was withdrawn, or it was itself a PASS. Rules 3.3.';
