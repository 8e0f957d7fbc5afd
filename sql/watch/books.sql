-- What a worker looks at between bells: whether the books balance, and whether what is published follows from what it
-- rests on. Decisions 118.

create or replace function engine.check_parts()
returns text[]
language sql immutable parallel safe
return array[
  'balances', 'settlements', 'reputations', 'boards', 'nights', 'tables', 'tournaments', 'payments', 'audit',
  'public_log'];

-- Whether the last night, resolved again from its stored input, is what was published: its outcomes, seats, points,
-- verdicts and charges. No row before the first. Rules 4.9.
create or replace function engine.check_last_night()
returns setof engine.check
language sql stable parallel safe security invoker
begin atomic
  select 'The last night, resolved again, is what was published',
         max(n.moves) + engine.slot_count(),
         count(d.day),
         (array_agg(
            concat_ws(', ', 'day ' || d.day, d.subject, 'place ' || d.slot,
                      engine.account_words(d.account),
                      coalesce(d.published, 'nothing') || ', not ' || coalesce(d.recomputed, 'nothing'))
            order by d.subject, d.slot, d.seq))[1]
    from (select engine.last_night() as day) l
    join hill.nights n on n.day = l.day
    left join engine.replay_nights(l.day, l.day) d on true
  having count(*) > 0;
end;

-- As engine.check_seal, of the last night whose result was signed. No row while none is. Rules 20.35.
create or replace function engine.check_last_seal()
returns setof engine.check
language sql stable parallel safe security invoker
begin atomic
  select c.name, c.compared, c.wrong, 'day ' || l.day || ': ' || c.example
    from (select d.day
            from (select engine.last_night() as last) n
           cross join lateral generate_series(n.last, greatest(n.last - 1, 1), -1) d (day)
           where exists (select from trusted.logged_lines(d.day) x
                           join hill.log_checkpoints p on p.generation = x.generation and p.size > x.index
                          where x.kind = 'night')
           order by d.day desc
           limit 1) l
   cross join lateral engine.check_seal(l.day) c;
end;

create or replace function engine.check_part(part text)
returns setof engine.check
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if part <> all (engine.check_parts() || '{last_night,last_seal}'::text[]) then
    perform engine.refuse('INVALID_ARGUMENT', 'There is no such part.', '{"argument": "part"}');
  end if;
  return query execute format('select c.* from engine.%I() c', 'check_' || part);
end
$$;

comment on function engine.check_parts is
'The parts in which all that must hold is checked, those of sql/verify/ledger.sql: each is a function engine.check_….';
comment on function engine.check_part is
'Checks one part of what must hold: one of engine.check_parts, or last_night or last_seal, which are of the last night '
'alone. Errors: INVALID_ARGUMENT. Rules 5.5.';

-- As engine.check_part, for the worker: api_worker.check_books. None of it reads what is sealed.
create or replace function trusted.check_part(part text)
returns setof engine.check
language plpgsql stable parallel safe security definer  -- hill_owner: payments and commitments are not the worker's
set search_path to pg_catalog, pg_temp
as $$
begin
  return query select c.* from engine.check_part(part) c;
end
$$;

grant execute on function trusted.check_part to hill_api_worker;
