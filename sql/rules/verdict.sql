-- What became of an announcement. Rules 6.3.

-- How an announcement is judged by the live move on its place, null for none. Rules 6.3.
create or replace function engine.verdict(announced hill.move, played hill.move)
returns hill.verdict
language sql immutable parallel safe
return case
  when announced is not distinct from coalesce(played, 'PASS') then 'kept'
  when announced = 'PASS' then case played when 'PEACE' then 'bluffed' else 'betrayed' end
  when played is null then 'ghosted'
  when announced = 'PEACE' then 'betrayed'
  else 'bluffed'
end::hill.verdict;
