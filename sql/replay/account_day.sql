-- replay/account_day.sql · One account's day: what it deposited, what that came to and why, what it paid and from which
-- credits, what it had said.
--
--   psql -v account=ann -v day=12 -f sql/replay/account_day.sql      the account by its slug or its id
--
-- Reads only. For a superuser or the database's owner, who see every deposit; a login that is a member of hill_dba sees
-- what the bell made public: the live moves. Needs psql 13 or newer. Exits with 0 where all that it tells agrees, with
-- 3 where something contradicts the night resolved again or itself, where there is no such account, or the day is not
-- resolved.

\set ON_ERROR_STOP on
\ir start.sql
\set script 'sql/replay/account_day.sql -v account=SLUG'
\ir day.sql

\if :{?account}
\else
  \set account ''
\endif
-- The name is printed by \echo as it is: control characters, which a table would escape, are replaced.
select a.id as account_id, a.slug, regexp_replace(a.name, '[[:cntrl:]]', '?', 'g') as name
  from (values (:'account')) given (name)
  left join hill.accounts a
    on a.slug = :'account'
    or a.id = (case when :'account' ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' then :'account' end)::uuid
\gset
select not :{?account_id} as unknown \gset
\if :unknown
  select engine.refuse(
    'NOT_FOUND',
    'No account has that slug or id. '
    'Say which, as in: psql -v account=ann -v day=12 -f sql/replay/account_day.sql');
\endif

-- The database's owner may read what was replaced or withdrawn as the account itself does: row-level security asks this
-- setting.
select set_config('hill.account_id', :'account_id', true) as own \gset
select engine.resolve_places(engine.stored_night(:day)) as resolution \gset

\ir account/head.sql
\ir account/deposits.sql
\ir account/decisions.sql
\ir account/money.sql
\ir account/announcements.sql
\ir account/compared.sql
