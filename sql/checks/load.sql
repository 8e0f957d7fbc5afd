-- What must hold of nights, money, boards and tables, computed again from what was written once.

\ir check.sql
\ir ledger.sql
\ir reputations.sql
\ir payments.sql
\ir boards.sql
\ir nights.sql
\ir tables.sql
\ir tournaments.sql
\ir seal.sql
\ir log.sql
\ir audit.sql
