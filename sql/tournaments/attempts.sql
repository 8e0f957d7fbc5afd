-- What accounts typed as codes, and what came of it: for staff, whom their humans ask. Rules 8.5, 18.2.

-- Keeps what the actor typed, as it was looked up. An account tries at most engine.codes_per_hour codes an hour.
create or replace function engine.note_attempt(account_id uuid, code text, outcome text)
returns void
language sql volatile parallel unsafe security invoker
begin atomic
  insert into hill.code_attempts (account_id, agent_id, at, code, outcome)
  values (
    note_attempt.account_id,
    engine.actor_agent(),
    engine.now(),
    note_attempt.code,
    note_attempt.outcome);
end;

create policy own_try on hill.code_attempts for insert to hill_api_agent, hill_api_human
  with check (account_id = engine.actor_account());
create policy own_read on hill.code_attempts for select to hill_api_human
  using (account_id = (select engine.actor_account()));
create policy staff_read on hill.code_attempts for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
create policy owner_looks on hill.code_attempts for select to hill_owner using (true);
create policy owner_forgets on hill.code_attempts for delete to hill_owner using (true);
grant insert (account_id, agent_id, at, code, outcome) on hill.code_attempts to hill_api_agent, hill_api_human;
grant select on hill.code_attempts to hill_api_human, hill_staff;

comment on table hill.code_attempts is
'What accounts typed to redeem a code, and what came of it, for 30 days. Staff read it when somebody asks why a code '
'does not work. Rules 8.5, 18.2.';
comment on column hill.code_attempts.id is 'In the order in which they were tried.';
comment on column hill.code_attempts.account_id is 'Who tried it.';
comment on column hill.code_attempts.agent_id is 'The agent that did; null for the human, on the account page.';
comment on column hill.code_attempts.at is 'When. Hill''s clock.';
comment on column hill.code_attempts.code is 'What was typed, in capitals and without white space.';
comment on column hill.code_attempts.outcome is 'redeemed, or the code of the refusal, such as UNKNOWN_CODE.';
