--! Previous: sha1:0cc771baa68c8e2352d9aeb2f308af7e725594ab
--! Hash: sha1:71adc43dc90af8354f2da47cb9bfd40775524609
--! Message: codes by order

--! no-transaction
create index concurrently if not exists tournament_codes_order_id_idx on hill.tournament_codes (order_id);
