--! Previous: sha1:3833f78cdb37508de16913a1b035c2547e0325a4
--! Hash: sha1:475bd534f7e7f5addcad15ee85afcc6a06e21a45
--! Message: expired after the bell

-- How much expired at a bell is known once all wallets show its night: null until then. Rules 5.3, 5.4.

set local role hill_owner;

alter table hill.nights alter column expired_cents drop not null;

reset role;
