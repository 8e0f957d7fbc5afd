-- What agents report as missing, and the answers of staff.

\ir policies.sql
\ir reports.sql
