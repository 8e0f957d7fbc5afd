-- What the worker calls for its errands outside: deliveries to subscribers, checks of sites.

create or replace function api_worker.take_delivery()
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now timestamptz;
  v     record;
begin
  loop
    v_now := clock_timestamp();
    select d.id, d.subscription_id, d.body, d.attempts + 1 as attempt, s.url, s.sealed_secret,
           g.cut_at is not null or s.ended_at is not null as over
      into v
      from hill.deliveries d
      join hill.subscriptions s on s.id = d.subscription_id
      join hill.agents g on g.id = s.agent_id
     where d.ended_at is null and d.due_at <= v_now and (s.busy_until is null or s.busy_until <= v_now)
     order by d.due_at, d.id limit 1
       for no key update of d, s skip locked;
    if not found then
      return null;
    end if;
    exit when not v.over;
    -- An agent that was cut is sent nothing more, nor is a subscription that ended while a bell wrote to it.
    perform engine.end_subscription(v.subscription_id, 'agent_cut');
  end loop;
  update hill.subscriptions s set busy_until = v_now + interval '60 s' where s.id = v.subscription_id;
  update hill.deliveries d set attempts = v.attempt, tried_at = v_now where d.id = v.id;
  return jsonb_build_object(
    'id', v.id,
    'subscription_id', v.subscription_id,
    'url', v.url,
    'sealed_secret', encode(v.sealed_secret, 'base64'),
    'body', v.body::text,
    'event', v.body ->> 'type',
    'attempt', v.attempt);
end
$$;

create or replace function api_worker.end_delivery(id uuid, attempt integer, outcome text, status integer)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  v     record;
begin
  select d.subscription_id, d.attempts, s.failing_since into v
    from hill.deliveries d join hill.subscriptions s on s.id = d.subscription_id
   where d.id = end_delivery.id and d.ended_at is null
     -- a delivery that arrived has arrived, however late the worker says so; a failure overtaken by another attempt is
     -- ignored
     and (d.attempts = end_delivery.attempt or end_delivery.outcome = 'delivered')
     for no key update of d, s;
  if not found then
    return jsonb_build_object('state', 'over');
  end if;

  if end_delivery.outcome = 'busy' then   -- no attempt was made
    update hill.deliveries d
       set attempts = d.attempts - 1, due_at = v_now + interval '10 s'
     where d.id = end_delivery.id;
    update hill.subscriptions s set busy_until = null where s.id = v.subscription_id;
    return jsonb_build_object('state', 'waiting');
  end if;

  update hill.deliveries d
     set outcome = end_delivery.outcome, status = end_delivery.status
   where d.id = end_delivery.id;
  if end_delivery.outcome = 'delivered' then
    update hill.deliveries d set ended_at = v_now, ended_as = 'delivered' where d.id = end_delivery.id;
    update hill.subscriptions s
       set busy_until = null, failing_since = null, delivered_at = v_now
     where s.id = v.subscription_id;
    return jsonb_build_object('state', 'delivered');
  end if;

  update hill.subscriptions s
     set busy_until = null, failing_since = coalesce(s.failing_since, v_now)
   where s.id = v.subscription_id;
  if end_delivery.outcome = 'gone' then
    perform engine.end_subscription(v.subscription_id, 'gone');
    return jsonb_build_object('state', 'ended');
  end if;
  if v.failing_since <= v_now - make_interval(hours => 24 * engine.failing_days()) then
    perform engine.end_subscription(v.subscription_id, 'failing');
    return jsonb_build_object('state', 'ended');
  end if;
  if v.attempts >= engine.delivery_attempts() then
    update hill.deliveries d set ended_at = v_now, ended_as = 'given_up' where d.id = end_delivery.id;
    return jsonb_build_object('state', 'given_up');
  end if;
  update hill.deliveries d set due_at = v_now + engine.retry_delay(v.attempts) where d.id = end_delivery.id;
  return jsonb_build_object('state', 'waiting');
end
$$;

create or replace function api_worker.take_site_check()
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := engine.now();
  v     record;
begin
  select c.account_id, c.token, a.url, a.slug,
         (select jsonb_agg(f.slug order by f.slug)
            from hill.former_slugs f
           where f.account_id = c.account_id) as former into v
    from hill.site_checks c join hill.accounts a on a.id = c.account_id
   where c.due_at <= v_now and (c.busy_until is null or c.busy_until <= clock_timestamp()) and a.url is not null
   order by c.due_at limit 1
     for no key update of c skip locked;
  if not found then
    return null;
  end if;
  update hill.site_checks c set busy_until = clock_timestamp() + interval '60 s' where c.account_id = v.account_id;
  return jsonb_build_object(
    'account_id', v.account_id,
    'url', v.url,
    'token', v.token,
    'slugs', jsonb_build_array(v.slug) || coalesce(v.former, '[]'));
end
$$;

create or replace function api_worker.end_site_check(
  account_id uuid,
  url text,
  result text,
  status integer,
  tag boolean,
  badge boolean)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now      timestamptz := engine.now();
  v_failures integer;
  v_found    boolean := end_site_check.tag is not null;   -- whether the page was read
  v          record;
begin
  perform engine.enter_day();
  select a.url, a.verified, a.badge, c.failures into v
    from hill.site_checks c join hill.accounts a on a.id = c.account_id
   where c.account_id = end_site_check.account_id for no key update of c, a;
  if end_site_check.result = 'busy' then   -- no check was made
    update hill.site_checks c
       set busy_until = null, due_at = v_now + interval '10 s'
     where c.account_id = end_site_check.account_id;
    return jsonb_build_object('state', 'waiting');
  end if;
  if v.url is distinct from end_site_check.url then
    -- the account has another site by now: what this one shows does not matter any more
    update hill.site_checks c
       set busy_until = null, due_at = case when v.url is not null then v_now end
     where c.account_id = end_site_check.account_id;
    return jsonb_build_object('state', 'another_site');
  end if;

  v_failures := case when v_found then 0 else v.failures + 1 end;
  if v_found then
    v.badge := end_site_check.badge;
    v.verified := end_site_check.tag or end_site_check.badge;
  elsif v_failures >= engine.site_patience() then
    v.badge := false;
    v.verified := false;
  end if;
  -- an icon is that of a verified site
  update hill.accounts a set verified = v.verified, badge = v.badge, icon = a.icon and v.verified
   where a.id = end_site_check.account_id and (a.verified, a.badge) is distinct from (v.verified, v.badge);
  update hill.site_checks c
     set busy_until = null,
         url = end_site_check.url,
         checked_at = v_now,
         result = end_site_check.result,
         status = end_site_check.status,
         failures = v_failures,
         icon_result = case when v_found then null else c.icon_result end,
         icon_failures = case when c.url = end_site_check.url then c.icon_failures else 0 end,
         -- a site that shows neither is not checked again until asked for; one that did not answer is checked again the
         -- next day
         due_at = case when v.verified then
           v_now + make_interval(hours => 24 * case when v_found then engine.site_check_days() else 1 end)
         end
   where c.account_id = end_site_check.account_id;
  return jsonb_build_object('state', 'checked', 'verified', v.verified, 'badge', v.badge);
end
$$;

create or replace function api_worker.keep_icon(account_id uuid, url text, result text, image bytea)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_failures integer;
  v          record;
begin
  perform engine.enter_day();
  select a.url, a.verified, c.icon_failures, c.icon_hidden into v
    from hill.site_checks c join hill.accounts a on a.id = c.account_id
   where c.account_id = keep_icon.account_id for no key update of c, a;
  if v.url is distinct from keep_icon.url or not v.verified or keep_icon.result = 'busy' then
    return jsonb_build_object('state', 'left');   -- it says nothing of the site that the account has now
  end if;
  v_failures := case when keep_icon.result in ('drawn', 'no_icon') then 0 else v.icon_failures + 1 end;
  update hill.site_checks c
     set icon_result = keep_icon.result, icon_failures = v_failures
   where c.account_id = keep_icon.account_id;
  if v.icon_hidden then
    return jsonb_build_object('state', 'hidden');
  elsif keep_icon.image is not null then
    insert into hill.icons as i (account_id, image, drawn_at)
    values (keep_icon.account_id, keep_icon.image, engine.now())
    on conflict on constraint icons_pkey do update
      set image = excluded.image, drawn_at = excluded.drawn_at where i.image <> excluded.image;
    update hill.accounts a set icon = true where a.id = keep_icon.account_id and not a.icon;
    return jsonb_build_object('state', 'shown');
  elsif keep_icon.result = 'no_icon' or v_failures >= engine.site_patience() then
    update hill.accounts a set icon = false where a.id = keep_icon.account_id and a.icon;
    return jsonb_build_object('state', 'gone');
  end if;
  return jsonb_build_object('state', 'kept');
end
$$;

create or replace function api_worker.errands_due()
returns jsonb language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object(
      'deliver', engine.seconds_to_delivery(),
      'look', engine.seconds_to_site_check(),
      'mail', engine.seconds_to_mail())
$$;

create or replace function api_worker.forget_deliveries()
returns bigint language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select trusted.forget_deliveries() $$;

comment on function api_worker.take_delivery is
'The delivery that has been due longest, null if none is: its address, its sealed secret (base64), its body and the '
'number of the attempt. Nothing else is sent to that subscription until api_worker.end_delivery says what became of '
'it, or 60 s have passed: then it is tried again. Rules 15.3.';
comment on function api_worker.end_delivery is
'Records the outcome of an attempt: delivered; gone (410), which ends the subscription; busy, when none was made; '
'anything else is a failure, tried again after engine.retry_delay, given up after engine.delivery_attempts. A '
'subscription at which nothing has arrived for engine.failing_days ends with the next failure. Returns state: '
'delivered, waiting, given_up, ended, or over if there was nothing to record. Rules 15.3.';
comment on function api_worker.take_site_check is
'The site whose check has been due longest, null if none is: its url, the token of its tag, and the slugs that a '
'badge may name: the account''s own and its former ones. Nobody else checks it until api_worker.end_site_check, or '
'for 60 s.';
comment on function api_worker.end_site_check is
'Records what a check of a site found: tag and badge, both null if the page could not be read, and the reason. Sets '
'verified (either was found) and badge; without verified the icon goes, too. A site that could not be read keeps all '
'of them until engine.site_patience checks in a row have failed, a day apart. A verified site is checked again after '
'engine.site_check_days. If the account has another url by now, that one is checked. Returns state: checked, waiting, '
'another_site.';
comment on function api_worker.keep_icon is
'Records what fetching the icon of an account''s verified site came to, right after a check '
'(api_worker.end_site_check): image with the result drawn; without an image no_icon (the site has none), or the '
'reason. With an image icon is true; with no_icon it is false; any other result leaves the icon as it was until '
'engine.site_patience of them in a row. Returns state: shown, gone, kept, hidden (staff took it away), left (the '
'account has another site by now, or none that is verified). Rules 11.3.';
comment on function api_worker.errands_due is
'Real seconds until a delivery (deliver), a check of a site (look) and a mail (mail) are due, null for none.';
comment on function api_worker.forget_deliveries is 'trusted.forget_deliveries(): how many were deleted.';

grant execute on function
  api_worker.take_delivery,
  api_worker.end_delivery,
  api_worker.take_site_check,
  api_worker.end_site_check,
  api_worker.keep_icon,
  api_worker.errands_due,
  api_worker.forget_deliveries
  to hill_worker;
