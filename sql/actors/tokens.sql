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
comment on column oauth.access_tokens.token_hash is 'SHA-256 of the token.';
comment on column oauth.access_tokens.agent_id is 'For which agent; null before a claim.';
comment on column oauth.access_tokens.scopes is 'What it may be used for: hill:read, hill:play.';
comment on column oauth.access_tokens.created_at is 'When it was issued. Doors'' clock (rules 17.3).';
comment on column oauth.access_tokens.expires_at is 'When it ends by itself. Doors'' clock (rules 17.3).';
comment on column oauth.access_tokens.revoked_at is 'When it was ended early; null if it was not.';
comment on column oauth.access_tokens.grant_id is
'Under which grant it was issued; null for agents of a demonstration.';
comment on column oauth.access_tokens.chain_id is
'The chain of refresh tokens that it ends with; null where there is none (door A).';
comment on column oauth.access_tokens.audience is 'The address that it is for; null for agents of a demonstration.';
comment on table oauth.human_sessions is 'Sessions of humans on the pages, by hash.';
comment on column oauth.human_sessions.token_hash is 'SHA-256 of the text in the browser''s cookie.';
comment on column oauth.human_sessions.account_id is 'Whose human signed in.';
comment on column oauth.human_sessions.created_at is
'When a provider last vouched for the human: what needs a recent sign-in asks this. Real clock.';
comment on column oauth.human_sessions.expires_at is 'When it ends by itself, 30 days later.';
comment on column oauth.human_sessions.revoked_at is
'When the human signed out, or closed the account; null if neither. Real clock.';
comment on table oauth.staff_sessions is 'Sessions of staff on the console, by hash.';
comment on column oauth.staff_sessions.token_hash is 'SHA-256 of the text in the browser''s cookie.';
comment on column oauth.staff_sessions.staff_name is
'The name given at the sign-in; who has an account acts under that of hill.staff_members.';
comment on column oauth.staff_sessions.created_at is 'When it was opened. Real clock.';
comment on column oauth.staff_sessions.expires_at is 'When it ends by itself, 12 hours later.';
comment on column oauth.staff_sessions.revoked_at is 'When it was ended early; null if it was not. Real clock.';
comment on column oauth.staff_sessions.account_id is 'Whose human it is; null for the staff key.';
