-- The site of the human's account: set and checked from a page, as agents do with set_profile and verify_badge. Rules
-- 11.1, 11.2.

create or replace function api_human.site(session text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human(session);
begin
  perform engine.give_site_token(v_account_id);  -- before the first look, which comes once it is on the page
  return engine.site_state(v_account_id);
end
$$;

create or replace function api_human.set_site(session text, url text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_profile(session);
begin
  perform engine.set_url(v_account_id, url);
  return engine.site_state(v_account_id);
end
$$;

create or replace function api_human.check_site(session text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human(session);
begin
  perform trusted.lock_account(v_account_id);
  perform engine.enter_human(session);   -- it may have been ended while this waited
  return engine.ask_for_check(v_account_id);
end
$$;

comment on function api_human.site is
'What is known of the site of the human''s account (engine.site_state); the first time, its token is made. Errors: '
'INVALID_TOKEN. Rules 11.2.';
comment on function api_human.set_site is
'Sets the site of the human''s account by the rules of set_profile; an empty text clears it. Returns '
'engine.site_state. Errors: INVALID_TOKEN, BELL_RINGING, ACCOUNT_CLOSED, ACCOUNT_SUSPENDED, PROFILE_HIDDEN, '
'INVALID_ARGUMENT. Rules 11.1, 18.5.';
comment on function api_human.check_site is
'Asks for a check of the site of the human''s account, as verify_badge does (engine.ask_for_check). Returns '
'engine.site_state. Errors: INVALID_TOKEN, ACCOUNT_CLOSED. Rules 11.2.';

grant execute on function api_human.site, api_human.set_site, api_human.check_site to hill_human;
