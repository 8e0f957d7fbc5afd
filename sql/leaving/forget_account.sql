-- What a closed account loses: who its human was, what it was called, and what it said. Rules 19.4; decisions 105.

-- Deletes the messages of a closed account, with their salts, from its announcements and from the moves of all nights
-- that are over. Rules 19.4, 20.19, 20.47.
create or replace function trusted.forget_messages(account_id uuid)
returns void
language sql volatile parallel unsafe security definer  -- hill_owner: nobody else may change what was published
set search_path to pg_catalog, pg_temp
-- one look a night, by account
set enable_seqscan to off
set enable_hashjoin to off
set enable_mergejoin to off
as $$
  -- with the salt: of a few words, the hash that stays could be tried with guesses
  update hill.moves m set message = null, message_salt = null
   where m.account_id = forget_messages.account_id and m.message is not null;
  update hill.announcements n set message = null, message_salt = null
    from generate_series(1, engine.last_night() + 1) d (day)
   where n.day = d.day and n.account_id = forget_messages.account_id and n.message is not null;
$$;

-- Takes from an account who its human was and how it was shown. Rules 19.4.
create or replace function trusted.forget_account(account_id uuid, day integer, closed_at timestamptz)
returns void
language plpgsql volatile parallel unsafe security definer  -- hill_owner: nobody else may delete or rename
set search_path to pg_catalog, pg_temp
as $$
declare
  v_name      text := engine.closed_name();
  v_addresses text[] := array(
    select h.email from oauth.humans h where h.account_id = forget_account.account_id
    union
    select i.email from oauth.sign_ins i where i.account_id = forget_account.account_id);
begin
  delete from oauth.claim_attempts c
   where c.email = any (v_addresses)
      or c.registration_id in (select r.id
                                 from oauth.registrations r join oauth.grants g on g.id = r.grant_id
                                where g.account_id = forget_account.account_id);
  delete from oauth.assertions a
   where a.registration_id in (select r.id
                                 from oauth.registrations r join oauth.grants g on g.id = r.grant_id
                                where g.account_id = forget_account.account_id);
  delete from oauth.registrations r
   where r.grant_id in (select g.id from oauth.grants g where g.account_id = forget_account.account_id);
  perform trusted.forget_member(account_id);
  -- locked before the account's row, as these are
  perform engine.end_account_order(o.id, 'stopped', null)
     from hill.account_orders o where o.account_id = forget_account.account_id and o.ended_at is null;
  delete from hill.site_checks c where c.account_id = forget_account.account_id;
  delete from oauth.mail_addresses m where m.account_id = forget_account.account_id;
  -- changes a key, so it waits for every row under way that names the account
  update hill.accounts a
     set name = v_name,
         slug = 'closed-' || right(replace(a.id::text, '-', ''), 16),
         url = null,
         suspended_because = null,
         verified = false,
         badge = false,
         icon = false
   where a.id = forget_account.account_id;
  delete from hill.site_checks c where c.account_id = forget_account.account_id;   -- one that was asked for until then

  delete from hill.hidden_profiles h where h.account_id = forget_account.account_id;
  with former as (delete from hill.former_slugs f where f.account_id = forget_account.account_id returning f.slug)
  insert into hill.retired_slugs (slug_hash)
  select engine.hash_token(f.slug) from former f on conflict do nothing;
  delete from oauth.sign_ins i where i.account_id = forget_account.account_id;
  delete from oauth.humans h where h.account_id = forget_account.account_id;
  delete from oauth.private_feeds f where f.account_id = forget_account.account_id;
  delete from hill.code_attempts t where t.account_id = forget_account.account_id;
  delete from hill.mails m where m.account_id = forget_account.account_id;
  delete from hill.deliveries d where d.account_id = forget_account.account_id;
  delete from hill.subscriptions s where s.account_id = forget_account.account_id;
  -- An anonymous client is its one agent. A registered one, or one with a document, is software that others use too.
  update oauth.clients c set name = v_name, details = '{}'
   where c.kind = 'anonymous'
     and c.id in (select g.client_id from oauth.grants g where g.account_id = forget_account.account_id);
  update hill.agents g set name = v_name, model = '' where g.account_id = forget_account.account_id;
  update hill.reports r set reporter = v_name where r.account_id = forget_account.account_id;

  insert into hill.closings (account_id, day, closed_at)
  values (forget_account.account_id, forget_account.day, forget_account.closed_at);
  delete from hill.hidden_words h where h.account_id = forget_account.account_id;
  perform trusted.forget_messages(account_id);
  perform trusted.forget_former(account_id);   -- nights that are over are told anew, if the account is in one
end
$$;

grant execute on function trusted.forget_account to hill_api_human;
grant execute on function trusted.forget_messages to hill_api_worker;
