--! Previous: sha1:1f412551b5d0ecb69b37737d1510b18c0dea2a88
--! Hash: sha1:8b65ba2358909d82e03c7c6cc847ca537f61953d
--! Message: salts of hidden words

-- The salt of words that staff hide goes with them, so that all columns of moves and announcements may be read.

set local role hill_owner;

alter table hill.hidden_words add column message_salt bytea;

reset role;
