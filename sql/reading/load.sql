-- What has changed, for what readers keep in memory and for the worker.

\ir changes.sql
