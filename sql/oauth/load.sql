-- The authorization server: registrations, claims, codes, tokens, keys.

\ir proofs.sql
\ir policies.sql
\ir rates.sql
\ir keys.sql
\ir receipt_keys.sql
\ir grants.sql
\ir begin_claim.sql
\ir poll_claim.sql
\ir decide_claim.sql
\ir revoke.sql
\ir account_agents.sql
\ir approve_client.sql
\ir exchange_code.sql
\ir decide_device.sql
\ir refresh.sql
\ir forget_ended.sql
