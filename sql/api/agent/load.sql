-- What an agent may call with its access token.

\ir play.sql
\ir announce.sql
\ir whoami.sql
\ir check_token.sql
\ir set_profile.sql
\ir fund.sql
\ir sign_up.sql
\ir redeem_code.sql
\ir tournaments.sql
\ir explore_and_debrief.sql
\ir ask_the_bell.sql
\ir status.sql
\ir night.sql
\ir leaderboard.sql
\ir get_help.sql
\ir report_missing_capability.sql
\ir list_my_reports.sql
\ir subscribe.sql
\ir verify_badge.sql
