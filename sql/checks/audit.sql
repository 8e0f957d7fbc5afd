-- Whether what staff have set, and what accounts are called, is what was written down when it was done. Rules 18.1.

-- The last entry of the audit log for each account that says whether it has a mark: actions that set it, and the key of
-- details that says whether (null: the first of the actions sets it).
create or replace function engine.last_marks(actions text[], key text)
returns table (account_id uuid, entry_id bigint, marked boolean)
language sql stable parallel safe security invoker
begin atomic
  select distinct on (l.account_id) l.account_id, l.id,
         case when last_marks.key is null then l.action = last_marks.actions[1]
              else (l.details ->> last_marks.key)::boolean end
    from hill.audit_log l
   where l.action = any (last_marks.actions) and l.account_id is not null
   order by l.account_id, l.id desc;
end;

-- What each account has that staff or Stripe set, and what the audit log says of it last.
create or replace function engine.marks_compared()
returns table (mark text, account_id uuid, marked boolean, entry_id bigint, logged boolean)
language sql stable parallel safe security invoker
begin atomic
  select 'suspended', a.id, a.suspended_at is not null, l.entry_id, coalesce(l.marked, false)
    from hill.accounts a
    left join engine.last_marks(array['suspend_account', 'restore_account'], 'suspended') l on l.account_id = a.id
   union all
  select 'barred', a.id, a.barred_at is not null, l.entry_id, coalesce(l.marked, false)
    from hill.accounts a
    left join engine.last_marks(array['bar_deposits', 'lift_bar'], null) l on l.account_id = a.id
   union all
  select 'marked as a founder', a.id, a.founder, l.entry_id, coalesce(l.marked, false)
    from hill.accounts a
    left join engine.last_marks(array['mark_founder'], 'founder') l on l.account_id = a.id
   union all
  -- a closed account has no profile left
  select 'hidden', a.id, h.account_id is not null, l.entry_id, coalesce(l.marked, false) and c.account_id is null
    from hill.accounts a
    left join hill.hidden_profiles h on h.account_id = a.id
    left join hill.closings c on c.account_id = a.id
    left join engine.last_marks(array['hide_profile'], 'hidden') l on l.account_id = a.id;
end;

-- Words that staff hide, and what the audit log says of them last.
create or replace function engine.hidden_compared()
returns table (account_id uuid, day integer, slot integer, said_in text, hidden boolean, logged boolean)
language sql stable parallel safe security invoker
begin atomic
  select coalesce(h.account_id, l.account_id), coalesce(h.day, l.day), coalesce(h.slot, l.slot),
         coalesce(h.said_in, l.said_in), h.account_id is not null, coalesce(l.hidden, false)
    from hill.hidden_words h
    full join (
      select distinct on (l.account_id, l.slot, l.action, l.details -> 'day')
             l.account_id, l.slot, (l.details ->> 'day')::integer as day, substr(l.action, 6) as action,
             case l.action when 'hide_message' then 'move' else 'announcement' end as said_in,
             (l.details ->> 'hidden')::boolean and c.account_id is null as hidden
        from hill.audit_log l
        left join hill.closings c on c.account_id = l.account_id
       where l.action in ('hide_message', 'hide_announcement')
       order by l.account_id, l.slot, l.action, l.details -> 'day', l.id desc) l
      on (l.account_id, l.day, l.slot, l.said_in) = (h.account_id, h.day, h.slot, h.said_in);
end;

-- As engine.check_audit, for those who may not read the audit log.
create or replace function trusted.check_audit()
returns setof engine.check
language sql stable parallel safe security definer  -- hill_owner: reasons and hidden words are for staff alone
set search_path to pg_catalog, pg_temp
as $$
  select 'The audit log is as its chain has it', (select count(*) from hill.audit_log), count(*),
         (array_agg('entry ' || f.entry_id || coalesce(' about ' || engine.account_words(f.account_id), '') || ' '
                    || f.fault order by f.entry_id))[1]
    from trusted.audit_faults() f

   union all
  select 'Each suspension, bar, founder and hidden profile is in the audit log', count(*),
         count(*) filter (where m.marked <> m.logged),
         min(format('%s %s %s, and the audit log says otherwise%s', engine.account_words(m.account_id),
                    case when m.marked then 'is' else 'is not' end, m.mark,
                    coalesce(' in entry ' || m.entry_id, ': it has no such entry')))
           filter (where m.marked <> m.logged)
    from engine.marks_compared() m

   union all
  select 'Words are hidden where the audit log says so, and nowhere else', count(*),
         count(*) filter (where h.hidden <> h.logged),
         min(format('%s on place %s, day %s: the %s %s hidden, and the audit log says otherwise',
                    engine.account_words(h.account_id), h.slot, h.day, h.said_in,
                    case when h.hidden then 'is' else 'is not' end)) filter (where h.hidden <> h.logged)
    from engine.hidden_compared() h

   union all
  select 'Staff are who the audit log says', count(*), count(*) filter (where x.role is distinct from x.logged),
         min(format('%s is %s, by the audit log %s', engine.account_words(x.account_id), coalesce(x.role, 'no staff'),
                    coalesce(x.logged, 'no staff'))) filter (where x.role is distinct from x.logged)
    from (select coalesce(m.account_id, l.account_id) as account_id, m.role, l.role as logged
            from hill.staff_members m
            full join (
              select distinct on (l.account_id) l.account_id,
                     case when l.action = 'set_staff' and c.account_id is null then l.details ->> 'role' end as role
                from hill.audit_log l
                left join hill.closings c on c.account_id = l.account_id
               where l.action in ('set_staff', 'remove_staff') and l.account_id is not null
               order by l.account_id, l.id desc) l on l.account_id = m.account_id) x

   union all
  select 'Each name is the one whose looks were kept when it was given', count(*), count(*) filter (where x.wrong),
         min(format('%s is called %s', engine.account_words(x.id), quote_literal(x.name))) filter (where x.wrong)
    from (select a.id, n.name,
                 -- of all its looks the one as it is written
                 engine.skeleton(n.name) <> all (s.skeletons || ''::text) as wrong
            from (select s.account_id, array_agg(s.skeleton) as skeletons
                    from hill.name_skeletons s group by s.account_id) s
            join hill.accounts a on a.id = s.account_id
            left join hill.hidden_profiles h on h.account_id = a.id
           cross join lateral (select coalesce(h.name, a.name) as name) n) x

   union all
  select 'Each cap is the one that its human set last', count(*), count(*) filter (where x.wrong),
         min(format('%s may spend %s cents a day with stakes of %s, and %s a week; its human set %s, %s and %s',
                    engine.account_words(x.account_id), x.daily_cap_cents, x.max_stake_cents,
                    coalesce(x.weekly_cap_cents::text, 'any'), x.set_daily, x.set_stake,
                    coalesce(x.set_weekly::text, 'any'))) filter (where x.wrong)
    from (select m.account_id, m.daily_cap_cents, m.max_stake_cents, m.weekly_cap_cents,
                 c.daily_cap_cents as set_daily, c.max_stake_cents as set_stake, c.weekly_cap_cents as set_weekly,
                 (m.daily_cap_cents, m.max_stake_cents, m.weekly_cap_cents)
                   is distinct from (c.daily_cap_cents, c.max_stake_cents, c.weekly_cap_cents) as wrong
            from hill.mandates m
            join (select distinct on (c.account_id) c.* from hill.caps_set c order by c.account_id, c.id desc) c
              on c.account_id = m.account_id) x
$$;

create or replace function engine.check_audit()
returns setof engine.check
language sql stable parallel safe security invoker
begin atomic
  select c.* from trusted.check_audit() c;
end;

comment on function engine.check_audit is
'Whether the audit log is as its chain of hashes has it, and suspensions, bars, hidden names and words, staff, names '
'and caps are what was written down when they were set. Rules 3.8, 3.11, 5.8, 11.1, 18.1.';

grant execute on function trusted.check_audit to hill_dba;
