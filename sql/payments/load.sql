-- Top-ups paid for at Stripe, on which terms; disputes and refunds of them, and receipts.

\ir signatures.sql
\ir terms.sql
\ir top_ups.sql
\ir claims.sql
\ir receipts.sql
\ir events.sql
\ir waiting.sql
\ir release.sql
\ir policies.sql
