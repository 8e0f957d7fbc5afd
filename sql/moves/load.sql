-- moves/load.sql · Deposits, and what an account may know of its own day.

\ir receipt.sql
\ir checks.sql
\ir play.sql
\ir withdraw_move.sql
\ir policies.sql
\ir own_state.sql
\ir explore.sql
\ir status.sql
