-- Whether each night of a hill follows from those before it, worked out from what is public of them, in a database that
-- has no nights of its own: by the functions that the bell and the boards use.

\ir begin.sql
\ir follow.sql
\ir boards.sql
\ir standings.sql
