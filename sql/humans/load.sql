-- Humans who sign in: their sessions, sign-ins and addresses, and the security events of accounts.

\ir policies.sql
\ir security_events.sql
\ir name_account.sql
\ir sign_in.sql
\ir sign_ins.sql
\ir move_sign_in.sql
\ir addresses.sql
\ir sign_out.sql
\ir account_state.sql
\ir warnings.sql
\ir history.sql
