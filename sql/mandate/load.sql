-- The caps that a human sets for the agents of an account.

\ir set_mandate.sql
