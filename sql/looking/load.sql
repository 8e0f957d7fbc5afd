-- What staff look at: whose account is meant, why a night came out as it did, what was charged, the queue and the
-- webhooks. It reads what is settled or public, and writes nothing but who looked an address up.

\ir policies.sql
\ir find_accounts.sql
\ir explain_place.sql
\ir explain_money.sql
\ir queue.sql
\ir names_in_audit.sql
