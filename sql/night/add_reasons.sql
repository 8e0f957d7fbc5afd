-- night/add_reasons.sql · A published night with its reasons: who sits where and how, and the decision about each move
-- and each entry of the queue. The data and the page of a night both tell these. Rules 4.4, 4.5, 10.6.

create or replace function engine.public_decision(decision engine.decision, rival text)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select jsonb_build_object(
    'fate', (public_decision.decision).fate,
    'rule', (public_decision.decision).rule,
    'key', (public_decision.decision).key,
    'value', (public_decision.decision).own_value,
    'rival', (public_decision.decision).rival,
    'rivalValue', (public_decision.decision).rival_value,
    'why', engine.decision_words(public_decision.decision, public_decision.rival));
end;

comment on function engine.public_decision is
'A decision as everybody reads it: fate, rule, the key that decided with the two values compared (value, rivalValue; '
'null where nothing was compared), the account of the rival, and why in words. Takes the rival''s name. '
'Rules 4.4, 10.6.';

create or replace function engine.add_reasons(
  day integer,
  resolution engine.resolution,
  inout results jsonb,
  inout moves jsonb,
  inout queue jsonb)
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_night     engine.night := engine.stored_night(add_reasons.day);
  v_results   boolean := add_reasons.results <> '[]';
  v_accounts  uuid[];
  v_seqs      bigint[];
  v_decisions engine.decision[];
  -- By the number of the deposit, which no two moves share: what became of a move on its own place, and what the queue
  -- did with it.
  v_own       jsonb;
  v_queued    jsonb;
begin
  -- Of a long night a piece of one list is told at a time, and costs no more than that list. Each list has decisions of
  -- one kind; places have both.
  if v_results or add_reasons.moves <> '[]' then
    select array_agg(x.account), array_agg(x.seq)
      into v_accounts, v_seqs
      from (
        select (e.entry -> 'occupant' ->> 'accountId')::uuid as account, (e.entry ->> 'seq')::bigint as seq
          from jsonb_array_elements(add_reasons.moves) e (entry)
        union
        select s.account, s.seq from unnest((add_reasons.resolution).seats) s where v_results and s.via <> 'queue'
        union
        select h.account, null from engine.night_holders(v_night) h where v_results) x;
    v_decisions := array(
      select d
        from engine.explain_places(v_night, add_reasons.resolution) d
       where d.account = any (v_accounts) and (d.seq = any (v_seqs) or d.seq is null));
  end if;
  select array_agg(x.account), array_agg(x.seq)
    into v_accounts, v_seqs
    from (
      select (e.entry -> 'occupant' ->> 'accountId')::uuid as account, (e.entry ->> 'seq')::bigint as seq
        from jsonb_array_elements(add_reasons.queue) e (entry)
      union
      select s.account, s.seq from unnest((add_reasons.resolution).seats) s where v_results and s.via = 'queue') x;
  if v_accounts is not null then
    v_decisions := v_decisions || array(
      select d
        from engine.explain_queue(v_night, add_reasons.resolution) d
       where d.account = any (v_accounts) and d.seq = any (v_seqs));
  end if;

  with decided as materialized (
    select d.* from unnest(v_decisions) d where d.fate not in ('skipped', 'left')

  ), rivals as materialized (  -- many moves have the same few
    select r.rival, i.name
      from (select distinct d.rival from decided d) r
     cross join lateral engine.profile_on(r.rival, add_reasons.day) i

  ), told as (
    select d.seq, d.fate in ('served', 'waits') as by_queue, engine.public_decision(d::engine.decision, r.name) as told
      from decided d
      left join rivals r on r.rival = d.rival
  )
  select coalesce(jsonb_object_agg(t.seq, t.told) filter (where not t.by_queue), '{}'),
         coalesce(jsonb_object_agg(t.seq, t.told) filter (where t.by_queue), '{}')
    into v_own, v_queued
    from told t;

  moves := (
    select coalesce(
             jsonb_agg(e.entry || jsonb_build_object('decision', v_own -> (e.entry ->> 'seq')) order by e.n),
             '[]')
      from jsonb_array_elements(add_reasons.moves) with ordinality e (entry, n));
  queue := (
    select coalesce(
             jsonb_agg(e.entry || jsonb_build_object('decision', v_queued -> (e.entry ->> 'seq')) order by e.n),
             '[]')
      from jsonb_array_elements(add_reasons.queue) with ordinality e (entry, n));
  results := (
    select coalesce(
             jsonb_agg(
               p.result || jsonb_build_object(
                 'occupants', (
                   select coalesce(
                            jsonb_agg(
                              o.occupant || jsonb_build_object(
                                'via', s.via,
                                'daysHeld', s.days_held,
                                'points', trim_scale(s.points),
                                'decision', case s.via when 'queue' then v_queued else v_own end -> s.seq::text)
                              order by o.n),
                            '[]')
                     from jsonb_array_elements(p.result -> 'occupants') with ordinality o (occupant, n)
                     join unnest((add_reasons.resolution).seats) s
                       on s.slot = (p.result ->> 'slot')::smallint
                      and s.account = (o.occupant ->> 'accountId')::uuid),
                 'left', (
                   select coalesce(jsonb_agg(i.identity order by d.account), '[]')
                     from unnest(v_decisions) d
                    cross join lateral engine.identity_on(d.account, add_reasons.day) i
                    where d.fate = 'left' and d.slot = (p.result ->> 'slot')::smallint))
               order by p.n),
             '[]')
      from jsonb_array_elements(add_reasons.results) with ordinality p (result, n));
end
$$;

comment on function engine.add_reasons is
'Adds reasons to entries of a published day, of lists as engine.show_results, show_moves and show_queue give them; a '
'list may be empty. Each move gets decision: what became of it on its own place. Each entry of the queue gets '
'decision: whether and why it was served. Of results, each occupant gets via, daysHeld, points and the decision that '
'seated it, and left has the holders that played nothing there. Explains only accounts that are named in the entries. '
'Rules 4.4, 4.5, 10.6.';

grant execute on function engine.public_decision, engine.add_reasons to hill_api;
