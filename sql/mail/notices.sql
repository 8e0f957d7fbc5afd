-- Writes what is to be mailed: at once what cannot wait, and after a bell at most one digest. Nothing sealed. Protocol
-- 5.6.

-- Writes a notice of an account, if notices of it are mailed, once for each occasion (kind and about). Protocol 5.6.
create or replace function trusted.mail(account_id uuid, kind text, about text, facts jsonb default '{}')
returns void
language plpgsql volatile parallel unsafe security definer  -- hill_owner: doors of which none reads addresses
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  insert into hill.mails (account_id, address_id, kind, about, facts, made_at, until, due_at)
  select m.account_id, m.id, mail.kind, mail.about, mail.facts, v_now,
         v_now + make_interval(hours => 24 * engine.mail_patience_days()), v_now
    from oauth.mail_addresses m
   where m.account_id = mail.account_id
     and m.confirmed_at is not null
     and m.stopped_at is null
     -- who has the account in hand must not flood its human; the account page tells all
     and (select count(*) from hill.mails b
           where b.account_id = m.account_id and b.kind not in ('confirm', 'digest')
             and b.made_at > v_now - interval '24 hours') < engine.mails_a_day()
      on conflict do nothing;
  if found then
    perform trusted.note_change('work:mail');
  end if;
end
$$;

-- Statement trigger: mails of new agents, whichever door let them in. Protocol 5.6.
create or replace function trusted.mail_agents()
returns trigger
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  perform trusted.mail(a.account_id, 'agent', a.id::text,
            jsonb_build_object('agent', engine.shown_client(a.name), 'at', engine.iso(a.created_at)))
     from added a
     join oauth.mail_addresses m on m.account_id = a.account_id;
  return null;
end
$$;

-- Statement trigger: mails of new sign-ins. Protocol 5.6.
create or replace function trusted.mail_sign_ins()
returns trigger
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  perform trusted.mail(i.account_id, 'sign_in', i.provider || ' ' || engine.iso(i.created_at),
            jsonb_build_object('provider', i.provider, 'at', engine.iso(i.created_at)))
     from added i
     join oauth.mail_addresses m on m.account_id = i.account_id;
  return null;
end
$$;

create or replace trigger mail_new after insert on hill.agents referencing new table as added
  for each statement execute function trusted.mail_agents();
create or replace trigger mail_new after insert on oauth.sign_ins referencing new table as added
  for each statement execute function trusted.mail_sign_ins();

grant execute on function trusted.mail to hill_api_human, hill_api_staff;

-- The warnings of a digest by their occasions: what was mailed as one is not news again. A new agent was told of at
-- once.
create or replace function engine.warned_of(warnings jsonb)
returns text[]
language sql immutable parallel safe
return array(
  select (w ->> 'code') || ' ' || (w ->> 'occasion')
    from jsonb_array_elements(warnings) w
   where w ->> 'code' <> 'NEW_AGENT');

-- Deletes mails that ended engine.mail_days ago, 5,000 at most, and returns how many: call it again until it is 0.
create or replace function trusted.forget_mails()
returns bigint
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_count bigint;
begin
  update hill.mails m set ended_at = clock_timestamp(), ended_as = 'given_up', facts = '{}'
   where m.ended_at is null and m.until <= clock_timestamp();   -- also where nobody sends any more
  delete from hill.mails d
   where d.id = any (array(
           select m.id from hill.mails m
            where m.ended_at < clock_timestamp() - make_interval(hours => 24 * engine.mail_days())
            limit 5000));
  get diagnostics v_count = row_count;
  return v_count;
end
$$;

grant execute on function trusted.forget_mails to hill_api_worker;
