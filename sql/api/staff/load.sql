-- api/staff/load.sql · What staff may call from the console.

\ir sessions.sql
\ir members.sql
\ir grant_credits.sql
\ir lots_remaining_cents.sql
\ir mark_account.sql
\ir hide_icon.sql
\ir hide.sql
\ir end_access.sql
\ir resend_delivery.sql
\ir lift_bar.sql
\ir open_place.sql
\ir answer_report.sql
\ir tournaments.sql
\ir tournament_codes.sql
\ir bell_health.sql
\ir find_accounts.sql
\ir explain_night.sql
\ir explain_charge.sql
\ir look_up.sql
