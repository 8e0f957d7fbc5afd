-- What a human lets the agents of an account spend, and when nothing at all.

\ir mandate.sql
\ir caps.sql
