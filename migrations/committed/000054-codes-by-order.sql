--! Previous: sha1:6790e7eece6f94b6dd69fc58b2b82e27cc0741a0
--! Hash: sha1:f81447547410d48c977375f00599882da28875ce
--! Message: codes by order

--! no-transaction
create index concurrently if not exists tournament_codes_order_id_idx on hill.tournament_codes (order_id);
