-- The tables themselves: a partition for each night, closed; every table behind row-level security; no trigger switched
-- off.

create or replace function engine.check_tables()
returns setof engine.check
language sql stable parallel safe security invoker
begin atomic
  select 'Each night has its partitions of moves and settlements, and no other day has',
         count(*),
         count(*) filter (where x.wrong),
         min(format('%s, day %s', x.parent, x.day)) filter (where x.wrong)
    from (select coalesce(d.parent, p.parent) as parent,
                 coalesce(d.day, p.day) as day,
                 d.day is null or p.day is null or p.name <> engine.partition_name(p.parent, p.day) as wrong
            from (select t.parent::name as parent, n.day
                    from hill.nights n
                   cross join (values ('moves'), ('settlements')) t (parent)) d
            full join (select p.parent, p.day, p.name
                         from engine.day_partitions() p
                        where p.parent in ('moves', 'settlements')) p
              on p.parent = d.parent and p.day = d.day) x

   union all
  select 'Two leaderboards are kept, of the last nights that were ranked', count(*), count(*) filter (where x.wrong),
         'day ' || min(x.day) filter (where x.wrong)
    from (select coalesce(b.day, p.day) as day, b.day is null or p.day is null as wrong
            from (select b.day from hill.boards b where b.day = engine.board_day()
                  union
                  select b.day from hill.boards b where b.day = engine.board_day() - 1) b
            full join (select p.day
                         from engine.day_partitions() p
                        where p.parent = 'leaderboard') p on p.day = b.day) x

   union all
  select 'A partition is read through its table alone', count(*), count(*) filter (where x.wrong),
         min(x.name) filter (where x.wrong)
    from (select p.name::text as name,
                 exists (select from aclexplode(c.relacl) a where a.grantee <> c.relowner) as wrong
            from engine.day_partitions() p
            join pg_class c on c.oid = p.relation) x

   union all
  select 'Row-level security binds everyone on every table', count(*), count(*) filter (where x.wrong),
         min(x.name) filter (where x.wrong)
    from (select c.oid::regclass::text as name, not (c.relrowsecurity and c.relforcerowsecurity) as wrong
            from pg_class c
            join pg_namespace n on n.oid = c.relnamespace
           where n.nspname in ('hill', 'oauth') and c.relkind in ('r', 'p')) x

   union all
  select 'No trigger is switched off', count(*), count(*) filter (where x.wrong), min(x.name) filter (where x.wrong)
    from (select t.tgname || ' on ' || t.tgrelid::regclass as name, t.tgenabled not in ('O', 'A') as wrong
            from pg_trigger t
            join pg_class c on c.oid = t.tgrelid
            join pg_namespace n on n.oid = c.relnamespace
           where n.nspname in ('hill', 'oauth') and not t.tgisinternal) x

   union all
  select 'What is sealed is of the day after the last night', count(*), count(*) filter (where x.wrong),
         min(x.bound) filter (where x.wrong)
    from (select coalesce(p.with_check, 'nothing bounds ' || b.name) as bound,
                 substring(p.with_check from $re$\(day = (\d+)\)$re$)::integer
                   is distinct from engine.last_night() + 1 as wrong
            from (values ('own_deposit'), ('house_deposits')) b (name)
            left join pg_policies p
              on p.policyname = b.name and p.schemaname = 'hill' and p.tablename = 'sealed_moves') x;
end;

comment on function engine.check_tables is
'Whether the tables are partitioned, closed and guarded as the bell leaves them. Rules 9.1.';
