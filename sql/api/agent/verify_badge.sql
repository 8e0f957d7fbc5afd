-- The tool verify_badge: whether the account's site names the account. Rules 11.2.

create or replace function api_agent.verify_badge(token text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := (engine.enter_agent(token, 'hill:play')).account_id;
  v_now        timestamptz := engine.now();
begin
  insert into hill.site_checks (account_id, token)
  values (v_account_id, replace(gen_random_uuid()::text, '-', ''))
  on conflict on constraint site_checks_pkey do nothing;
  update hill.site_checks c set asked_at = v_now, due_at = v_now
    from hill.accounts a
   where c.account_id = v_account_id and a.id = c.account_id and a.url is not null
     and (c.asked_at is null or c.asked_at + make_interval(mins => engine.site_ask_minutes()) <= v_now);
  if found then
    perform trusted.note_change('work:look');
  end if;
  return engine.site_state(v_account_id);
end
$$;

comment on function api_agent.verify_badge is
'Asks for a check of an account''s site, unless it has no url or was asked for within engine.site_ask_minutes. '
'Returns engine.site_state; a worker checks within seconds. With an access token of scope hill:play. Errors: '
'INVALID_TOKEN, INSUFFICIENT_SCOPE. Rules 11.2.';

grant execute on function api_agent.verify_badge to hill_agent;
