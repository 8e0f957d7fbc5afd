-- The private feed of the human's account: made, ended, read. Protocol 5.4.

create or replace function api_human.make_feed(session text, token text)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  -- who holds a stolen session would read on after its end
  v_account_id uuid := engine.enter_human_anew(session);
begin
  perform trusted.lock_account(v_account_id);
  perform engine.enter_human_anew(session);   -- it may have been ended while this waited
  insert into oauth.private_feeds (account_id, token_hash, created_at)
  values (v_account_id, engine.hash_token(token), clock_timestamp())
      on conflict (account_id) do update set token_hash = excluded.token_hash, created_at = excluded.created_at;
  return true;
end
$$;

create or replace function api_human.end_feed(session text)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human(session);
begin
  update oauth.private_feeds f set token_hash = null
   where f.account_id = v_account_id and f.token_hash is not null;
  return found;
end
$$;

create or replace function api_human.feed(token text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := (select f.account_id from oauth.private_feeds f
                         where f.token_hash = engine.hash_token(feed.token));
begin
  if v_account_id is null then
    perform engine.refuse('INVALID_TOKEN', 'There is no such feed.');
  end if;
  perform set_config('hill.account_id', v_account_id::text, true), set_config('hill.accounts', '', true);
  return (
    select jsonb_build_object(
             'account_id', a.id,
             'name', a.name,
             'day', engine.last_night() + 1,
             'next_bell_at', engine.iso(engine.bell_at(engine.last_night() + 1)),
             'warnings', engine.account_warnings(a.id, false),
             'nights', engine.account_history(a.id, null) -> 'nights')
      from hill.accounts a
     where a.id = v_account_id);
end
$$;

comment on function api_human.make_feed is
'Makes the private feed of the human''s account, which the token opens, and ends the one before. Errors: '
'INVALID_TOKEN, SIGN_IN_AGAIN, ACCOUNT_CLOSED. Protocol 5.4.';
comment on function api_human.end_feed is
'Ends the private feed of the human''s account; false if it has none. Errors: INVALID_TOKEN. Protocol 5.4.';
comment on function api_human.feed is
'What the private feed of a token has: account_id and name, tonight''s day and bell, thirty nights (see '
'engine.account_history), and what the human should see to (api_human.warnings), without what is sealed of tonight. '
'Errors: INVALID_TOKEN. Protocol 5.4.';

grant execute on function api_human.make_feed, api_human.end_feed, api_human.feed to hill_human;
