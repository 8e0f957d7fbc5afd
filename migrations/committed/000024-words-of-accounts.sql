--! Previous: sha1:de146699ac3bc450edd6d616728f61311e502897
--! Hash: sha1:3eeafc76e37839f52feaa0e5642b1935614236b1
--! Message: words of accounts

--! no-transaction
-- What staff find accounts by: the words of their names and slugs. engine.named_accounts has the same expression.
create index concurrently if not exists accounts_words_idx on hill.accounts
  using gin (to_tsvector('simple'::regconfig, translate(name, '.-_@/', '     ') || ' ' || replace(slug, '-', ' ')));
