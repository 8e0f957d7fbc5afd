--! Previous: sha1:84b522ef8c377da364b86edbb7313f8aa21b227f
--! Hash: sha1:a50c25d3733f4d366f50ac5030b83d74e5f2dbdb
--! Message: batches by instant

--! no-transaction
create index concurrently if not exists log_heads_at_idx on hill.log_heads (at, generation, size);
