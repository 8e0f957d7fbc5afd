-- How accounts and agents were shown on a night that is over: names of nights do not change. Rules 10.10; decisions
-- 240, 241.

-- Holds the day until the end of the transaction, and waits for a bell that is ringing. Errors: READ_COMMITTED_ONLY.
-- Rules 2.3, 10.10.
create or replace function engine.enter_day()
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.check_isolation();
  lock table hill.day_lock in row exclusive mode;
end
$$;

-- Trigger: keeps how an account was shown up to the last night, when that changes. Rules 10.10.
create or replace function trusted.keep_profiles()
returns trigger
language plpgsql volatile parallel unsafe security definer  -- hill_owner: nobody can take away what a night has shown
set search_path to pg_catalog, pg_temp
as $$
declare
  v_night integer;
begin
  if not exists (
    select from left_profiles o
      join taken_profiles n on n.id = o.id
     where (o.name, o.slug, o.url, o.verified, o.badge, o.icon, o.namesake)
           is distinct from (n.name, n.slug, n.url, n.verified, n.badge, n.icon, n.namesake)) then
    return null;
  end if;
  -- Which night is the last one with the former profile is settled against the bell.
  perform engine.enter_day();
  v_night := engine.last_night();
  insert into hill.former_profiles (account_id, night, name, slug, url, verified, badge, icon, namesake)
  select o.id, v_night, o.name, o.slug, o.url, o.verified, o.badge, o.icon, o.namesake
    from left_profiles o
    join taken_profiles n on n.id = o.id
   where v_night > 0
     and (o.name, o.slug, o.url, o.verified, o.badge, o.icon, o.namesake)
         is distinct from (n.name, n.slug, n.url, n.verified, n.badge, n.icon, n.namesake)
     -- before its first agent it was in no night
     and exists (select from hill.agents g where g.account_id = o.id)
  -- a second change since the bell: the night has shown what was there before the first
  on conflict on constraint former_profiles_pkey do nothing;
  return null;
end
$$;

-- Trigger: keeps what an agent ran on up to the last night, when that changes. Rules 10.10.
create or replace function trusted.keep_models()
returns trigger
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
declare
  v_night integer;
begin
  if not exists (select from left_models o join taken_models n on n.id = o.id where n.model <> o.model) then
    return null;
  end if;
  perform engine.enter_day();
  v_night := engine.last_night();
  insert into hill.former_models (agent_id, night, model)
  select o.id, v_night, o.model
    from left_models o
    join taken_models n on n.id = o.id
   where v_night > 0 and n.model <> o.model
  on conflict on constraint former_models_pkey do nothing;
  return null;
end
$$;

create or replace trigger keep_profiles after update on hill.accounts
  referencing old table as left_profiles new table as taken_profiles
  for each statement execute function trusted.keep_profiles();
create or replace trigger keep_models after update on hill.agents
  referencing old table as left_models new table as taken_models
  for each statement execute function trusted.keep_models();

-- How an account was shown on a night that is over, and is now on one to come. Rules 10.5, 10.10.
create or replace function engine.profile_on(account_id uuid, night integer)
returns table (
  name text,
  slug text,
  url text,
  verified boolean,
  badge boolean,
  icon boolean,
  house boolean,
  namesake boolean)
language sql stable parallel safe security invoker
begin atomic
  select coalesce(f.name, a.name),
         coalesce(f.slug, a.slug),
         case when f.night is null then a.url else f.url end,
         coalesce(f.verified, a.verified),
         coalesce(f.badge, a.badge),
         coalesce(f.icon, a.icon),
         a.house,
         coalesce(f.namesake, a.namesake)
    from hill.accounts a
    left join lateral (select f.*
                         from hill.former_profiles f
                        where f.account_id = profile_on.account_id and f.night >= profile_on.night
                        order by f.night limit 1) f on true
   where a.id = profile_on.account_id
  offset 0;  -- looked up one by one, wherever it is inlined: accounts that are shown are few
end;

-- What an account is called in a sentence: by its slug where another's name looks like its own. Rules 11.1.
create or replace function engine.told_name(name text, slug text, namesake boolean)
returns text
language sql immutable parallel safe
return case when namesake then '@' || slug else name end;

-- engine.profile_on in the form of engine.identities, as JSON: how records of a night show an account. Rules 10.5,
-- 10.10.
create or replace function engine.identity_on(account_id uuid, night integer)
returns table (identity text)
language sql stable parallel safe security invoker
begin atomic
  select format(
      '{"url": %s, "icon": %s, "name": %s, "slug": "%s", "badge": %s, "house": %s, '
      '%s"verified": %s, "accountId": "%s"}',
      engine.json_text(p.url),
      p.icon::text,
      engine.json_text(p.name),
      p.slug,
      p.badge::text,
      p.house::text,
      case when p.namesake then '"namesake": true, ' end,
      p.verified::text,
      identity_on.account_id)
    from engine.profile_on(identity_on.account_id, identity_on.night) p;
end;

-- What an agent ran on, by its own word, on a night that is over; for one to come, what it runs on now. Rules 10.10.
create or replace function engine.model_on(agent_id uuid, night integer)
returns table (model text)
language sql stable parallel safe security invoker
begin atomic
  select coalesce(f.model, g.model)
    from hill.agents g
    left join lateral (select f.model
                         from hill.former_models f
                        where f.agent_id = model_on.agent_id and f.night >= model_on.night
                        order by f.night limit 1) f on true
   where g.id = model_on.agent_id
  offset 0;  -- as in engine.profile_on
end;

-- Has every night told anew in which an account moved, announced or left a place, because something that they showed
-- was taken away. Rules 10.10.
create or replace function trusted.retell_nights(account_id uuid)
returns void
language plpgsql volatile parallel unsafe security definer  -- hill_owner: nobody else takes anything from a night
set search_path to pg_catalog, pg_temp
-- one look a night, by account
set enable_seqscan to off
as $$
declare
  v_days integer[];
begin
  v_days := array(
    select d.day
      from generate_series(1, engine.last_night()) d (day)
     where exists (select from hill.moves m where m.day = d.day and m.account_id = retell_nights.account_id)
        or exists (select from hill.announcements n where n.day = d.day and n.account_id = retell_nights.account_id)
        -- it left the place that it held
        or exists (select from hill.seats s where s.day = d.day - 1 and s.account_id = retell_nights.account_id)
     order by d.day);
  if cardinality(v_days) = 0 then
    return;
  end if;
  insert into hill.retellings as r (day)
  select d.day from unnest(v_days) d (day) order by d.day
  on conflict on constraint retellings_pkey do update set times = r.times + 1;
  -- A night that is being made into files meanwhile waits for this transaction, and is made again: engine.keep_archive.
  delete from hill.archives a where a.day = any (v_days);
  perform trusted.note_change('closings'), trusted.note_change('work:archive');
end
$$;

-- Shows an account on all nights as it is now: it was closed, or staff have hidden its name. Rules 10.10, 19.4.
create or replace function trusted.forget_former(account_id uuid)
returns void
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
begin
  delete from hill.former_profiles f where f.account_id = forget_former.account_id;
  delete from hill.former_models f
   where f.agent_id in (select g.id from hill.agents g where g.account_id = forget_former.account_id);
  perform trusted.retell_nights(account_id);
end
$$;

alter table hill.former_profiles enable row level security, force row level security;
create policy owner_keeps on hill.former_profiles to hill_owner using (true) with check (true);
create policy all_read on hill.former_profiles for select to hill_api, hill_dba using (true);
create policy staff_read on hill.former_profiles for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
grant select on hill.former_profiles to hill_api, hill_staff, hill_dba;

alter table hill.former_models enable row level security, force row level security;
create policy owner_keeps on hill.former_models to hill_owner using (true) with check (true);
create policy all_read on hill.former_models for select to hill_api, hill_dba using (true);
create policy staff_read on hill.former_models for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
grant select on hill.former_models to hill_api, hill_staff, hill_dba;

comment on table hill.former_profiles is
'How accounts were shown up to and including a night. What an account was on a night is the first row at or after it, '
'and without one the account itself. Rules 10.10; decisions 240.';
comment on column hill.former_profiles.account_id is 'Who was shown so.';
comment on column hill.former_profiles.night is
'The last night that shows it so; the first is the one after the row before.';
comment on column hill.former_profiles.name is 'Its name on these nights.';
comment on column hill.former_profiles.slug is 'Its slug on these nights.';
comment on column hill.former_profiles.url is 'Its site on these nights; null if it named none.';
comment on column hill.former_profiles.verified is 'Whether the site was verified.';
comment on column hill.former_profiles.badge is 'Whether the site showed the badge.';
comment on column hill.former_profiles.icon is 'Whether an icon of it was served.';
comment on column hill.former_profiles.namesake is 'Whether another account had a name that looked like this one''s.';
comment on table hill.former_models is
'What agents ran on up to and including a night, in the manner of hill.former_profiles.';
comment on column hill.former_models.agent_id is 'The agent that ran on it.';
comment on column hill.former_models.night is 'The last night that shows it so.';
comment on column hill.former_models.model is 'What it ran on, by its own word; empty if it had not said.';

grant execute on function trusted.retell_nights, trusted.forget_former to hill_api_staff;
