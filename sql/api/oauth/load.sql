-- What the authorization server may call.

\ir server.sql
\ir door_a.sql
\ir door_b.sql
\ir device.sql
