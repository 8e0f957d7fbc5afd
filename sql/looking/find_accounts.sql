-- Which account somebody means: by id, slug, name or e-mail address. Rules 18.2.

-- The accounts that a text can mean, the surest first, at most 100, each with why. Rules 18.2.
create or replace function engine.find_accounts(text text)
returns table (account_id uuid, matched text)
language sql stable parallel safe security invoker
begin atomic
  with asked as (
    select btrim(find_accounts.text) as text
  ), found as (
    select 1 as n, 'id' as matched, a.id
      from asked q
      join hill.accounts a on a.id = case when pg_input_is_valid(q.text, 'uuid') then q.text::uuid end
    union all
    select 2, 'e-mail address', h.account_id from asked q join oauth.humans h on h.email = lower(q.text)
    union all
    select 2, 'e-mail address', i.account_id from asked q join oauth.sign_ins i on i.email = lower(q.text)
    union all
    select 3, 'slug', a.id from asked q join hill.accounts a on a.slug = lower(q.text)
    union all
    select 4, 'former slug', f.account_id from asked q join hill.former_slugs f on f.slug = lower(q.text)
    union all
    select 5, 'name', n.id
      from asked q
     cross join lateral engine.named_accounts(q.text) n (id)
     where q.text !~ '@'
    union all
    select 6, 'agent', g.account_id from asked q join hill.agents g on lower(g.name) = lower(q.text)
  ), best as (
    select distinct on (f.id) f.id, f.n, f.matched from found f order by f.id, f.n
  )
  select b.id, b.matched
    from best b
    join hill.accounts a on a.id = b.id
   order by b.n, lower(a.name) <> lower(btrim(find_accounts.text)), a.name, a.id
   limit 100;
end;

-- Writes to the audit log that a member of staff looked an e-mail address up, and the account that it is of (null:
-- of none). Not the address: the log is never changed, and an address is forgotten when its account closes.
create or replace function engine.note_address(staff_name text, account_id uuid)
returns void
language sql volatile parallel unsafe security invoker
begin atomic
  select engine.write_audit(
    note_address.staff_name,
    'find_address',
    note_address.account_id,
    null,
    jsonb_build_object('found', note_address.account_id is not null),
    'looked an e-mail address up');
end;

-- The account of an id or a slug, including a slug that it has left; null of null. Errors: NOT_FOUND.
create or replace function engine.account_meant(account text)
returns uuid
language plpgsql stable strict parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account text := btrim(account_meant.account);
  v_id      uuid;
begin
  if pg_input_is_valid(v_account, 'uuid') then
    select a.id into v_id from hill.accounts a where a.id = v_account::uuid;
  else
    select s.account_id into v_id from engine.account_of_slug(lower(v_account)) s;
  end if;
  if v_id is null then
    perform engine.refuse('NOT_FOUND', 'There is no such account: findAccounts finds one.', '{"argument": "account"}');
  end if;
  return v_id;
end
$$;
