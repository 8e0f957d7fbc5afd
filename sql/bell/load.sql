-- The bell: it resolves, settles and publishes one night in one transaction.

\ir partitions.sql
\ir settle_day.sql
\ir settle_wallets.sql
\ir index_night.sql
\ir ring_bell.sql
\ir policies.sql
\ir night_differences.sql
\ir account_differences.sql
