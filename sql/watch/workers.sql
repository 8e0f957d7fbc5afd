-- watch/workers.sql · What workers say of themselves: that they live, and that a bell failed. Decisions 118.

create or replace function engine.beat()
returns void
language sql volatile parallel unsafe security invoker
begin atomic
  update hill.watch w set beat_at = clock_timestamp();
end;

comment on function engine.beat is 'Says that a worker lives. Decisions 118.';
