--! Previous: sha1:fd19a482375b3864bf7a39e9122fe326323c798d
--! Hash: sha1:680fc8160448c9223df9ddb40f8bac9512720b27
--! Message: batches by instant

--! no-transaction
create index concurrently if not exists log_heads_at_idx on hill.log_heads (at, generation, size);
