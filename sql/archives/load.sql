-- Nights as files: their lists and night files, made once, compressed and served by their hash.

\ir policies.sql
\ir keep_archives.sql
\ir show_archives.sql
