-- How large the tables are, all days of one together, the largest first: rows, and the pages of the table, of its
-- indexes and of its long values, as PostgreSQL last noted them in its catalogue (VACUUM, ANALYZE, CREATE INDEX). A
-- table with many bytes a row beside what its columns hold is bloated. What deposits write before the bell is left out.
--
--   psql -f sql/verify/sizes.sql
--
-- Read-only. For any login. Needs psql 13 or newer. It asks for no statistics: those tell of deposits, and are closed
-- (rules 9.2).

\set ON_ERROR_STOP on
\ir ../replay/start.sql
with sizes as (
  select r.oid, c.relispartition, greatest(c.reltuples, 0) as rows, c.relpages as own, coalesce(t.relpages, 0) as long,
         (select coalesce(sum(x.relpages), 0)
            from pg_index i join pg_class x on x.oid = i.indexrelid
           where i.indrelid in (c.oid, t.oid)) as indexes,
         c.reltuples < 0 as unknown
    from pg_class c
    left join pg_class t on t.oid = c.reltoastrelid
    join pg_class r on r.oid = case when c.relispartition then pg_partition_root(c.oid) else c.oid end
   where c.relnamespace::regnamespace::text in ('hill', 'oauth') and c.relkind = 'r'
     and c.relname not in ('sealed_moves', 'reservations', 'log_waiting'))
select s.oid::regclass::text as "table",
       nullif(count(*) filter (where s.relispartition), 0) as days,
       sum(s.rows)::bigint as rows,
       pg_size_pretty(sum(s.own) * 8192) as "table's pages",
       pg_size_pretty(sum(s.indexes) * 8192) as indexes,
       pg_size_pretty(sum(s.long) * 8192) as "long values",
       round((sum(s.own) * 8192 / nullif(sum(s.rows), 0))::numeric) as "bytes a row",
       nullif(count(*) filter (where s.unknown), 0) as "not noted yet"
  from sizes s
 group by s.oid
 order by sum(s.own + s.indexes + s.long) desc, 1;
commit;
