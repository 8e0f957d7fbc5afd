-- The public log: entries with numbers, the tree over them, and its proofs. Rules 20.

\ir policies.sql
\ir hash.sql
\ir read_tree.sql
\ir prove.sql
\ir entries.sql
\ir engines.sql
\ir nights.sql
\ir append.sql
\ir handover.sql
\ir address.sql
\ir sign.sql
\ir witness.sql
\ir closing.sql
\ir find.sql
\ir show_log.sql
\ir check_log.sql
