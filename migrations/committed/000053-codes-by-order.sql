--! Previous: sha1:e454323d10af0b6ee33418021502fcdf9e880a25
--! Hash: sha1:30ac5a4b0844daf6e93bc965d294e3280c00ce50
--! Message: codes by order

--! no-transaction
create index concurrently if not exists tournament_codes_order_id_idx on hill.tournament_codes (order_id);
