-- A what-if: a night that somebody describes, resolved by the bell's own functions, with the reasons. It reads nothing
-- sealed, not even the caller's own moves. Rules 12.1.

-- The refusal of a what-if as an answer (see engine.refused), with the reason and its path.
create or replace function engine.refused_night(why engine.malformed)
returns jsonb
language sql stable parallel safe security invoker
-- returned, not raised: an error goes into the server's log, and the reason repeats what somebody asked
return engine.refused('INVALID_NIGHT', (why).reason, jsonb_build_object('path', (why).path));

-- Why the moves of a what-if cannot be made into a night file, as engine.why_malformed says it; null if they can.
create or replace function engine.why_malformed_moves(moves jsonb)
returns engine.malformed
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if jsonb_typeof(moves) is distinct from 'array' then
    return engine.malformed_at('moves', null, null, 'a list');
  end if;
  -- what the night file has in other lists; slot, move and stake are checked there
  return (
    select w.malformed
      from jsonb_array_elements(moves) with ordinality m (value, n)
     cross join lateral (
       select case
         when jsonb_typeof(m.value) <> 'object' then engine.malformed_at('moves', m.n, null, 'an object')
         when not engine.is_name(m.value -> 'who') then
           engine.malformed_at('moves', m.n, 'who',
                               'is a text: me, a slug, an account id, or a name that is nobody''s yet')
         when m.value ? 'reputation' and not engine.is_reputation(m.value -> 'reputation') then
           engine.malformed_at('moves', m.n, 'reputation', 'is a number from 0 to 1')
         when m.value ? 'since' and not engine.is_instant(m.value -> 'since') then
           engine.malformed_at('moves', m.n, 'since', engine.instant_words())
       end as malformed) w
     where (w.malformed).reason is not null
     order by m.n limit 1);
end
$$;

-- Makes a night file of a list of moves ({who, slot, move, stake_cents?, reputation?, since?, at?}) on the hill as
-- the public sees it. Deposits are in the order of the list, unless at says otherwise. holders_stay adds a PEACE,
-- ahead of all others, for each holder that has no move on its place in the list; without it such a holder leaves.
-- Also returns which account each name stands for. engine.why_malformed_moves must be null. Rules 12.1.
create or replace function engine.night_of_moves(
  asker uuid,
  moves jsonb,
  holders_stay boolean,
  day integer,
  last_night integer,
  out file jsonb,
  out accounts jsonb)
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_public engine.night := engine.public_night(day, last_night);
begin
  with given as materialized (  -- a name that no account has is a newcomer's
    select m.n, coalesce(a.slug, m.value ->> 'who') as account, a.id, m.value
      from jsonb_array_elements(moves) with ordinality m (value, n)
     cross join lateral (select m.value ->> 'who' as who) w
      -- at most one, and looked up by an index for each move
      left join lateral (
        select a.id, a.slug from hill.accounts a where w.who = 'me' and a.id = night_of_moves.asker
        union all
        select a.id, a.slug
          from hill.accounts a
         where w.who <> 'me'
           and pg_input_is_valid(w.who, 'uuid')
           and a.id = case when pg_input_is_valid(w.who, 'uuid') then w.who::uuid end
        union all
        select a.id, a.slug
          from hill.accounts a
         where w.who <> 'me' and not pg_input_is_valid(w.who, 'uuid') and a.slug = lower(w.who)
         limit 1) a on true

  ), holders as materialized (
    select h.n, h.slot, h.account as id, a.slug as account, h.days_held
      from unnest(v_public.holders) with ordinality h (slot, account, days_held, n)
      left join lateral (select a.slug from hill.accounts a where a.id = h.account limit 1) a on true

  ), known as materialized (
    select r.account as id, r.reputation, r.since
      from engine.reputations(
             array(select g.id from given g union select h.id from holders h where holders_stay),
             day) r

  ), own as (  -- of several moves of an account, the first that says so
    select g.account,
           (array_agg(g.id))[1] as id,
           (array_agg(g.value -> 'reputation' order by g.n) filter (where g.value ? 'reputation'))[1] as reputation,
           (array_agg(g.value -> 'since' order by g.n) filter (where g.value ? 'since'))[1] as since
      from given g
     group by g.account

  ), stays as (
    select h.slot, h.account, h.id, row_number() over (order by h.slot, h.id) as n
      from holders h
     where holders_stay
       and not exists (select from given g where g.id = h.id and g.value -> 'slot' = to_jsonb(h.slot))

  ), accounts as (
    select o.account,
           coalesce(o.reputation, to_jsonb(k.reputation), '0') as reputation,
           -- a newcomer is younger than all
           coalesce(o.since, to_jsonb(engine.iso(coalesce(k.since, engine.bell_at(day))))) as since,
           coalesce(a.house, false) as house
      from own o
      left join known k on k.id = o.id
      left join hill.accounts a on a.id = o.id
    union all
    select distinct s.account, to_jsonb(k.reputation), to_jsonb(engine.iso(k.since)), a.house
      from stays s
      join known k on k.id = s.id
      join hill.accounts a on a.id = s.id
     where s.account not in (select o.account from own o)

  ), played as (
    select g.n,
           jsonb_strip_nulls(jsonb_build_object(
             'seq', g.n,
             'account', g.account,
             'slot', g.value -> 'slot',
             'move', g.value -> 'move',
             'stake_cents', coalesce(
               g.value -> 'stake_cents',
               case when g.value ->> 'move' = 'WAR' then to_jsonb(engine.war_minimum_cents()) end),
             -- in the order of the list, which nothing else says
             'at', coalesce(
               g.value -> 'at',
               to_jsonb(engine.iso(engine.bell_at(day - 1) + g.n * interval '1 second'))))) as move
      from given g
    union all
    select jsonb_array_length(moves) + s.n,
           jsonb_build_object(
             'seq', jsonb_array_length(moves) + s.n,
             'account', s.account,
             'slot', s.slot,
             'move', 'PEACE',
             'at', engine.iso(engine.bell_at(day - 1)))
      from stays s
  )
  select (select coalesce(
                   jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                       'account', o.account,
                       'accountId', o.id,
                       'name', a.name,
                       'newcomer', nullif(o.id is null, false),
                       'me', nullif(o.id = asker, false))) order by o.account),
                   '[]')
            from own o
            left join hill.accounts a on a.id = o.id),
         jsonb_build_object(
           'day', day,
           'open_slots', to_jsonb(v_public.open_slots),
           'accounts', (select coalesce(jsonb_agg(to_jsonb(a) order by a.account), '[]') from accounts a),
           'holders', (
             select coalesce(jsonb_agg(jsonb_build_object(
                        'slot', h.slot,
                        'account', h.account,
                        'days_held', h.days_held) order by h.n), '[]')
               from holders h),
           'moves', (select coalesce(jsonb_agg(p.move order by p.n), '[]') from played p))
    into accounts, file;
end
$$;

-- A night file's result (rules 12.1) with the reasons.
create or replace function engine.told_night(night engine.night)
returns jsonb
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_resolution engine.resolution := engine.resolve_places(night);
  v_decisions  engine.decision[] := array(select d from engine.explain_night(night, v_resolution) d);
begin
  return jsonb_build_object(
    'result', engine.resolution_json(night, v_resolution),
    'places', (
      select coalesce(jsonb_agg(jsonb_build_object(
                 'slot', p.slot,
                 'outcome', p.outcome,
                 'law', engine.outcome_sentence(p.outcome)) order by p.slot), '[]')
        from unnest(v_resolution.places) p
       where p.outcome <> 'VACANT' or p.slot in (select h.slot from engine.night_holders(night) h)),
    'decisions', (
      select coalesce(
               jsonb_agg(engine.decision_json(d, to_jsonb(a.name), to_jsonb(r.name), r.name) - 'sentence'
                           || jsonb_strip_nulls(jsonb_build_object('from_slot', m.slot, 'move', d.move))
                         order by coalesce(m.slot, d.slot), d.seq, d.fate, d.slot, d.account),
               '[]')
        from unnest(v_decisions) d
        join engine.night_names(night) a on a.account = d.account
        left join engine.night_names(night) r on r.account = d.rival
        left join engine.night_moves(night) m on m.account = d.account and m.seq = d.seq),
    'rules', (
      select coalesce(jsonb_object_agg(r.rule, r.sentence), '{}')
        from engine.decision_rules() r
       where r.rule in (select d.rule from unnest(v_decisions) d)));
end
$$;

-- What a night would come to, with the reasons (engine.told_night). Errors: INVALID_ARGUMENT; BELL_RINGING for moves.
-- Rules 12.1.
create or replace function engine.ask_the_bell(asker uuid, night jsonb, moves jsonb, holders_stay boolean)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_given jsonb := coalesce(ask_the_bell.moves, ask_the_bell.night -> 'moves');
  v_file  jsonb := ask_the_bell.night;
  v_named jsonb;
  v_why   engine.malformed;
  v_today integer;
  v_last  integer;
begin
  if num_nonnulls(ask_the_bell.night, ask_the_bell.moves) <> 1 then
    perform engine.refuse('INVALID_ARGUMENT', 'Give night or moves, one of the two.', '{"argument": "moves"}');
  end if;
  if jsonb_typeof(v_given) = 'array' and jsonb_array_length(v_given) > engine.what_if_moves() then
    return engine.refused_night(
      engine.malformed_at('moves', null, null, format('at most %s', engine.what_if_moves())));
  end if;

  if ask_the_bell.moves is not null then
    v_today := engine.today();
    v_last := engine.see_last_night();
    if v_today > v_last + 1 then
      perform engine.unless_refused(engine.bell_ringing());
    end if;
    v_why := engine.why_malformed_moves(ask_the_bell.moves);
    if v_why.reason is not null then
      return engine.refused_night(v_why);
    end if;
    select n.file, n.accounts into v_file, v_named
      from engine.night_of_moves(
             asker,
             ask_the_bell.moves,
             coalesce(ask_the_bell.holders_stay, true),
             greatest(1, v_today),
             v_last) n;
  end if;
  v_why := engine.why_malformed(v_file);
  if v_why.reason is not null then
    return engine.refused_night(v_why);
  end if;

  return jsonb_strip_nulls(jsonb_build_object(
      'night', case when ask_the_bell.moves is not null then v_file end,
      'accounts', v_named))
    || engine.told_night(engine.parse_night(v_file));
exception
  when numeric_value_out_of_range or statement_too_complex or program_limit_exceeded then
    return engine.refused_night(row('', 'a number, the nesting or the whole is too large')::engine.malformed);
end
$$;
