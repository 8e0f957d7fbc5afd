-- ledger/load.sql · Credits: transfers, lots and balances.

\ir post_transfer.sql
\ir credit.sql
\ir payments.sql
\ir policies.sql
\ir read_balances.sql
