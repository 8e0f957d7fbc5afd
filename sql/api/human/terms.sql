-- What a human accepts, and the receipts of what was paid. Rules 5.10, 5.11.

create or replace function api_human.accept_terms(session text, terms_id integer)
returns void
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.accept_terms(engine.enter_human(session), terms_id, 'top-up');
end
$$;

create or replace function api_human.receipt(session text, top_up_id uuid)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.show_receipt(engine.enter_human(session), top_up_id);
end
$$;

create or replace function api_human.receipts(session text, before bigint default null)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.list_receipts(engine.enter_human(session), before);
end
$$;

comment on function api_human.accept_terms is
'Records that the human accepted a version of the terms (its id, as api_human.account gives it) at a top-up; the first '
'time stays, and an id that was never published records nothing. Errors: INVALID_TOKEN, ACCOUNT_CLOSED. Rules 5.10.';
comment on function api_human.receipt is
'The receipt of a top-up of the human''s account that was paid: see engine.show_receipt. null for any other. Errors: '
'INVALID_TOKEN. Rules 5.11.';
comment on function api_human.receipts is
'The payments of the human''s account, the latest first, thirty at a time: see engine.list_receipts. Errors: '
'INVALID_TOKEN. Rules 5.11.';

grant execute on function api_human.accept_terms, api_human.receipt, api_human.receipts to hill_human;
