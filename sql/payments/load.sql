-- Top-ups paid for at Stripe; disputes and refunds of them.

\ir signatures.sql
\ir top_ups.sql
\ir claims.sql
\ir events.sql
\ir waiting.sql
\ir release.sql
\ir policies.sql
