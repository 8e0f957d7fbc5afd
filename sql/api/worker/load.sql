-- What the worker may call.

\ir worker.sql
\ir archives.sql
\ir watch.sql
\ir outside.sql
\ir demonstration.sql
\ir payments.sql
\ir log.sql
