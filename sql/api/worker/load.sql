-- What the worker may call.

\ir bell.sql
\ir boards.sql
\ir during_the_day.sql
\ir clock.sql
\ir upkeep.sql
\ir archives.sql
\ir watch.sql
\ir outside.sql
\ir mail.sql
\ir demonstration.sql
\ir payments.sql
\ir log.sql
\ir account_orders.sql
\ir practice.sql
