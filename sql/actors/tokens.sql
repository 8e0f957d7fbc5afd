-- Who may look up tokens and sessions. Protocol 2.2, 8.5.

grant usage on schema oauth to hill_api_agent, hill_api_human, hill_api_staff, hill_api_worker;

-- Hashes of tokens and sessions: API functions look one up by the hash of what they were given, and nobody lists them.
alter table oauth.access_tokens enable row level security, force row level security;
create policy agent_looks_up on oauth.access_tokens for select to hill_api_agent using (true);
create policy worker_issues on oauth.access_tokens for insert to hill_api_worker with check (true);
grant select on oauth.access_tokens to hill_api_agent;
grant insert on oauth.access_tokens to hill_api_worker;

alter table oauth.human_sessions enable row level security, force row level security;
create policy human_looks_up on oauth.human_sessions for select to hill_api_human using (true);
grant select on oauth.human_sessions to hill_api_human;

alter table oauth.staff_sessions enable row level security, force row level security;
create policy staff_looks_up on oauth.staff_sessions to hill_api_staff using (true) with check (true);
grant select, insert, update on oauth.staff_sessions to hill_api_staff;

comment on table oauth.access_tokens is
'Access tokens, by hash: what a signed token may still do is decided here. Protocol 2.2.';
comment on table oauth.human_sessions is 'Sessions of humans on the pages, by hash.';
comment on table oauth.staff_sessions is 'Sessions of staff on the console, by hash.';
