-- What a signed-in human may call for the own account.

\ir sessions.sql
\ir site.sql
\ir account.sql
\ir history.sql
\ir claims.sql
\ir consent.sql
\ir device.sql
\ir feed.sql
\ir mail.sql
\ir codes.sql
\ir top_ups.sql
\ir terms.sql
\ir leaving.sql
\ir console.sql
\ir account_orders.sql
\ir practice.sql
