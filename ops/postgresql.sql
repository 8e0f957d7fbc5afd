-- ops/postgresql.sql · the role and the database of a new hill on a PostgreSQL 18 of your own, and what a hill needs of
-- that server. Run it once, as a superuser, from the checkout. It prints a line for the hill's settings, with a password
-- that it has made:
--
--   sudo -u postgres psql -qAtf ops/postgresql.sql > hill.env
--
-- Then restart PostgreSQL, for reserved_connections. docs/first-night.md, docs/operations.md.

\set ON_ERROR_STOP on
set client_min_messages = warning;
select gen_random_uuid() || '-' || gen_random_uuid() as password \gset
create role hill login createrole password :'password';
create database hill owner hill;
-- Before the first migration, which hands it on: the worker uses reserved connections.
grant pg_use_reserved_connections to hill with admin option;
alter system set reserved_connections = 12;
-- The hill's logins and DBAs have no business elsewhere.
revoke connect, temporary on database postgres, template1 from public;
-- Sealed moves stay out of the server's log.
alter system set log_error_verbosity = terse;
alter system set log_parameter_max_length_on_error = 0;
alter system set log_min_error_statement = panic;
select pg_reload_conf() \g /dev/null
\connect hill
-- Statistics, and what every login could fill, are closed.
\ir ../sql/harden.sql
select format('DATABASE_URL=postgres://hill:%s@127.0.0.1:%s/hill', :'password', :'PORT');
