-- Verified and badge: whether the site that an account names shows its tag or its badge. Rules 11.2.

-- What is known of an account's site.
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

-- Gives an account the token of its tag, if it has none yet.
create or replace function engine.give_site_token(account_id uuid)
returns void
language sql volatile parallel unsafe security invoker
begin atomic
  insert into hill.site_checks (account_id, token)
  values (give_site_token.account_id, replace(gen_random_uuid()::text, '-', ''))
  on conflict on constraint site_checks_pkey do nothing;
end;

-- Asks for a check of an account's site, unless it has none or was asked for within engine.site_ask_minutes. Gives its
-- state; a worker checks within seconds. Rules 11.2.
create or replace function engine.ask_for_check(account_id uuid)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := engine.now();
begin
  perform engine.give_site_token(account_id);
  update hill.site_checks c set asked_at = v_now, due_at = v_now
    from hill.accounts a
   where c.account_id = ask_for_check.account_id and a.id = c.account_id and a.url is not null
     and (c.asked_at is null or c.asked_at + make_interval(mins => engine.site_ask_minutes()) <= v_now);
  if found then
    perform trusted.note_change('work:look');
  end if;
  return engine.site_state(account_id);
end
$$;

-- Real seconds until a site is due for a check, 0 or less if one is due now, null if none is or the clock stands still.
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
