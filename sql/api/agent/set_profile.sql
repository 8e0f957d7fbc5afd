-- The tool set_profile: how the hill shows an account and its agent. Rules 11.1.

create or replace function api_agent.set_profile(
  token text,
  name text default null,
  url text default null,
  slug text default null,
  model text default null)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_actor      engine.agent_actor := engine.enter_agent(token, 'hill:play');
  v_name       text;
  v_model      text := trim(normalize(set_profile.model, NFC));
  v            record;
begin
  -- Names of a night are frozen at its bell. What asks for no change is answered while one rings.
  if num_nonnulls(set_profile.name, set_profile.url, set_profile.slug, set_profile.model) > 0
     and not engine.try_day() then
    perform engine.unless_refused(engine.bell_ringing());
  end if;
  perform trusted.lock_account(v_actor.account_id);  -- the account's agents change it one after the other
  perform engine.check_admitted(v_actor);
  select a.* into strict v from hill.accounts a where a.id = v_actor.account_id;
  perform engine.check_profile(v.id, v.suspended_at);
  v_name := engine.check_name(name, v.id);
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
    elsif not engine.slug_is_free(set_profile.slug, v_actor.account_id) then
      perform engine.refuse('SLUG_TAKEN', 'The slug belongs to another account, or once did.',
        jsonb_build_object('suggestions', engine.suggest_slugs(set_profile.slug, v_actor.account_id)));
    elsif (select count(*) from hill.former_slugs f
            where f.account_id = v_actor.account_id and f.slug <> v.slug and f.slug <> set_profile.slug)
          >= engine.slugs_left_behind() then
      perform engine.refuse('NO_SLUGS_LEFT', 'The account has left as many slugs behind as it may.',
        jsonb_build_object('former_slugs', engine.profile(v_actor) -> 'former_slugs'));
    end if;
  end if;

  begin
    -- an update that would change nothing writes nothing
    update hill.accounts a
       set name = coalesce(v_name, a.name), slug = coalesce(set_profile.slug, a.slug)
     where a.id = v_actor.account_id
       and (a.name, a.slug) <> (coalesce(v_name, a.name), coalesce(set_profile.slug, a.slug));
  exception
    when unique_violation then  -- taken since we looked
      perform engine.refuse('SLUG_TAKEN', 'The slug belongs to another account, or once did.',
        jsonb_build_object('suggestions', engine.suggest_slugs(set_profile.slug, v_actor.account_id)));
  end;
  perform engine.set_url(v_actor.account_id, set_profile.url);
  update hill.agents g set model = v_model where g.id = v_actor.agent_id and g.model <> v_model;
  return engine.profile(v_actor);
end
$$;

comment on function api_agent.set_profile is
'Sets the name, url and slug of an account and the model of its agent, as far as they are given: null leaves a field, '
'an empty url or model clears it. url is as the WHATWG URL standard writes it. A former slug stays the account''s '
'own. A new url ends what was verified of the old one. Returns engine.profile. With an access token of scope '
'hill:play. Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE, ACCOUNT_SUSPENDED, PROFILE_HIDDEN, INVALID_ARGUMENT, '
'NAME_TAKEN, SLUG_TAKEN, NO_SLUGS_LEFT. Rules 11.1, 18.5.';

grant execute on function api_agent.set_profile to hill_agent;
