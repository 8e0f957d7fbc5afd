-- night/ask_the_bell.sql · A what-if: a night that somebody describes, resolved by the bell's own functions, with the reasons. It reads nothing sealed, not
-- even of whoever asks. Specification 4.2; decisions 8, 9.

create or replace function engine.reason_path(reason text)
returns text
language sql immutable parallel safe
return case when reason ~ '^[a-z_]+\[\d+\]: [a-z_]+ is ' then regexp_replace(reason, '^([a-z_]+\[\d+\]): ([a-z_]+) is .*$', '\1.\2')
            else coalesce(substring(reason from '^[a-z_]+(?:\[\d+\])?(?=: )'), '') end;

comment on function engine.reason_path(text) is
'Where in a night the reason lies for which engine.why_malformed refuses it, such as moves[3].stake_cents; empty for the whole.';

create or replace function engine.refused_night(reason text)
returns jsonb
language sql stable parallel safe security invoker
-- returned: what is raised goes into the server's log, and the reason repeats what somebody asked
return engine.refused('INVALID_NIGHT', reason, jsonb_build_object('path', engine.reason_path(reason)));

comment on function engine.refused_night(text) is 'The refusal of a what-if as an answer (see engine.refused), with the reason and its path.';

create or replace function engine.why_malformed_moves(moves jsonb)
returns text
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_why text;
begin
  if jsonb_typeof(moves) is distinct from 'array' then
    return 'moves: a list';
  end if;
  -- what the night file has in other lists; slot, move and stake are looked at there
  select format('moves[%s]: ', m.n - 1) || case
           when jsonb_typeof(m.value) <> 'object' then 'an object'
           when not engine.is_name(m.value -> 'who') then 'who is a text: me, a slug, an account id, or a name that is nobody''s yet'
           when m.value ? 'reputation' and not coalesce(case when jsonb_typeof(m.value -> 'reputation') = 'number'
                                                             then (m.value ->> 'reputation')::numeric between 0 and 1 end, false)
             then 'reputation is a number from 0 to 1'
           when m.value ? 'since' and not engine.is_instant(m.value -> 'since')
             then 'since is an instant such as "2026-01-01T00:00:00Z", to the microsecond at most' end into v_why
    from jsonb_array_elements(moves) with ordinality m (value, n)
   where case when jsonb_typeof(m.value) <> 'object' or not engine.is_name(m.value -> 'who') then true
              when m.value ? 'reputation' and not coalesce(case when jsonb_typeof(m.value -> 'reputation') = 'number'
                                                                then (m.value ->> 'reputation')::numeric between 0 and 1 end, false) then true
              else m.value ? 'since' and not engine.is_instant(m.value -> 'since') end
   order by m.n limit 1;
  return v_why;
end
$$;

comment on function engine.why_malformed_moves(jsonb) is
'Why the moves of a what-if cannot be made into a night file, in the words of engine.why_malformed; null where they can.';

create or replace function engine.night_of_moves(asker uuid, moves jsonb, holders_stay boolean, day integer, last_night integer, out file jsonb, out accounts jsonb, out why text)
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_public engine.night;
  v_who    jsonb;   -- how an account was named, to its id; what is not in it is nobody's name yet
  v_names  jsonb;   -- an account's id, to its name in the file: its slug
begin
  why := engine.why_malformed_moves(moves);
  if why is not null then
    return;
  end if;
  v_public := engine.public_night(day, last_night);
  select coalesce(jsonb_object_agg(w.who, a.id), '{}') into v_who
    from (select distinct m.value ->> 'who' as who from jsonb_array_elements(moves) m (value)) w
   cross join lateral (
     select a.id from hill.accounts a where w.who = 'me' and a.id = night_of_moves.asker
     union all
     select a.id from hill.accounts a where w.who <> 'me' and pg_input_is_valid(w.who, 'uuid')
        and a.id = case when pg_input_is_valid(w.who, 'uuid') then w.who::uuid end
     union all
     select a.id from hill.accounts a where w.who <> 'me' and not pg_input_is_valid(w.who, 'uuid') and a.slug = lower(w.who)) a;
  select coalesce(jsonb_object_agg(a.id, a.slug), '{}') into v_names
    from hill.accounts a
   where a.id in (select (w.value #>> '{}')::uuid from jsonb_each(v_who) w union select h.account from unnest(v_public.holders) h);

  with given as materialized (
    select m.n, coalesce(v_names ->> (v_who ->> (m.value ->> 'who')), m.value ->> 'who') as account, (v_who ->> (m.value ->> 'who'))::uuid as id, m.value
      from jsonb_array_elements(moves) with ordinality m (value, n)
  ), known as materialized (
    select r.account as id, r.reputation, r.since
      from engine.reputations(array(select g.id from given g union select h.account from unnest(v_public.holders) h where holders_stay), day) r
  ), own as (  -- the first that says so
    select g.account, (array_agg(g.id))[1] as id,
           (array_agg(g.value -> 'reputation' order by g.n) filter (where g.value ? 'reputation'))[1] as reputation,
           (array_agg(g.value -> 'since' order by g.n) filter (where g.value ? 'since'))[1] as since
      from given g group by g.account
  ), stays as (
    select h.slot, v_names ->> h.account::text as account, h.account as id, row_number() over (order by h.slot, h.account) as n
      from unnest(v_public.holders) h
     where holders_stay and not exists (select from given g where g.id = h.account and g.value -> 'slot' = to_jsonb(h.slot))
  ), accounts as (
    select o.account, coalesce(o.reputation, to_jsonb(k.reputation), '0') as reputation,
           -- a newcomer is younger than all
           coalesce(o.since, to_jsonb(engine.iso(coalesce(k.since, engine.bell_at(day))))) as since, coalesce(a.house, false) as house
      from own o left join known k on k.id = o.id left join hill.accounts a on a.id = o.id
    union all
    select distinct s.account, to_jsonb(k.reputation), to_jsonb(engine.iso(k.since)), a.house
      from stays s join known k on k.id = s.id join hill.accounts a on a.id = s.id where s.account not in (select o.account from own o)
  )
  select (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                            'account', o.account, 'accountId', o.id, 'name', a.name, 'newcomer', nullif(o.id is null, false), 'me', nullif(o.id = asker, false)))
                            order by o.account), '[]')
            from own o left join hill.accounts a on a.id = o.id),
         jsonb_build_object(
           'day', day,
           'open_slots', to_jsonb(v_public.open_slots),
           'accounts', (select coalesce(jsonb_agg(to_jsonb(a) order by a.account), '[]') from accounts a),
           'holders', (select coalesce(jsonb_agg(jsonb_build_object('slot', h.slot, 'account', v_names ->> h.account::text, 'days_held', h.days_held)
                                                 order by h.n), '[]')
                         from unnest(v_public.holders) with ordinality h (slot, account, days_held, n)),
           'moves', (select coalesce(jsonb_agg(x.move order by x.n), '[]')
                       from (select g.n, jsonb_strip_nulls(jsonb_build_object(
                                      'seq', g.n, 'account', g.account, 'slot', g.value -> 'slot', 'move', g.value -> 'move',
                                      'stake_cents', coalesce(g.value -> 'stake_cents', case when g.value ->> 'move' = 'WAR' then to_jsonb(engine.war_minimum_cents()) end),
                                      -- in the order of the list, which nothing else says
                                      'at', coalesce(g.value -> 'at', to_jsonb(engine.iso(engine.bell_at(day - 1) + g.n * interval '1 second'))))) as move
                               from given g
                             union all
                             select jsonb_array_length(moves) + s.n, jsonb_build_object('seq', jsonb_array_length(moves) + s.n, 'account', s.account, 'slot', s.slot,
                                      'move', 'PEACE', 'at', engine.iso(engine.bell_at(day - 1)))
                               from stays s) x))
    into accounts, file;
end
$$;

comment on function engine.night_of_moves(uuid, jsonb, boolean, integer, integer) is
$$Makes a night file of a list of moves ({who, slot, move, stake_cents?, reputation?, since?, at?}) on the hill as it stands publicly: its open places, holders,
reputations and seniorities. who: me, a slug, an account id; any other text is a newcomer. Deposits in the order of the list, unless at says otherwise.
holders_stay adds a PEACE, ahead of all, for each holder of whom the list says nothing on its place; otherwise such a holder leaves. With whom each name stands for. Or why it cannot. Decisions 9.$$;

create or replace function engine.told_night(night engine.night)
returns jsonb
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_resolution engine.resolution := engine.resolve_places(night);
  v_decisions  jsonb;
begin
  select coalesce(jsonb_agg((engine.decision_json(d, to_jsonb(a.name), to_jsonb(r.name), r.name) - 'sentence') || jsonb_strip_nulls(jsonb_build_object('from_slot', m.slot, 'move', d.move))
                            order by coalesce(m.slot, d.slot), d.seq, case d.fate when 'skipped' then 2 when 'served' then 3 when 'waits' then 3 else 1 end, d.slot), '[]')
    into v_decisions
    from engine.explain_night(night, v_resolution) d
    join engine.night_names(night) a on a.account = d.account
    left join engine.night_names(night) r on r.account = d.rival
    left join engine.night_moves(night) m on m.account = d.account and m.seq = d.seq;
  return jsonb_build_object(
    'result', engine.resolution_json(night, v_resolution),
    'places', (select coalesce(jsonb_agg(jsonb_build_object('slot', p.slot, 'outcome', p.outcome, 'law', engine.outcome_sentence(p.outcome)) order by p.slot), '[]')
                 from unnest(v_resolution.places) p
                where p.outcome <> 'VACANT' or p.slot in (select h.slot from engine.night_holders(night) h)),
    'decisions', v_decisions,
    'rules', (select coalesce(jsonb_object_agg(r.rule, r.sentence), '{}') from engine.decision_rules() r
               where r.rule in (select d.value ->> 'rule' from jsonb_array_elements(v_decisions) d (value))));
end
$$;

comment on function engine.told_night(engine.night) is
$$A night file's result (decisions 9) with the reasons: for each place that somebody moved on or held the outcome and its law; for each move the decisions about
it (engine.decision_json), by the file's own names; and the rules that they name, in a sentence each.$$;

create or replace function engine.ask_the_bell(asker uuid, night jsonb, moves jsonb, holders_stay boolean)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_file  jsonb := ask_the_bell.night;
  v_named jsonb;
  v_why   text;
  v_today integer;
  v_last  integer;
begin
  if num_nonnulls(ask_the_bell.night, ask_the_bell.moves) <> 1 then
    perform engine.refuse('INVALID_ARGUMENT', 'Give night or moves, one of the two.', '{"argument": "moves"}');
  end if;
  if ask_the_bell.moves is not null then
    if jsonb_typeof(ask_the_bell.moves) = 'array' and jsonb_array_length(ask_the_bell.moves) > engine.what_if_moves() then
      return engine.refused_night(format('moves: at most %s', engine.what_if_moves()));
    end if;
    v_today := engine.today();
    v_last := engine.last_night();
    if v_today > v_last + 1 then
      perform engine.unless_refused(engine.bell_ringing());
    end if;
    select n.file, n.accounts, n.why into v_file, v_named, v_why
      from engine.night_of_moves(asker, ask_the_bell.moves, coalesce(ask_the_bell.holders_stay, false), greatest(1, v_today), v_last) n;
  elsif jsonb_typeof(v_file -> 'moves') = 'array' and jsonb_array_length(v_file -> 'moves') > engine.what_if_moves() then
    v_why := format('moves: at most %s', engine.what_if_moves());
  end if;
  v_why := coalesce(v_why, engine.why_malformed(v_file));
  if v_why is not null then
    return engine.refused_night(v_why);
  end if;
  return jsonb_strip_nulls(jsonb_build_object('night', case when ask_the_bell.moves is not null then v_file end, 'accounts', v_named)) || engine.told_night(engine.parse_night(v_file));
exception
  when numeric_value_out_of_range or statement_too_complex or program_limit_exceeded then
    return engine.refused_night('a number, the nesting or the whole is too large');
end
$$;

comment on function engine.ask_the_bell(uuid, jsonb, jsonb, boolean) is
$$What a night would come to: one given as a night file (night), or as moves on the hill as it stands publicly (engine.night_of_moves), of at most 200 moves; with
the reasons of engine.told_night; of moves with the night file that was made of them, and whom each name in it stands for. A malformed night is a returned refusal (see engine.refused): INVALID_NIGHT,
with the path. Errors: INVALID_ARGUMENT; BELL_RINGING for moves. Decisions 8, 9.$$;

grant execute on function engine.reason_path(text), engine.refused_night(text), engine.why_malformed_moves(jsonb),
  engine.night_of_moves(uuid, jsonb, boolean, integer, integer), engine.told_night(engine.night), engine.ask_the_bell(uuid, jsonb, jsonb, boolean) to hill_api_agent;
