-- The counters of identities, and where their links lead. Rules 10.8.

create or replace function api_public.counters(ids text[])
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  if ids is null or cardinality(ids) not between 1 and engine.counters_at_once() then
    perform engine.refuse('INVALID_ARGUMENT', 'ids is out of bounds.', jsonb_build_object(
      'argument', 'ids',
      'minimum', 1,
      'maximum', engine.counters_at_once()));
  end if;
  return (select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'slug', a.slug) || c.counters order by f.n), '[]')
            from (select g.account_id, min(g.n) as n
                    from (select i.n,
                                 coalesce((select s.account_id from engine.account_of_slug(lower(i.id)) s),
                                          case when i.id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
                                               then i.id::uuid end) as account_id
                            from unnest(ids) with ordinality i (id, n)) g
                   group by g.account_id) f
            join hill.accounts a on a.id = f.account_id
            join engine.counters() c on c.account_id = a.id);
end
$$;

comment on function api_public.counters is
'Views, clicks and agents'' reads of identities, by account ids or slugs (1 to 100), in the order given: id, slug, '
'views, clicks, agents. Unknown ones are left out, and one that is named twice is given once. They are at most a '
'minute old: see engine.counters. '
'Errors: INVALID_ARGUMENT. Rules 10.8.';

create or replace function api_public.link_of(slug text)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_link jsonb;
begin
  select jsonb_build_object('accountId', a.id, 'name', a.name, 'slug', a.slug, 'url', a.url) into v_link
    from engine.account_of_slug(lower(link_of.slug)) s join hill.accounts a on a.id = s.account_id;
  if v_link is null then
    perform engine.refuse('NOT_FOUND', 'There is no such identity.');
  end if;
  return v_link;
end
$$;

comment on function api_public.link_of is
'Where the link of an identity leads, by a slug that it has or had: accountId, name, slug, url (null where it has '
'none). '
'Errors: NOT_FOUND.';

create or replace function api_public.add_counts(counts jsonb)
returns integer
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_counted integer;
begin
  if jsonb_typeof(counts) is distinct from 'object' then
    perform engine.refuse('INVALID_ARGUMENT', 'counts is an object.', '{"argument": "counts"}');
  end if;
  insert into hill.identity_counters as c (account_id, shown_until, views, clicks, agents)
  select a.id, now() + engine.counters_stand(),
         coalesce(sum(least(greatest(x.views, 0), engine.counted_maximum())), 0),
         coalesce(sum(least(greatest(x.clicks, 0), engine.counted_maximum())), 0),
         coalesce(sum(least(greatest(x.agents, 0), engine.counted_maximum())), 0)
    from jsonb_each(counts) e
   cross join lateral jsonb_to_record(e.value) x (views bigint, clicks bigint, agents bigint)
    join hill.accounts a on a.id = case when e.key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then e.key::uuid
                                        else (select s.account_id from engine.account_of_slug(e.key) s) end
   group by a.id
   order by a.id   -- two processes that flush at once lock in one order
  on conflict (account_id) do update
     set views = c.views + excluded.views, clicks = c.clicks + excluded.clicks, agents = c.agents + excluded.agents,
         (shown_until, shown_views, shown_clicks, shown_agents)
           = (select case when s.stands then c.shown_until else now() + engine.counters_stand() end,
                     case when s.stands then c.shown_views else c.views end,
                     case when s.stands then c.shown_clicks else c.clicks end,
                     case when s.stands then c.shown_agents else c.agents end
                from (select c.shown_until > now() as stands) s);
  get diagnostics v_counted = row_count;
  return v_counted;
end
$$;

comment on function api_public.add_counts is
'Adds what a web process has counted in some seconds: an object of account ids or slugs, each with views, clicks and '
'agents. It can only add, and only to these three numbers; the values shown stay for most of a minute. Returns how '
'many accounts were counted; unknown ones are left out. '
'Errors: INVALID_ARGUMENT. Rules 10.8.';

grant execute on function api_public.counters, api_public.link_of, api_public.add_counts to hill_public;
