--! Previous: sha1:00369c81e622bd5afaba51ee84edb11989e4198f
--! Hash: sha1:49c0bff11c1b32d4ef601033663f7a8b1bb1d606
--! Message: words of identities

--! no-transaction
-- The words of names and slugs, for the search of identities.
create index concurrently if not exists accounts_words_idx
  on hill.accounts using gin (to_tsvector('simple'::regconfig, replace(slug, '-', ' ') || ' ' || name));
