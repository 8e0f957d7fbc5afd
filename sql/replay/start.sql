-- The start of every psql script here: output for people, and a read-only transaction. The script itself sets
-- ON_ERROR_STOP first: psql reads it at the start of a line, and this whole file is one line of the script.

\set QUIET on
\set ECHO none
\set ON_ERROR_ROLLBACK off
\set AUTOCOMMIT on
\set VERBOSITY terse
\set SHOW_CONTEXT never
\encoding UTF8
\timing off
\pset pager off
\pset format aligned
\pset border 1
\pset linestyle ascii
\pset columns 0
\pset expanded off
\pset tuples_only off
\pset footer off
\pset title
\pset null ''
\pset numericlocale off

-- One snapshot for everything that is printed, whatever happens on the hill meanwhile.
begin transaction isolation level repeatable read read only;
set local client_min_messages = warning;
set local search_path = pg_catalog, pg_temp;
set local timezone = 'UTC';
set local datestyle = 'ISO';
-- A night may be large: plans for its own figures, and memory to sort a million moves.
set local plan_cache_mode = force_custom_plan;
set local work_mem = '256MB';
set local jit = off;

-- How many rows of each list are printed.
\if :{?rows}
\else
  \set rows 50
\endif
select :'rows' !~ '^[0-9]{1,6}$' as wrong \gset
\if :wrong
  select engine.refuse(
    'INVALID_ARGUMENT',
    'rows is how many rows of each list are printed: a whole number, 50 if it is not given.');
\endif
