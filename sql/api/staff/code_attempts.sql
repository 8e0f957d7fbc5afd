-- Which code somebody may have meant who typed another text. Rules 18.2.

create or replace function api_staff.nearest_code(text text)
returns text
language sql stable parallel restricted security invoker  -- reads what its caller may read
set search_path to pg_catalog, pg_temp
as $$
  -- by how many pairs of neighbouring characters are in both
  select n.code
    from (select upper(regexp_replace(left(text, 100), '\s', '', 'g')) as typed) t
   cross join lateral (
         select array_agg(substr(t.typed, i, 2)) as pairs from generate_series(1, char_length(t.typed) - 1) i) p
   cross join lateral (
         select c.code,
                2.0 * (select count(*) from unnest(p.pairs) g (pair) where strpos(c.code, g.pair) > 0)
                  / (cardinality(p.pairs) + char_length(c.code) - 1) as alike
           from hill.tournament_codes c) n
   where n.alike >= 0.5
   order by n.alike desc, n.code
   limit 1
$$;

create or replace function api_staff.code_attempts_nearest_code(attempt hill.code_attempts)
returns text
language sql stable parallel restricted security invoker  -- reads what its caller may read
set search_path to pg_catalog, pg_temp
as $$
  select api_staff.nearest_code(attempt.code) where attempt.outcome = 'UNKNOWN_CODE'
$$;

comment on function api_staff.nearest_code is
'The code that is most like a text, as somebody would type it wrong; null if none is like it. '
'Rules 8.5, 18.2.
- text: what was typed, in any case.';
comment on function api_staff.code_attempts_nearest_code is
'Of a code that there is not: the one that is most like it; null if none is like it.';

grant execute on function api_staff.nearest_code, api_staff.code_attempts_nearest_code to hill_staff;
