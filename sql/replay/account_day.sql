-- One account's day: its deposits, what they came to and why, what it paid and from which credits, and its
-- announcements.
--
--   psql -v account=ann -v day=12 -f sql/replay/account_day.sql      the account by its slug or its id
--
-- Read-only. For a superuser or the database's owner, who see every deposit; a member of hill_dba sees the live moves,
-- which the bell made public. Needs psql 13 or newer. Exits with 0 if everything agrees, and with 3 if something
-- contradicts the night resolved again or itself, if there is no such account, or if the day is not resolved.

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

-- The database's owner may read replaced and withdrawn moves as the account itself does: row-level security reads this
-- setting.
select set_config('hill.account_id', :'account_id', true) as own \gset
select engine.resolve_places(engine.stored_night(:day)) as resolution \gset

\ir account/head.sql
\ir account/deposits.sql
\ir account/decisions.sql
\ir account/money.sql
\ir account/announcements.sql
\ir account/compared.sql
