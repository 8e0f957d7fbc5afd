-- api/public/load.sql · What anybody may call.

\ir clock.sql
\ir check_settings.sql
\ir rules.sql
\ir hill.sql
\ir announcements.sql
\ir day.sql
\ir night_lines.sql
\ir archives.sql
\ir wall.sql
\ir leaderboard.sql
\ir efficiency.sql
\ir past_boards.sql
\ir front.sql
\ir identity.sql
\ir identities.sql
\ir night_told.sql
\ir tournaments.sql
\ir counters.sql
\ir icons.sql
\ir events.sql
\ir recent_nights.sql
\ir errors.sql
\ir readiness.sql
\ir status.sql
\ir site_map.sql
\ir badge.sql
