-- api/human/leaving.sql · A human downloads all data of the account, or closes it, soon after a sign-in. Rules 19.

create or replace function api_human.leaving(session text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.leaving_state(engine.enter_human(session))
      || jsonb_build_object('fresh', engine.signed_in_anew(session));
end
$$;

create or replace function api_human.begin_download(session text)
returns void
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.begin_download(engine.enter_human_anew(session));
end
$$;

create or replace function api_human.download(session text)
returns table (part text, single boolean, entry jsonb)
-- stable, so that all lists are of the one snapshot of the statement that asks for them
language plpgsql stable parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return query select * from engine.account_data(engine.enter_human_anew(session));
end
$$;

create or replace function api_human.close_account(session text, slug text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.close_account(engine.enter_human_anew(session), slug);
end
$$;

comment on function api_human.leaving is
'What the page of leaving shows: see engine.leaving_state; and fresh, whether this session may do either. Errors: '
'INVALID_TOKEN, ACCOUNT_CLOSED.';
comment on function api_human.begin_download is
'Counts a download and holds the day: see engine.begin_download. Call api_human.download in the same transaction. '
'Errors: INVALID_TOKEN, ACCOUNT_CLOSED, SIGN_IN_AGAIN, rate_limited, BELL_RINGING.';
comment on function api_human.download is
'All data of the human''s account, list by list: see engine.account_data. Errors: INVALID_TOKEN, ACCOUNT_CLOSED, '
'SIGN_IN_AGAIN.';
comment on function api_human.close_account is
'Closes the human''s account for good: see engine.close_account. Errors: INVALID_TOKEN, ACCOUNT_CLOSED, SIGN_IN_AGAIN, '
'INVALID_ARGUMENT, BELL_RINGING.';

grant execute on function
  api_human.leaving,
  api_human.begin_download,
  api_human.download,
  api_human.close_account
  to hill_human;
