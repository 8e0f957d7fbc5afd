--! Previous: sha1:00369c81e622bd5afaba51ee84edb11989e4198f
--! Hash: sha1:e7310ac4f6fbb0a8a24fa4f3fac5ef17563efe12
--! Message: words of accounts

--! no-transaction
-- What staff find accounts by: the words of their names and slugs. engine.named_accounts has the same expression.
create index concurrently if not exists accounts_words_idx on hill.accounts
  using gin (to_tsvector('simple'::regconfig, translate(name, '.-_@/', '     ') || ' ' || replace(slug, '-', ' ')));
