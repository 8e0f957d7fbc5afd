-- What an account shows of itself: name, slug and address; and its agent, its model. Rules 10.5, 11.1.

-- How the hill shows an agent and its account.
create or replace function engine.profile(actor engine.agent_actor)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select jsonb_build_object(
      'account_id', a.id,
      'name', a.name,
      'slug', a.slug,
      'url', a.url,
      'verified', a.verified,
      'badge', a.badge,
      'agent_id', g.id,
      'agent_name', g.name,
      'model', g.model,
      'former_slugs', f.slugs,
      'slug_changes_left', greatest(0, engine.slugs_left_behind() - jsonb_array_length(f.slugs)))
    from hill.accounts a
    join hill.agents g on g.id = (profile.actor).agent_id
   cross join lateral (select coalesce(jsonb_agg(s.slug order by s.left_at, s.slug), '[]') as slugs
                         from hill.former_slugs s where s.account_id = a.id and s.slug <> a.slug) f
   where a.id = (profile.actor).account_id;
end;

-- Raises why an account may not change how it is shown. Errors: ACCOUNT_SUSPENDED, PROFILE_HIDDEN.
create or replace function engine.check_profile(account_id uuid, suspended_at timestamptz)
returns void
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if suspended_at is not null then
    perform engine.refuse('ACCOUNT_SUSPENDED', 'The account is suspended.');
  end if;
  if engine.profile_hidden(account_id) then
    perform engine.refuse('PROFILE_HIDDEN', 'Staff hide the profile of the account.');
  end if;
end
$$;

-- Three free slugs like one that is taken.
create or replace function engine.suggest_slugs(slug text, account_id uuid)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select coalesce(jsonb_agg(f.slug order by f.n), '[]')
    from (select c.slug, c.n
            from (select n,
                         left(suggest_slugs.slug, engine.slug_maximum_length() - 3)
                         || case when suggest_slugs.slug like '%-' then '' else '-' end || n as slug
                    from generate_series(2, 30) n) c
           where engine.slug_is_free(c.slug, suggest_slugs.account_id) and not engine.reserved_slug(c.slug)
           order by c.n limit 3) f;
end;

-- Trigger: what was verified belonged to the old address.
create or replace function engine.unverify_site()
returns trigger
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  new.verified := false;
  new.badge := false;
  new.icon := false;
  return new;
end
$$;

create or replace trigger unverify_site before update of url on hill.accounts for each row
  when (old.url is not null and new.url is distinct from old.url) execute function engine.unverify_site();

-- Sets the site of an account, whose profile may be changed: null leaves it, an empty text clears it. Errors:
-- INVALID_ARGUMENT. Rules 11.1.
create or replace function engine.set_url(account_id uuid, url text)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_constraint text;
begin
  update hill.accounts a set url = nullif(set_url.url, '')
   where a.id = set_url.account_id and coalesce(a.url, '') <> set_url.url;
exception
  when check_violation then
    get stacked diagnostics v_constraint = constraint_name;
    if v_constraint <> 'accounts_url_check' then
      raise;
    end if;
    perform engine.refuse('INVALID_ARGUMENT',
      format('url is an http or https address without a user name, of at most %s characters.', engine.url_length()),
      jsonb_build_object('argument', 'url', 'max_length', engine.url_length()));
end
$$;
