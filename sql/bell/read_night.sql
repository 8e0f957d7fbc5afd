-- bell/read_night.sql · A night in a few figures, for those who ring it.

create or replace function engine.read_night(day integer)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select jsonb_build_object(
      'day', n.day,
      'accounts', n.accounts,
      'moves', n.moves,
      'outcomes', p.outcomes,
      'burned_cents', n.burned_cents)
    from hill.nights n
   cross join lateral (
     select jsonb_object_agg(o.outcome, o.places) as outcomes
       from (select p.outcome, count(*) as places from hill.place_results p where p.day = n.day group by p.outcome) o) p
   where n.day = read_night.day;
end;

comment on function engine.read_night is
'What a published night came to: accounts and moves, how many places had which outcome, cents burned. Null for a day '
'without a published night.';
grant execute on function engine.read_night to hill_api;
