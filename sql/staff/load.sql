-- What staff do, and the audit log of it.

\ir staff_key.sql
\ir roles.sql
\ir audit_log.sql
\ir audit_chain.sql
\ir find_account.sql
\ir members.sql
\ir account_orders.sql
\ir credit_orders.sql
\ir lot_revocations.sql
\ir console_codes.sql
\ir mark_account.sql
\ir hide_icon.sql
\ir hide_profile.sql
\ir hide_words.sql
\ir end_access.sql
\ir resend_delivery.sql
