-- sites/load.sql · Whether the site that an account names shows its tag or its badge.

\ir policies.sql
\ir verify.sql
