-- Who calls: an agent by its access token, a human by a session. Row-level security asks here.

\ir actor.sql
\ir tokens.sql
