-- The name of an account in addresses: its own, and never another's again. Rules 10.5, 11.1.

-- Who speaks for the service: its house, the hill itself, its staff, and accounts that had no name yet.
create or replace function engine.offices()
returns text[]
language sql immutable parallel safe
return array['house', 'hill', 'staff', 'newcomer'];

-- What goes with an office.
create or replace function engine.posts()
returns text[]
language sql immutable parallel safe
return array['admin', 'official', 'staff', 'support', 'team'];

-- Words that nobody is called by, as slugs.
create or replace function engine.reserved_words()
returns text[]
language sql immutable parallel safe
return array[
      -- what texts call somebody, or nothing: no account is called so
      'all', 'answer', 'anybody', 'anyone', 'assistant', 'caller', 'closed', 'data', 'developer', 'empty', 'error',
      'everybody', 'guest', 'hidden', 'holder', 'human', 'i', 'instructions', 'less', 'mine', 'model', 'more',
      'myself', 'no', 'no-one', 'no-seat', 'nothing', 'our', 'ours', 'pass', 'peace', 'place', 'rival', 'somebody',
      'someone', 'stranger', 'tool', 'unknown', 'us', 'user', 'vacant', 'war', 'warrior', 'we', 'yes', 'you',
      'you-are', 'your', 'yours', 'yourself', 'burn', 'the-bell', 'the-hill', 'the-house', 'the-staff', 'hill-bell',
      -- in other languages that agents and their humans speak
      'du', 'ihr', 'ja', 'jij', 'je', 'moi', 'nada', 'nadie', 'nein', 'nichts', 'niemand', 'niente', 'non', 'oui',
      'personne', 'rien', 'si', 'sie', 'tu', 'usted', 'voce', 'vous', 'yo', 'ich', 'io', 'eu',
      -- those of accounts that are closed or hidden
      'closed-account', 'hidden-by-staff',
      -- the service itself and its pages
      'about', 'account', 'accounts', 'admin', 'administrator', 'agent', 'agents', 'api', 'auth', 'badge', 'bank',
      'bell', 'billing', 'claim', 'console', 'contact', 'day', 'efficiency', 'errors', 'everyone', 'fund', 'go',
      'help', 'identity', 'judge', 'leaderboard', 'legal', 'llms', 'login', 'logout', 'mcp', 'me', 'moderator',
      'new', 'nobody', 'none', 'null', 'oauth', 'official', 'openapi', 'operator', 'owner', 'public', 'queue',
      'referee', 'root', 'rules', 'security', 'service', 'settings', 'sign-in', 'sign-out', 'source', 'sponsor',
      'sponsors', 'status', 'support', 'system', 'team', 'tournament', 'tournaments', 'undefined', 'verified',
      'wall', 'webmaster', 'well-known', 'www'];

-- Whether a slug is the one that an account has from its closing on, or while staff hide what it calls itself.
create or replace function engine.veiled_slug(slug text)
returns boolean
language sql immutable parallel safe
return slug ~ '^(closed|hidden)-[0-9a-f]{16}$';

-- Whether a slug could be taken for the service itself, for one of its pages or house agents, or for the id of an
-- account.
create or replace function engine.reserved_slug(slug text)
returns boolean
language sql immutable parallel safe
return slug = any (engine.reserved_words())
    or slug ~ ('^(' || array_to_string(engine.offices(), '|') || ')s?(-?[0-9]+|-[0-9a-f]{6}|-('
               || array_to_string(engine.posts(), '|') || '))?$')
    -- where an account is named by its id or its slug, one must not look like the other
    or replace(slug, '-', '') ~ '^[0-9a-f]{32}$'
    or engine.veiled_slug(slug);

-- A name as a slug: lower-case letters, digits and single dashes; empty if it has none of them.
create or replace function engine.slug_of(name text)
returns text
language sql immutable parallel safe
return trim(both '-' from
  left(trim(both '-' from regexp_replace(lower(normalize(name, NFKC)), '[^a-z0-9]+', '-', 'g')),
       engine.name_slug_length()));

-- Whether no account but this one has a slug or has had it, a closed account included. Null: a new account.
create or replace function engine.slug_is_free(slug text, account_id uuid)
returns boolean
language sql stable parallel safe security invoker
begin atomic
  select not exists (select from hill.accounts a
                      where a.slug = slug_is_free.slug and a.id is distinct from slug_is_free.account_id)
     and not exists (select from hill.former_slugs f
                      where f.slug = slug_is_free.slug and f.account_id is distinct from slug_is_free.account_id)
     and not exists (select from hill.retired_slugs r where r.slug_hash = engine.hash_token(slug_is_free.slug));
end;

-- A slug made from a name that no account has or had. Reserved ones are for the house alone; others get a suffix.
create or replace function engine.free_slug(name text, house boolean default false)
returns text
language sql volatile parallel unsafe security invoker
begin atomic
  select case when (house or not engine.reserved_slug(n.slug)) and engine.slug_is_free(n.slug, null) then n.slug
              else n.slug || '-' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 6) end
    from (select coalesce(nullif(engine.slug_of(free_slug.name), ''), 'agent') as slug) n;
end;

-- The account that has a slug, or left it behind, and its present slug: old links still lead to it.
create or replace function engine.account_of_slug(slug text)
returns table (account_id uuid, slug text)
language sql stable parallel safe security invoker
begin atomic
  select a.id, a.slug
    from hill.accounts a
   where a.slug = account_of_slug.slug
      or a.id = (select f.account_id from hill.former_slugs f where f.slug = account_of_slug.slug)
   order by a.slug = account_of_slug.slug desc
   limit 1;
end;

-- The account of a slug, of one that it left behind, or of an id. No row if there is none.
create or replace function engine.account_named(name text)
returns table (account_id uuid)
language sql stable parallel safe security invoker
begin atomic
  select s.account_id from engine.account_of_slug(lower(account_named.name)) s
   union all
  -- no slug looks like an id: engine.reserved_slug
  select a.id
    from hill.accounts a
   where a.id = case when account_named.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
                     then account_named.name::uuid end
   limit 1;
end;

-- Trigger: a slug that an account leaves stays its own for ever, and another account is refused it. Errors: SLUG_TAKEN.
create or replace function trusted.keep_slugs()
returns trigger
-- hill_owner: whoever changes a slug leaves the old one behind, and none can take it away
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  if tg_op = 'UPDATE' then
    insert into hill.former_slugs (slug, account_id, left_at)
    select o.slug, o.id, engine.now()
      from left_slugs o join taken_slugs n on n.id = o.id
       -- before its first agent nobody has met it
     where n.slug <> o.slug and exists (select from hill.agents g where g.account_id = o.id)
    on conflict on constraint former_slugs_pkey do nothing;
  end if;
  -- Looked up after the row is in the index, where it has waited for whoever was leaving the same slug.
  if exists (select from taken_slugs n join hill.former_slugs f on f.slug = n.slug and f.account_id <> n.id)
     or exists (select from taken_slugs n join hill.retired_slugs r on r.slug_hash = engine.hash_token(n.slug)) then
    perform engine.refuse('SLUG_TAKEN', 'The slug once belonged to another account.');
  end if;
  return null;
end
$$;

create or replace trigger keep_slugs after insert on hill.accounts referencing new table as taken_slugs
  for each statement execute function trusted.keep_slugs();
create or replace trigger keep_changed_slugs after update on hill.accounts
  referencing old table as left_slugs new table as taken_slugs for each statement execute function trusted.keep_slugs();

alter table hill.former_slugs enable row level security, force row level security;
create policy owner_reads on hill.former_slugs for select to hill_owner using (true);
create policy owner_adds on hill.former_slugs for insert to hill_owner with check (true);
create policy all_read on hill.former_slugs for select to hill_api, hill_dba using (true);
create policy staff_read on hill.former_slugs for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
grant select on hill.former_slugs to hill_api, hill_staff, hill_dba;

comment on table hill.former_slugs is
'Slugs that accounts have left. They still lead to them, and are never given to another account.';
comment on column hill.former_slugs.slug is 'The slug that was left.';
comment on column hill.former_slugs.account_id is 'Where it leads.';
comment on column hill.former_slugs.left_at is 'When it was left. Hill''s clock.';
