-- A human downloads all data of the account, or closes it.

\ir policies.sql
\ir refuse_closed.sql
\ir forget_account.sql
\ir close_account.sql
\ir settle_closings.sql
\ir account_lists.sql
\ir download.sql
