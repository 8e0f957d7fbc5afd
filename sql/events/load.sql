-- Subscriptions to events, and their deliveries.

\ir policies.sql
\ir subscribe.sql
\ir tell.sql
\ir deliver.sql
