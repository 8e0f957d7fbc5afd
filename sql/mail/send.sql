-- Sends what was written: at least once, until the server took it, refused its recipient, or it is too old. In real
-- time. A worker that dies leaves no more than a mail that is sent again after engine.mail_lease. Protocol 5.6.

-- How long an attempt may take before another one follows: longer than the worker lets any take.
create or replace function engine.mail_lease() returns interval
language sql immutable parallel safe return interval '2 minutes';

-- Real seconds until a mail may be sent, 0 or less if one may be now, null if none waits.
create or replace function engine.seconds_to_mail()
returns double precision
language sql volatile parallel unsafe security invoker
begin atomic
  select extract(epoch from min(m.due_at) - clock_timestamp())::double precision
    from hill.mails m
   where m.ended_at is null;
end;

-- The address that a mail goes to: the one that it was written for, if that is still the account's and wants it; null
-- otherwise. What staff are about to do goes to all that the account had when it was approved.
create or replace function engine.mailed_to(mail hill.mails)
returns text
language sql volatile parallel unsafe security invoker
begin atomic
  select case when (mailed_to.mail).kind = 'staff_order' then (mailed_to.mail).facts ->> 'to' else (
    select case when (mailed_to.mail).kind <> 'confirm' then a.address else a.asked_address end
      from oauth.mail_addresses a
     where a.account_id = (mailed_to.mail).account_id
       and case (mailed_to.mail).kind
             when 'confirm' then a.asked_id = (mailed_to.mail).address_id and engine.still_asked(a.asked_at)
             else a.id = (mailed_to.mail).address_id and a.stopped_at is null
           end) end;
end;

-- Stops what is sent to an address that its server refused.
create or replace function engine.stop_refused(mail hill.mails)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  update oauth.mail_addresses a set asked_id = null, asked_hash = null, asked_stop_hash = null
   where a.account_id = (mail).account_id and a.asked_id = (mail).address_id;
  update oauth.mail_addresses a set stopped_at = clock_timestamp(), stopped_because = 'refused'
   where a.account_id = (mail).account_id and a.id = (mail).address_id and a.stopped_at is null;
  update hill.mails m set ended_at = clock_timestamp(), ended_as = 'dropped', facts = '{}'
   where m.account_id = (mail).account_id and m.address_id = (mail).address_id and m.ended_at is null;
end
$$;
