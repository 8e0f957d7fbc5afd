-- What operators and staff are told of the bell, its workers and the books.

\ir policies.sql
\ir workers.sql
\ir books.sql
\ir bell_state.sql
\ir server.sql
\ir needs.sql
