-- Tournaments: sign-up, codes, standings.

\ir phase.sql
\ir policies.sql
\ir standings.sql
\ir show_boards.sql
\ir tournaments.sql
\ir sign_up.sql
\ir attempts.sql
\ir codes.sql
\ir check_tournament.sql
