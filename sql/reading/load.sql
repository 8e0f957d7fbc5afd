-- reading/load.sql · Notices that drop what readers keep in memory.

\ir changes.sql
