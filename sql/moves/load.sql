-- Deposits, and what an account may know of its own day.

\ir commitment.sql
\ir receipt.sql
\ir checks.sql
\ir account_day.sql
\ir calls.sql
\ir refusals.sql
\ir play.sql
\ir withdraw_move.sql
\ir policies.sql
\ir explore.sql
\ir status.sql
\ir tell_status.sql
\ir tell_explore.sql
\ir own_deposits.sql
