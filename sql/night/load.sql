-- How a night resolves, and how it is shown and explained: the same for bell, replay and what-if.

\ir types.sql
\ir order.sql
\ir cursors.sql
\ir input.sql
\ir resolve_places.sql
\ir lists.sql
\ir published.sql
\ir decisions.sql
\ir queue_seats.sql
\ir explain.sql
\ir queue_page.sql
\ir show_night.sql
\ir night_for_agent.sql
\ir parse_night.sql
\ir night_file.sql
\ir tell_decisions.sql
\ir reputations.sql
\ir debrief.sql
\ir suppose.sql
\ir ask_the_bell.sql
\ir night_lines.sql
\ir resolve_line.sql
\ir night_seal.sql
\ir headline.sql
\ir stories.sql
\ir night_brief.sql
