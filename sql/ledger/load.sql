-- Credits: transfers, lots and balances.

\ir wallet_effect.sql
\ir post_transfer.sql
\ir credit.sql
\ir payments.sql
\ir policies.sql
\ir pending.sql
\ir read_balances.sql
