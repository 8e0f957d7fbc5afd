-- Whether the site that an account names shows its tag or its badge; and its icon.

\ir policies.sql
\ir verify.sql
\ir icons.sql
