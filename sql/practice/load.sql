-- Practice hills. Rules 17.4.

\ir practice.sql
