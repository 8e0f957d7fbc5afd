-- Nothing happens to an account that was closed. Rules 19.3; decisions 107.

-- The refusal (see engine.refused) of an account that was closed; null for any other. Code: ACCOUNT_CLOSED. Rules 19.3.
create or replace function engine.closed(account_id uuid)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select engine.refused('ACCOUNT_CLOSED', 'The account was closed by its human.')
    from hill.closings c where c.account_id = closed.account_id;
end;

-- Refuses what is asked of an account that was closed. Errors: ACCOUNT_CLOSED. Rules 19.3.
create or replace function engine.refuse_closed(account_id uuid)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.unless_refused(engine.closed(account_id));
end
$$;

-- Trigger: refuses new rows of an account that was closed. Errors: ACCOUNT_CLOSED. Rules 19.3.
create or replace function engine.guard_closed()
returns trigger
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if exists (select from added a join hill.closings c on c.account_id = a.account_id) then
    perform engine.refuse('ACCOUNT_CLOSED', 'The account was closed by its human.');
  end if;
  return null;
end
$$;

-- Trigger: an account that was closed keeps the name that the closing gave it. Errors: ACCOUNT_CLOSED. Rules 19.3.
create or replace function engine.guard_closed_name()
returns trigger
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.refuse_closed(new.id);
  return new;
end
$$;

create or replace trigger guard_closed after insert on hill.agents referencing new table as added
  for each statement execute function engine.guard_closed();
create or replace trigger guard_closed after insert on hill.announcements referencing new table as added
  for each statement execute function engine.guard_closed();
create or replace trigger guard_closed after insert on hill.subscriptions referencing new table as added
  for each statement execute function engine.guard_closed();
create or replace trigger guard_closed after insert on hill.site_checks referencing new table as added
  for each statement execute function engine.guard_closed();
create or replace trigger guard_closed after insert on hill.tournament_entries referencing new table as added
  for each statement execute function engine.guard_closed();
create or replace trigger guard_closed after insert on hill.code_attempts referencing new table as added
  for each statement execute function engine.guard_closed();
create or replace trigger guard_closed after insert on hill.mails referencing new table as added
  for each statement execute function engine.guard_closed();
create or replace trigger guard_closed after insert on hill.reports referencing new table as added
  for each statement execute function engine.guard_closed();
create or replace trigger guard_closed after insert on hill.terms_accepted referencing new table as added
  for each statement execute function engine.guard_closed();
create or replace trigger guard_closed_name before update of name, slug, url on hill.accounts
  for each row execute function engine.guard_closed_name();
