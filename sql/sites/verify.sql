-- sites/verify.sql · verified and badge: whether the site that an account names shows its tag or its badge.
-- Rules 11.2.

create or replace function engine.site_state(account_id uuid)
returns jsonb
language sql volatile parallel unsafe security invoker
begin atomic
  select jsonb_build_object(
      'name', a.name,
      'slug', a.slug,
      'url', a.url,
      'verified', a.verified,
      'badge', a.badge,
      'icon', a.icon,
      'icon_result', case when c.icon_hidden then 'hidden' else c.icon_result end,
      'token', c.token,
      'checking', a.url is not null and coalesce(c.due_at <= engine.now(), false),
      'ask_again_at', engine.iso(c.asked_at + make_interval(mins => engine.site_ask_minutes())),
      'next_check_at', engine.iso(c.due_at),
      'last_check', case when c.checked_at is not null then
        jsonb_build_object('at', engine.iso(c.checked_at), 'url', c.url, 'result', c.result, 'status', c.status) end)
    from hill.accounts a left join hill.site_checks c on c.account_id = a.id where a.id = site_state.account_id;
end;

comment on function engine.site_state is
'What is known of an account''s site: verified, badge, icon, what the last fetch of its icon came to (icon_result: see '
'engine.keep_icon; hidden: staff took it away), the token of its tag, whether a check is under way, when the next one '
'is, and what the last one found.';

create or replace function engine.verify_badge(account_id uuid)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := engine.now();
begin
  insert into hill.site_checks (account_id, token)
  values (verify_badge.account_id, replace(gen_random_uuid()::text, '-', ''))
  on conflict on constraint site_checks_pkey do nothing;
  update hill.site_checks c set asked_at = v_now, due_at = v_now
    from hill.accounts a
   where c.account_id = verify_badge.account_id and a.id = c.account_id and a.url is not null
     and (c.asked_at is null or c.asked_at + make_interval(mins => engine.site_ask_minutes()) <= v_now);
  if found then
    perform engine.note_change('work:look');
  end if;
  return engine.site_state(verify_badge.account_id);
end
$$;

comment on function engine.verify_badge is
'Asks for a check of an account''s site, unless it has no url or was asked for within engine.site_ask_minutes. Returns '
'engine.site_state; a worker checks within seconds. Rules 11.2.';

create or replace function engine.take_site_check()
returns jsonb
language plpgsql volatile parallel unsafe security invoker
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

comment on function engine.take_site_check is
'The site whose check has been due longest, null if none is: its url, the token of its tag, and the slugs that a badge '
'may name: the account''s own and its former ones. Nobody else checks it until engine.end_site_check, or for 60 s.';

create or replace function engine.end_site_check(
  account_id uuid,
  url text,
  result text,
  status integer,
  tag boolean,
  badge boolean)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
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

comment on function engine.end_site_check is
'Records what a check of a site found: tag and badge, both null if the page could not be read, and the reason. Sets '
'verified (either was found) and badge; without verified the icon goes, too. A site that could not be read keeps all '
'of them until engine.site_patience checks in a row have failed, a day apart. A verified site is checked again after '
'engine.site_check_days. If the account has another url by now, that one is checked. Returns state: checked, waiting, '
'another_site.';

create or replace function engine.seconds_to_site_check()
returns double precision
language sql volatile parallel unsafe security invoker
begin atomic
  -- by the hill's clock, which may stand still or run at any pace
  select min(case
           when c.due_at > n.now
             then extract(epoch from c.due_at - n.now)::double precision / nullif(coalesce(s.rate, 1), 0)
           else coalesce(extract(epoch from c.busy_until - clock_timestamp())::double precision, 0)
         end)
    from (select d.account_id, d.due_at, d.busy_until
            from hill.site_checks d
           where d.due_at is not null
           order by d.due_at
           limit 100) c
    join hill.accounts a on a.id = c.account_id and a.url is not null
   cross join hill.settings s cross join (select engine.now() as now) n;
end;

comment on function engine.seconds_to_site_check is
'Real seconds until a site is due for a check, 0 or less if one is due now, null if none is or the clock stands still.';

grant execute on function engine.site_state, engine.verify_badge to hill_api_agent;
grant execute on function
  engine.take_site_check,
  engine.end_site_check,
  engine.seconds_to_site_check
  to hill_api_worker;
