-- What accounts announce in public before a bell.

\ir commitment.sql
\ir announce.sql
\ir brief.sql
