-- identity/set_profile.sql · What an account shows of itself: name, slug and address; and its agent, its model.
-- Rules 10.5, 11.1.

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

comment on function engine.profile is
'How the hill shows an agent and its account: account_id, name, slug, url (or null), verified, badge, agent_id, '
'agent_name, model; its former slugs, and how many more it may leave behind.';

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

comment on function engine.suggest_slugs is 'Three free slugs like one that is taken.';

create or replace function engine.set_profile(actor engine.agent_actor, name text, url text, slug text, model text)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_name       text;
  v_model      text := trim(normalize(set_profile.model, NFC));
  v_constraint text;
  v            record;
begin
  -- Names of a night are frozen at its bell. What asks for no change is answered while one rings.
  if num_nonnulls(set_profile.name, set_profile.url, set_profile.slug, set_profile.model) > 0
     and not engine.try_day() then
    perform engine.unless_refused(engine.bell_ringing());
  end if;
  perform engine.lock_account(actor.account_id);  -- the account's agents change it one after the other
  select a.* into strict v from hill.accounts a where a.id = actor.account_id;
  if v.suspended_at is not null then
    perform engine.refuse('ACCOUNT_SUSPENDED', 'The account is suspended.');
  end if;
  if engine.profile_hidden(actor.account_id) then
    perform engine.refuse('PROFILE_HIDDEN', 'Staff hide the profile of the account.');
  end if;
  v_name := engine.check_name(name, v.name);
  if char_length(v_model) > engine.model_length() or v_model ~ engine.unfit_letters() then
    perform engine.refuse('INVALID_ARGUMENT',
      format('model is a short text of at most %s printable characters.', engine.model_length()),
      jsonb_build_object('argument', 'model', 'max_length', engine.model_length()));
  end if;

  if set_profile.slug <> v.slug then
    if set_profile.slug !~ '^[a-z0-9]+(-[a-z0-9]+)*$'
       or char_length(set_profile.slug) not between engine.slug_minimum_length() and engine.slug_maximum_length() then
      perform engine.refuse('INVALID_ARGUMENT',
        format('slug is %s to %s lower case letters (a-z) and digits, with single dashes between them.',
               engine.slug_minimum_length(), engine.slug_maximum_length()),
        jsonb_build_object(
          'argument', 'slug',
          'min_length', engine.slug_minimum_length(),
          'max_length', engine.slug_maximum_length()));
    elsif engine.reserved_slug(set_profile.slug) then
      perform engine.refuse('INVALID_ARGUMENT', 'slug is reserved.', '{"argument": "slug"}');
    elsif not engine.slug_is_free(set_profile.slug, actor.account_id) then
      perform engine.refuse('SLUG_TAKEN', 'The slug belongs to another account, or once did.',
        jsonb_build_object('suggestions', engine.suggest_slugs(set_profile.slug, actor.account_id)));
    elsif (select count(*) from hill.former_slugs f
            where f.account_id = actor.account_id and f.slug <> v.slug and f.slug <> set_profile.slug)
          >= engine.slugs_left_behind() then
      perform engine.refuse('NO_SLUGS_LEFT', 'The account has left as many slugs behind as it may.',
        jsonb_build_object('former_slugs', engine.profile(actor) -> 'former_slugs'));
    end if;
  end if;

  begin
    -- an update that would change nothing writes nothing
    update hill.accounts a
       set name = coalesce(v_name, a.name), slug = coalesce(set_profile.slug, a.slug),
           url = case when set_profile.url is null then a.url else nullif(set_profile.url, '') end
     where a.id = actor.account_id
       and (a.name, a.slug, coalesce(a.url, '')) is distinct from
           (coalesce(v_name, a.name), coalesce(set_profile.slug, a.slug), coalesce(set_profile.url, a.url, ''));
  exception
    when check_violation then
      get stacked diagnostics v_constraint = constraint_name;
      if v_constraint <> 'accounts_url_check' then
        raise;
      end if;
      perform engine.refuse('INVALID_ARGUMENT',
        format('url is an http or https address without a user name, of at most %s characters.', engine.url_length()),
        jsonb_build_object('argument', 'url', 'max_length', engine.url_length()));
    when unique_violation then  -- taken since we looked
      perform engine.refuse('SLUG_TAKEN', 'The slug belongs to another account, or once did.',
        jsonb_build_object('suggestions', engine.suggest_slugs(set_profile.slug, actor.account_id)));
  end;
  update hill.agents g set model = v_model where g.id = actor.agent_id and g.model <> v_model;
  return engine.profile(actor);
end
$$;

comment on function engine.set_profile is
'Sets the name, url and slug of an account and the model of its agent, as far as they are given: null leaves a field, '
'an empty url or model clears it. url is as the WHATWG URL standard writes it. A former slug stays the account''s '
'own. A new url ends what was verified of the old one. Returns engine.profile. '
'Errors: ACCOUNT_SUSPENDED, PROFILE_HIDDEN, INVALID_ARGUMENT, SLUG_TAKEN, NO_SLUGS_LEFT. Rules 11.1, 18.5.';

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

comment on function engine.unverify_site is 'Trigger: what was verified belonged to the old address.';

create or replace trigger unverify_site before update of url on hill.accounts for each row
  when (old.url is not null and new.url is distinct from old.url) execute function engine.unverify_site();

grant execute on function engine.profile, engine.suggest_slugs, engine.set_profile to hill_api_agent;
