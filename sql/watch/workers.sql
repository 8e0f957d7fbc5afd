-- What workers say of themselves: that they live, and that a bell failed. Decisions 118.

-- Says that a worker lives.
create or replace function engine.beat()
returns void
language sql volatile parallel unsafe security invoker
begin atomic
  update hill.watch w set beat_at = clock_timestamp();
end;
