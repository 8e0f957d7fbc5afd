-- Accounts and their public identities: name, slug, profile.

\ir plain_text.sql
\ir slugs.sql
\ir skeletons.sql
\ir check_name.sql
\ir create_account.sql
\ir policies.sql
\ir identities.sql
\ir former.sql
\ir named_accounts.sql
\ir find_identities.sql
\ir set_profile.sql
\ir whoami.sql
