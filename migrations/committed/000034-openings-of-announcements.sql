--! Previous: sha1:c323355bda691c809e317913fb0a86846462f2b4
--! Hash: sha1:76deb69379d672fcf7707591c6babb05c286822d
--! Message: openings of announcements

-- What each announcement is committed to with in the log: rules 20.46. Rows from before have none. No row is written
-- anew, and the lock is held for as long as the catalogue takes.

set local role hill_owner;

alter table hill.announcements
  add column salt          bytea,
  add column message_salt  bytea,
  add column message_hash  bytea,
  add column commitment    bytea;

reset role;
