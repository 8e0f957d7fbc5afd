--! Previous: sha1:fe9062890b49a415a2722b9f921920ecb3962d3d
--! Hash: sha1:9d74544cb720b2db5d1dd128ddfe740d46f182bf
--! Message: addresses by index

--! no-transaction
create index concurrently if not exists sign_ins_email_idx on oauth.sign_ins (email);
