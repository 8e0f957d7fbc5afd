-- night/night_file.sql · A night and its result as JSON: what the public engine reads and prints. Decisions 9.

create function engine.account_name(names text[], account uuid)
returns text
language sql immutable parallel safe
-- a file's account n carries its number as a uuid; a stored account goes by its id
return case when names is null then account::text else names[('x' || right(account::text, 8))::bit(32)::integer] end;

comment on function engine.account_name(text[], uuid) is
'An account as the night file writes it, by the names of its night. For many, pass a PL/pgSQL variable: an array in a row is searched from its start.';

create function engine.night_json(night engine.night)
returns jsonb
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_names text[] := (night).names;
begin
  return jsonb_build_object(
    'day', (night_json.night).day,
    'open_slots', (select coalesce(jsonb_agg(o order by o), '[]') from engine.night_open_slots(night_json.night) o),
    'accounts', (select coalesce(jsonb_agg(jsonb_build_object('account', engine.account_name(v_names, a.account), 'reputation', a.reputation,
                                                              'since', engine.iso(a.since)) order by a.account), '[]')
                   from engine.night_accounts(night_json.night) a),
    'holders', (select coalesce(jsonb_agg(jsonb_build_object('slot', h.slot, 'account', engine.account_name(v_names, h.account),
                                                             'days_held', h.days_held) order by h.slot, h.account), '[]')
                  from engine.night_holders(night_json.night) h),
    'moves', (select coalesce(jsonb_agg(jsonb_build_object('seq', m.seq, 'account', engine.account_name(v_names, m.account), 'slot', m.slot,
                                                           'move', m.move, 'stake_cents', m.stake_cents, 'at', engine.iso(m.at)) order by m.seq), '[]')
                from engine.night_moves(night_json.night) m));
end
$$;

comment on function engine.night_json(engine.night) is
'A night as a night file, without what decides nothing (whether an account is a house account). Resolving it gives the night''s result. Decisions 9.';

create function engine.resolution_json(night engine.night, resolution engine.resolution)
returns jsonb
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_names text[] := (night).names;
begin
  return jsonb_build_object(
    'day', (resolution_json.night).day,
    'slots', (
      select jsonb_agg(jsonb_build_object(
          'slot', p.slot, 'outcome', p.outcome, 'peace_count', p.peace_count, 'war_count', p.war_count, 'burned_cents', p.burned_cents,
          'occupants', coalesce(s.occupants, '[]'), 'evicted', coalesce(e.evicted, '[]')) order by p.slot)
        from unnest((resolution_json.resolution).places) p
        left join (select s.slot, jsonb_agg(jsonb_build_object('account', engine.account_name(v_names, s.account), 'days_held', s.days_held,
                                                               'via', s.via, 'points', s.points) order by s.seat) as occupants
                     from unnest((resolution_json.resolution).seats) s group by s.slot) s on s.slot = p.slot
        left join (select e.slot, jsonb_agg(engine.account_name(v_names, e.account) order by e.account) as evicted
                     from engine.night_evicted(resolution_json.night, resolution_json.resolution) e group by e.slot) e on e.slot = p.slot),
    'queue', (
      select coalesce(jsonb_agg(jsonb_build_object('account', engine.account_name(v_names, q.account), 'from_slot', q.from_slot, 'seq', q.seq,
                                                   'served_slot', q.served_slot) order by q.place), '[]')
        from engine.night_queue(resolution_json.night, resolution_json.resolution) q),
    'charges', (
      select coalesce(jsonb_agg(jsonb_build_object('account', engine.account_name(v_names, c.account), 'slot', c.slot, 'move', c.move,
                                                   'cents', c.cents, 'burned', c.burned) order by c.slot, c.seq), '[]')
        from engine.night_charges(resolution_json.night, resolution_json.resolution) c));
end
$$;

comment on function engine.resolution_json(engine.night, engine.resolution) is 'The result of a night as JSON. Decisions 9.';

create function engine.resolve_night(night jsonb)
returns jsonb
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_night engine.night := engine.parse_night(night);
begin
  return engine.resolution_json(v_night, engine.resolve_places(v_night));
end
$$;

comment on function engine.resolve_night(jsonb) is
$$The public engine: a night file in, its result out, by the functions that the bell uses. Reads no table of the hill.
Errors: INVALID_NIGHT with the reason. Decisions 9.$$;

grant execute on function engine.account_name(text[], uuid), engine.night_json(engine.night), engine.resolution_json(engine.night, engine.resolution),
  engine.resolve_night(jsonb) to hill_api, hill_dba;
