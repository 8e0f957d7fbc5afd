-- The numbers of the game, its clock and days, its errors and its locks.

\ir constants.sql
\ir errors.sql
\ir iso.sql
\ir rent_cents.sql
\ir rings.sql
\ir clock.sql
\ir tonight.sql
\ir locks.sql
\ir open_hill.sql
\ir founders_nights.sql
\ir rules_record.sql
\ir verdict.sql
