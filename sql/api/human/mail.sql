-- Notices by mail: the human names an address, whoever reads mail there confirms it, and stops it. Protocol 5.6.

create or replace function api_human.ask_for_mail(
  session text,
  address text,
  nightly boolean,
  id uuid,
  confirm_token text,
  stop_token text)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  -- who holds a stolen session would read on after its end
  v_account_id uuid := engine.enter_human_anew(session);
  v_now        timestamptz := clock_timestamp();
  v_wait       integer;
begin
  perform trusted.lock_account(v_account_id);
  perform engine.enter_human_anew(session);   -- it may have been ended while this waited
  perform engine.check_mail_address(address);
  -- confirmed, and given again: there is nothing to ask
  update oauth.mail_addresses m set nightly = ask_for_mail.nightly
   where m.account_id = v_account_id and m.address = ask_for_mail.address and m.stopped_at is null;
  if found then
    return false;
  end if;
  v_wait := engine.admit('mail', v_account_id::text, engine.addresses_asked(), 86400);
  if v_wait = 0 then
    v_wait := engine.admit('mail to', lower(address), engine.address_asked(), 86400);
  end if;
  if v_wait > 0 then
    perform engine.refuse('rate_limited', 'Too many addresses were asked, or this one was asked too often.',
      jsonb_build_object('retry_after_seconds', v_wait));
  end if;
  perform trusted.mail(v_account_id, 'asked', id::text);   -- to the address before, if there is one
  insert into oauth.mail_addresses as m
    (account_id, nightly, asked_id, asked_address, asked_hash, asked_stop_hash, asked_at)
  values (v_account_id, nightly, id, address, engine.hash_token(confirm_token), engine.hash_token(stop_token), v_now)
      on conflict on constraint mail_addresses_pkey do update
     set nightly = excluded.nightly,
         asked_id = excluded.asked_id,
         asked_address = excluded.asked_address,
         asked_hash = excluded.asked_hash,
         asked_stop_hash = excluded.asked_stop_hash,
         asked_at = excluded.asked_at;
  insert into hill.mails (account_id, address_id, kind, about, made_at, until, due_at)
  values (v_account_id, id, 'confirm', id::text, v_now,
          v_now + make_interval(hours => engine.mail_confirm_hours()), v_now);
  perform trusted.note_change('work:mail');
  return true;
end
$$;

create or replace function api_human.set_mail(session text, nightly boolean)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human(session);
begin
  update oauth.mail_addresses m set nightly = set_mail.nightly
   where m.account_id = v_account_id and m.address is not null;
  return found;
end
$$;

create or replace function api_human.end_mail(session text)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  -- who holds a stolen session must not silence what would tell of it
  v_account_id uuid := engine.enter_human_anew(session);
  v_had        boolean;
begin
  update oauth.mail_addresses m
     set id = null, address = null, stop_hash = null, confirmed_at = null, digest_night = null, told = '{}',
         stopped_at = null, stopped_because = null, asked_id = null, asked_address = null, asked_hash = null,
         asked_stop_hash = null, asked_at = null
   where m.account_id = v_account_id and coalesce(m.address, m.asked_address) is not null;
  v_had := found;
  perform engine.drop_mails(v_account_id);
  return v_had;
end
$$;

create or replace function api_human.confirm_mail(token text)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := (select m.account_id from oauth.mail_addresses m
                         where m.asked_hash = engine.hash_token(confirm_mail.token)
                           and engine.still_asked(m.asked_at));
begin
  if v_account_id is null then
    perform engine.refuse('INVALID_TOKEN', 'No address waits for this to be confirmed.');
  end if;
  perform set_config('hill.account_id', v_account_id::text, true), set_config('hill.accounts', '', true);
  update oauth.mail_addresses m
     set id = m.asked_id, address = m.asked_address, stop_hash = m.asked_stop_hash, confirmed_at = clock_timestamp(),
         digest_night = engine.last_night(), stopped_at = null, stopped_because = null,
         asked_id = null, asked_address = null, asked_hash = null, asked_stop_hash = null, asked_at = null
   where m.account_id = v_account_id and m.asked_hash = engine.hash_token(confirm_mail.token);
  return found;   -- not, where it was asked anew at this instant
end
$$;

create or replace function api_human.stop_mail(token text)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := (select m.account_id from oauth.mail_addresses m
                         where m.stop_hash = engine.hash_token(stop_mail.token));
begin
  if v_account_id is null then
    perform engine.refuse('INVALID_TOKEN', 'Nothing is mailed under this.');
  end if;
  perform set_config('hill.account_id', v_account_id::text, true), set_config('hill.accounts', '', true);
  update oauth.mail_addresses m set stopped_at = clock_timestamp(), stopped_because = 'unsubscribed'
   where m.account_id = v_account_id and m.stop_hash = engine.hash_token(stop_mail.token)
     and m.stopped_at is null;
  if not found then
    return false;
  end if;
  update hill.mails m set ended_at = clock_timestamp(), ended_as = 'dropped', facts = '{}'
   where m.account_id = v_account_id and m.kind <> 'confirm' and m.ended_at is null;
  return true;
end
$$;

create or replace function api_human.mail_content(account_id uuid, night integer)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  perform set_config('hill.account_id', mail_content.account_id::text, true), set_config('hill.accounts', '', true);
  return (
    select jsonb_build_object(
        'name', a.name,
        'warnings', engine.account_warnings(a.id, false),
        'night', (select n.night
                    from jsonb_array_elements(
                           engine.account_history(a.id, mail_content.night + 1) -> 'nights') n (night)
                   where (n.night ->> 'day')::integer = mail_content.night))
      from hill.accounts a
     where a.id = mail_content.account_id);
end
$$;

comment on function api_human.ask_for_mail is
'Asks the bearer of an address, by mail, to confirm that notices of the human''s account may be sent there; nightly: '
'also of each night that was something for it. id names the asking; confirm_token and stop_token are derived from '
'it, and kept as hashes. Until it is confirmed, notices go where they went. Returns false if they go there already. '
'Errors: INVALID_TOKEN, SIGN_IN_AGAIN, ACCOUNT_CLOSED, INVALID_ARGUMENT, rate_limited. Protocol 5.6.';
comment on function api_human.set_mail is
'Sets whether each night that was something for the human''s account is mailed (nightly), or only what to see to. '
'False if the account has no address. Errors: INVALID_TOKEN. Protocol 5.6.';
comment on function api_human.end_mail is
'Takes away the address to which notices of the human''s account go, and the one that was asked; what waits is '
'dropped. False if it has none. Errors: INVALID_TOKEN, SIGN_IN_AGAIN. Protocol 5.6.';
comment on function api_human.confirm_mail is
'Confirms an address by the token that was mailed there: notices go to it from now on, and to none before. Errors: '
'INVALID_TOKEN. Protocol 5.6.';
comment on function api_human.stop_mail is
'Ends what is mailed to an address, by the token that each mail to it has: no session is needed. False if it had '
'ended. Errors: INVALID_TOKEN. Protocol 5.6.';
comment on function api_human.mail_content is
'For the worker: what a digest of a night says of its account, without what is sealed of tonight: its name; warnings '
'(api_human.warnings); night, of engine.account_history, null if it was nothing for it. Protocol 5.6.';

grant execute on function
  api_human.ask_for_mail,
  api_human.set_mail,
  api_human.end_mail,
  api_human.confirm_mail,
  api_human.stop_mail
  to hill_human;
grant execute on function api_human.mail_content to hill_api_worker;
