-- The leaderboards of the last 30 nights.

\ir order.sql
\ir boards.sql
\ir past_board.sql
\ir points_by_night.sql
\ir rank_day.sql
\ir board_for_agent.sql
