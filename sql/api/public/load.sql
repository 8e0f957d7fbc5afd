-- api/public/load.sql · What anybody may call.

\ir clock.sql
\ir check_settings.sql
\ir rules.sql
\ir hill.sql
\ir announcements.sql
\ir day.sql
\ir night_lines.sql
\ir wall.sql
\ir leaderboard.sql
\ir efficiency.sql
\ir ribbon.sql
\ir board_told.sql
\ir front.sql
\ir identity.sql
\ir night_told.sql
\ir tournaments.sql
\ir counters.sql
\ir icons.sql
\ir errors.sql
\ir readiness.sql
