-- The security events of accounts, for staff to read. Rules 9.2, 18.2.

-- Records a security event of an account, such as signed_in or agent_cut, with the agent concerned and a few public
-- details. Rules 9.2.
create or replace function engine.note_event(
  event text,
  account_id uuid,
  agent_id uuid default null,
  details jsonb default '{}')
returns void
language sql volatile parallel unsafe security invoker
begin atomic
  insert into hill.security_events (at, event, account_id, agent_id, details)
  values (engine.now(), note_event.event, note_event.account_id, note_event.agent_id, note_event.details);
end;

alter table hill.security_events enable row level security, force row level security;
create policy staff_read on hill.security_events for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
create policy doors_append on hill.security_events for insert to hill_api_human, hill_api_oauth with check (true);
grant select on hill.security_events to hill_staff;
grant insert on hill.security_events to hill_api_human, hill_api_oauth;
create or replace trigger written_once before update or delete or truncate on hill.security_events
  for each statement execute function trusted.guard_balances();

comment on table hill.security_events is
'Security events of accounts: sign-ins and sign-outs; agents approved, refused and cut; what was revoked. Rows are '
'only ever added. They hold no secret, and nothing that tells when an agent plays.';
comment on column hill.security_events.id is 'In the order in which they were written.';
comment on column hill.security_events.at is 'When it happened. Hill''s clock.';
comment on column hill.security_events.event is 'What happened, such as signed_in or agent_cut.';
comment on column hill.security_events.account_id is 'Whose; null where no account had to do with it.';
comment on column hill.security_events.agent_id is 'The agent that it is about; null if it is about none.';
comment on column hill.security_events.details is 'What else is known of it, such as client_id or provider.';
