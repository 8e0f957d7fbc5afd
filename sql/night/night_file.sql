-- A night and its result as JSON: what the public engine reads and prints. Rules 12.1.

-- The accounts of a night file by name; empty for a stored night, whose accounts go by their ids. Join it: looking
-- names up in the array one by one would search the array from its start each time.
create or replace function engine.night_names(night engine.night)
returns table (account uuid, name text)
language sql stable parallel safe security invoker
begin atomic
  -- a file's account n carries its number as a uuid; a stored account goes by its id
  select lpad(to_hex(n.number), 32, '0')::uuid, n.name
    from unnest((night_names.night).names) with ordinality n (name, number);
end;

-- An account in a night file, as JSON. house is shown only; it decides nothing. Rules 12.1.
create or replace function engine.night_account_json(name text, reputation numeric, since timestamptz, house boolean)
returns text
language sql stable parallel safe security invoker
return format(
  '{"house": %s, "since": "%s", "account": %s, "reputation": %s}',
  house::text,
  engine.iso(since),
  engine.json_text(name),
  reputation);

-- A live move in a night file, as JSON. Rules 12.1.
create or replace function engine.night_move_json(
  seq bigint,
  name text,
  slot smallint,
  move hill.move,
  stake_cents bigint,
  at timestamptz)
returns text
language sql stable parallel safe security invoker
return format(
  '{"at": "%s", "seq": %s, "move": "%s", "slot": %s, "account": %s, "stake_cents": %s}',
  engine.iso(at),
  seq,
  move,
  slot,
  engine.json_text(name),
  stake_cents);

-- A night file without its long lists: day, open_slots, holders. Rules 12.1.
create or replace function engine.night_head(night engine.night)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select jsonb_build_object(
    'day', (night_head.night).day,
    'open_slots', (select coalesce(jsonb_agg(o order by o), '[]') from engine.night_open_slots(night_head.night) o),
    'holders', (
      select coalesce(jsonb_agg(jsonb_build_object(
                 'slot', h.slot,
                 'account', coalesce(n.name, h.account::text),
                 'days_held', h.days_held) order by h.slot, h.account), '[]')
        from engine.night_holders(night_head.night) h
        left join engine.night_names(night_head.night) n using (account)));
end;

create or replace function engine.night_json(night engine.night)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select engine.night_head(night_json.night) || jsonb_build_object(
    'accounts', (
      select coalesce(
               jsonb_agg(engine.night_account_json(
                           coalesce(n.name, a.account::text),
                           a.reputation,
                           a.since,
                           coalesce(h.house, false))::jsonb order by a.account),
               '[]')
        from engine.night_accounts(night_json.night) a
        left join engine.night_names(night_json.night) n using (account)
        left join hill.accounts h on h.id = a.account and h.house),
    'moves', (
      select coalesce(
               jsonb_agg(engine.night_move_json(
                           m.seq,
                           coalesce(n.name, m.account::text),
                           m.slot,
                           m.move,
                           m.stake_cents,
                           m.at)::jsonb order by m.seq),
               '[]')
        from engine.night_moves(night_json.night) m
        left join engine.night_names(night_json.night) n using (account)));
end;

comment on function engine.night_json is
'A night as a night file. Resolving it gives the night''s result. Rules 12.1.';

create or replace function engine.resolution_json(night engine.night, resolution engine.resolution)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select jsonb_build_object(
    'day', (resolution_json.night).day,
    'slots', (
      select jsonb_agg(jsonb_build_object(
                 'slot', p.slot,
                 'outcome', p.outcome,
                 'peace_count', p.peace_count,
                 'war_count', p.war_count,
                 'burned_cents', p.burned_cents,
                 'occupants', coalesce(s.occupants, '[]'),
                 'evicted', coalesce(e.evicted, '[]')) order by p.slot)
        from unnest((resolution_json.resolution).places) p
        left join (
          select s.slot,
                 jsonb_agg(jsonb_build_object(
                     'account', coalesce(n.name, s.account::text),
                     'days_held', s.days_held,
                     'via', s.via,
                     'points', s.points) order by s.seat) as occupants
            from unnest((resolution_json.resolution).seats) s
            left join engine.night_names(resolution_json.night) n using (account)
           group by s.slot) s on s.slot = p.slot
        left join (
          select e.slot, jsonb_agg(coalesce(n.name, e.account::text) order by e.account) as evicted
            from engine.night_evicted(resolution_json.night, resolution_json.resolution) e
            left join engine.night_names(resolution_json.night) n using (account)
           group by e.slot) e on e.slot = p.slot),
    'queue', (
      select coalesce(jsonb_agg(jsonb_build_object(
                 'account', coalesce(n.name, q.account::text),
                 'from_slot', q.from_slot,
                 'seq', q.seq,
                 'served_slot', q.served_slot) order by q.place), '[]')
        from engine.night_queue(resolution_json.night, resolution_json.resolution) q
        left join engine.night_names(resolution_json.night) n using (account)),
    'charges', (
      select coalesce(jsonb_agg(jsonb_build_object(
                 'account', coalesce(n.name, c.account::text),
                 'slot', c.slot,
                 'move', c.move,
                 'cents', c.cents,
                 'burned', c.burned) order by c.slot, c.seq), '[]')
        from engine.night_charges(resolution_json.night, resolution_json.resolution) c
        left join engine.night_names(resolution_json.night) n using (account)));
end;

comment on function engine.resolution_json is 'The result of a night as JSON. Rules 12.2.';

create or replace function engine.resolve_night(night jsonb)
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

comment on function engine.resolve_night is
'The public engine: takes a night file and returns its result, by the functions that the bell uses. Reads no table of '
'the hill. Errors: INVALID_NIGHT with the reason. Rules 12.1, 12.3.';
