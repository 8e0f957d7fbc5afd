--! Previous: sha1:26176d700c58f09258244a556b3c10f95741cae7
--! Hash: sha1:dfa567ea46429b47dc17cb93da373d320cb67ac4
--! Message: addresses by index

--! no-transaction
create index concurrently if not exists sign_ins_email_idx on oauth.sign_ins (email);
