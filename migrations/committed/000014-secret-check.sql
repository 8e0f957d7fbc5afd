--! Previous: sha1:346e6a18eeb4e9d838247c3c0c267920eecb6922
--! Hash: sha1:50389ccbf4240b1a0ce14cb23bc9fc811de8e1d9
--! Message: secret check

-- By what a worker, which sees no key, finds out that it was given another secret than the one that sealed them. Null: nobody has said so far.

set local role hill_owner;
set local lock_timeout = '5s';

alter table oauth.signing_keys add column secret_check text check (secret_check ~ '^[0-9a-f]{32}$');

reset role;
