-- Staff hide what an account calls itself, or show it again. Rules 18.5; decisions 224.

-- Keeps name, slug, url and models of an account for staff, and shows others in their stead. Rules 18.5.
create or replace function trusted.veil_profile(account_id uuid, now timestamptz)
returns void
language plpgsql volatile parallel unsafe security definer  -- hill_owner: staff name nobody
set search_path to pg_catalog, pg_temp
as $$
begin
  insert into hill.hidden_profiles (account_id, name, slug, url, verified, badge, models, hidden_at)
  select a.id, a.name, a.slug, a.url, a.verified, a.badge,
         (select coalesce(jsonb_object_agg(g.id, g.model), '{}')
            from hill.agents g where g.account_id = a.id and g.model <> ''),
         veil_profile.now
    from hill.accounts a
   where a.id = veil_profile.account_id;
  -- the slug stays the account's own, whether or not anybody has met it
  insert into hill.former_slugs (slug, account_id, left_at)
  select a.slug, a.id, veil_profile.now from hill.accounts a where a.id = veil_profile.account_id
  on conflict on constraint former_slugs_pkey do nothing;
  update hill.accounts a
     set name = 'Hidden by staff', slug = 'hidden-' || right(replace(a.id::text, '-', ''), 16), url = null
   where a.id = veil_profile.account_id;
  update hill.agents g set model = '' where g.account_id = veil_profile.account_id and g.model <> '';
end
$$;

-- Gives an account its name, slug, url and models back, as they were. The caller holds the account. Rules 18.5.
create or replace function trusted.unveil_profile(account_id uuid)
returns void
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
declare
  v_veil    text := (select a.slug from hill.accounts a where a.id = unveil_profile.account_id);
  v_profile hill.hidden_profiles;
begin
  delete from hill.hidden_profiles h where h.account_id = unveil_profile.account_id returning h.* into v_profile;
  update hill.accounts a
     set name = v_profile.name,
         slug = v_profile.slug,
         url = v_profile.url,
         verified = v_profile.verified,
         badge = v_profile.badge
   where a.id = unveil_profile.account_id;
  update hill.agents g set model = v_profile.models ->> g.id::text
   where g.account_id = unveil_profile.account_id and v_profile.models ? g.id::text;
  delete from hill.former_slugs f where f.account_id = unveil_profile.account_id and f.slug = v_veil;
end
$$;

-- Whether staff hide what an account calls itself. Rules 18.5.
create or replace function engine.profile_hidden(account_id uuid)
returns boolean
language sql stable parallel safe security invoker
begin atomic
  select exists (select from hill.hidden_profiles h where h.account_id = profile_hidden.account_id);
end;

grant execute on function trusted.veil_profile, trusted.unveil_profile to hill_api_staff;

create policy staff_looks on hill.hidden_profiles for select to hill_api_staff using (true);
create policy staff_read on hill.hidden_profiles for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
create policy own_read on hill.hidden_profiles for select to hill_api_agent, hill_api_human
  using (account_id = (select engine.actor_account()));
create policy owner_keeps on hill.hidden_profiles to hill_owner using (true) with check (true);
grant select on hill.hidden_profiles to hill_api_staff, hill_staff, hill_api_agent, hill_api_human;

comment on table hill.hidden_profiles is
'What accounts call themselves that staff hide, under which everybody else reads "Hidden by staff". models: those of '
'its agents, by id. Rules 18.5.';
comment on column hill.hidden_profiles.account_id is 'Whose profile staff hide.';
comment on column hill.hidden_profiles.name is 'Its name, which it gets back when it is shown again.';
comment on column hill.hidden_profiles.slug is 'Its slug, which it gets back.';
comment on column hill.hidden_profiles.url is 'Its site, which it gets back; null if it named none.';
comment on column hill.hidden_profiles.verified is 'Whether the site was verified.';
comment on column hill.hidden_profiles.badge is 'Whether the site showed the badge.';
comment on column hill.hidden_profiles.models is
'What its agents ran on, by agent id; without those that had not said.';
comment on column hill.hidden_profiles.hidden_at is 'When staff hid it. Hill''s clock.';
