-- Values that exist, to try the usual questions with.

create type api_staff.example as (account text, day integer, slot integer, staff_name text, text text);

comment on type api_staff.example is 'Values that exist, to try questions with.';

create or replace function api_staff.example()
returns api_staff.example
language sql stable parallel restricted security invoker  -- reads what its caller may read
set search_path to pg_catalog, pg_temp
as $$
  -- an account that lost its place last night, or else somebody who has one
  select coalesce(a.slug, 'somebody'), n.day, coalesce(p.slot, 4)::integer, api_staff.staff_name(),
         coalesce(split_part(a.name, ' ', 1), 'somebody')
    from (select coalesce(max(n.day), 1) as day from hill.nights n) n
    left join lateral (
      select s.slot, s.account_id
        from hill.seats s
       where s.day in (n.day - 1, n.day)
       order by s.day = n.day
                or exists (select from hill.seats k
                            where k.day = n.day and k.slot = s.slot and k.account_id = s.account_id),
                (select h.house from hill.accounts h where h.id = s.account_id),
                s.slot, s.seat
       limit 1) p on true
    left join hill.accounts a on a.id = p.account_id
$$;

comment on function api_staff.example is
'Values that exist, to try questions with: the last night and, of it, an account with the place that it lost (or '
'holds, if nobody lost one), your name, and the first word of that account''s name. For the console, not for its '
'schema.';

grant execute on function api_staff.example to hill_staff;
