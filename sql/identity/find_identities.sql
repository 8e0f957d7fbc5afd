-- Identities by the words of their names and slugs. Rules 11.5; decisions 256.

-- Identities with words in their names or slugs that begin with the words of a text, at most max, in order (line).
-- Rules 11.5.
create or replace function engine.find_identities(text text, max integer)
returns table (identity jsonb, line bigint)
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  with asked as materialized (
    select lower(find_identities.text) as whole
  ), found as (
    (select a.id, a.slug, a.created_at
       from asked q
      cross join lateral engine.account_of_slug(q.whole) s
       join hill.accounts a on a.id = s.account_id)
     union
    (select a.id, a.slug, a.created_at
       from engine.named_accounts(find_identities.text) n (id)
       join hill.accounts a on a.id = n.id)
  )
  select i.identity,
         row_number() over (order by f.slug = q.whole desc, starts_with(f.slug, q.whole) desc, f.created_at, f.id)
    from found f
   cross join asked q
    join engine.identities() i on i.account_id = f.id
   where not engine.veiled_slug(f.slug)
   order by 2 limit find_identities.max
$$;
