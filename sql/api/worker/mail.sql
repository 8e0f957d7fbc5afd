-- What the worker calls to make digests and to send mail. No transaction is open while a server is talked to. Protocol
-- 5.6.

create or replace function api_worker.make_digests(at_most integer)
returns integer
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_night   integer := engine.last_night();
  v_now     timestamptz := clock_timestamp();
  v_looked  integer := 0;
  v_content jsonb;
  v_told    text[];
  v         record;
begin
  for v in
    select m.account_id, m.id, m.nightly, m.told
      from oauth.mail_addresses m
     where m.stopped_at is null and m.digest_night < v_night
     order by m.digest_night
     limit make_digests.at_most
       for no key update skip locked
  loop
    v_looked := v_looked + 1;
    v_content := api_human.mail_content(v.account_id, v_night);
    v_told := engine.warned_of(v_content -> 'warnings');
    update oauth.mail_addresses m
       set digest_night = v_night,
           told = coalesce((select jsonb_object_agg(t.key, t.value)
                              from jsonb_each(v.told) t
                             where t.value::integer > v_night - engine.told_nights_back()), '{}')
                  || coalesce((select jsonb_object_agg(w.told, v_night) from unnest(v_told) w (told)), '{}')
     where m.account_id = v.account_id;
    if not v.told ?& v_told or v.nightly and v_content -> 'night' <> 'null' then
      insert into hill.mails (account_id, address_id, kind, about, made_at, until, due_at)
      values (v.account_id, v.id, 'digest', v_night::text, v_now,
              v_now + make_interval(hours => engine.digest_hours()), v_now)
          on conflict do nothing;
    end if;
  end loop;
  return v_looked;
end
$$;

create or replace function api_worker.take_mail()
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now     timestamptz;
  v_night   integer;
  v_mail    hill.mails;
  v_address text;
  v_content jsonb;
begin
  loop
    v_now := clock_timestamp();
    v_night := engine.last_night();
    select m.* into v_mail
      from hill.mails m
     where m.ended_at is null and m.due_at <= v_now
     order by m.due_at
     limit 1
       for no key update skip locked;
    if not found then
      return null;
    end if;
    v_address := case when v_mail.until > v_now then engine.mailed_to(v_mail) end;
    v_content := case
      when v_mail.kind = 'confirm' then '{}'   -- nothing in it is of the account's choice: its bearer knows nobody here
      when v_mail.kind <> 'digest' then
        v_mail.facts || (select jsonb_build_object('name', a.name) from hill.accounts a where a.id = v_mail.account_id)
      -- that of a night that is not the last one any more is no news
      when v_mail.about = v_night::text then
        api_human.mail_content(v_mail.account_id, v_night)
        || jsonb_build_object('headline', engine.headline(v_night), 'stories', engine.stories(v_night))
    end;
    exit when v_address is not null and v_content is not null
          and (v_mail.kind <> 'digest' or v_content -> 'night' <> 'null' or v_content -> 'warnings' <> '[]');
    update hill.mails m set ended_at = v_now, ended_as = 'dropped', facts = '{}' where m.id = v_mail.id;
  end loop;
  update hill.mails m
     set attempts = m.attempts + 1,
         -- nobody said what became of the last one
         unsure = m.unsure + (m.attempts > 0 and m.outcome is null)::integer,
         outcome = null,
         status = null,
         tried_at = v_now,
         due_at = v_now + engine.mail_lease()
   where m.id = v_mail.id
  returning m.attempts, m.unsure into v_mail.attempts, v_mail.unsure;
  return jsonb_build_object(
    'id', v_mail.id,
    'address_id', v_mail.address_id,
    'address', v_address,
    'kind', v_mail.kind,
    'about', v_mail.about,
    'made_at', engine.iso(v_mail.made_at),
    'attempt', v_mail.attempts,
    'unsure', v_mail.unsure,
    'content', v_content);
end
$$;

create or replace function api_worker.end_mail(id uuid, attempt integer, outcome text, status integer)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now  timestamptz := clock_timestamp();
  v_mail hill.mails;
  v_as   text;
begin
  select m.* into v_mail
    from hill.mails m
   where m.id = end_mail.id and m.ended_at is null
     -- what was sent was sent, however late the worker says so; a failure that another attempt overtook is ignored
     and (m.attempts = end_mail.attempt or end_mail.outcome = 'sent')
     for no key update;
  if not found then
    return jsonb_build_object('state', 'over');
  end if;
  v_mail.due_at := v_now + engine.retry_delay(v_mail.attempts);
  v_as := case
    when end_mail.outcome in ('sent', 'refused') then end_mail.outcome
    when v_mail.due_at >= v_mail.until then 'given_up'
  end;
  update hill.mails m
     set outcome = end_mail.outcome,
         status = end_mail.status,
         unsure = m.unsure + (end_mail.outcome = 'lost')::integer,
         due_at = v_mail.due_at,
         ended_at = case when v_as is not null then v_now end,
         ended_as = v_as,
         facts = case when v_as is null then m.facts else '{}' end
   where m.id = end_mail.id;
  if v_as = 'refused' then
    perform engine.stop_refused(v_mail);
  end if;
  return jsonb_build_object('state', coalesce(v_as, 'waiting'));
end
$$;

create or replace function api_worker.forget_mails()
returns bigint language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select trusted.forget_mails() $$;

comment on function api_worker.make_digests is
'Looks at accounts whose address has not been looked at since the last bell, so many at most, and writes a digest '
'for those that have news: a warning that was not mailed lately, or, where the human wants each night, a night that '
'was something for it. Returns how many were looked at: call it again until that is 0. Any number of callers are '
'harmless. Protocol 5.6.';
comment on function api_worker.take_mail is
'The mail that has been due longest, null if none is: id, kind, about, address with the id that its tokens are '
'derived from (address_id), made_at, the number of the attempt, how many of those before may have arrived (unsure), '
'and its content, read now: that of a digest as api_human.mail_content has it, with the night''s headline and stories '
'(engine.stories). What is too old, for another address, or empty by now is dropped. Nobody else sends it for '
'engine.mail_lease. Protocol 5.6.';
comment on function api_worker.end_mail is
'Records the outcome of an attempt: sent; refused, for good, by the server of the address, to which nothing more is '
'sent; lost, of which nobody knows whether it arrived; anything else is a failure. The last two are tried again '
'after engine.retry_delay, until the mail is too old. Returns state: sent, refused, waiting, given_up, or over if '
'there was nothing to record. Protocol 5.6.';
comment on function api_worker.forget_mails is
'trusted.forget_mails(): how many were deleted.';

grant execute on function
  api_worker.make_digests,
  api_worker.take_mail,
  api_worker.end_mail,
  api_worker.forget_mails
  to hill_worker;
