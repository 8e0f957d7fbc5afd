-- announcements/load.sql · What accounts announce in public before a bell.

\ir announce.sql
\ir brief.sql
