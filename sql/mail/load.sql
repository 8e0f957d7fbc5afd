-- Notices by mail: addresses, what is to be sent to them, and sending it. Protocol 5.6.

\ir policies.sql
\ir addresses.sql
\ir notices.sql
\ir send.sql
