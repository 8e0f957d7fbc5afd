-- What processes of the version before still call while a new one takes their place. It goes with the next release.

create or replace function api_public.night_told(n integer)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_record jsonb := api_public.day(n);
  v_told   jsonb;
begin
  -- Only as many moves as the record lists: a longer night is told by place, and its moves are in the data.
  if (v_record ->> 'moves_total')::integer <= engine.list_length() then
    v_told := (
      select coalesce(jsonb_agg(jsonb_build_object(
          'slot', t.slot,
          'seq', t.seq,
          'accountId', t.occupant -> 'accountId',
          'name', t.occupant -> 'name',
          'fate', t.decision -> 'fate',
          'why', t.decision -> 'why') order by t.slot, t.seq), '[]')
        from (
          select m.entry -> 'slot' as slot, m.entry -> 'seq' as seq, m.entry -> 'occupant' as occupant,
                 m.entry -> 'decision' as decision
            from jsonb_array_elements(v_record -> 'moves') m (entry)
          union all
          select q.entry -> 'servedSlot', q.entry -> 'seq', q.entry -> 'occupant', q.entry -> 'decision'
            from jsonb_array_elements(v_record -> 'queue') q (entry)
          union all
          select r.result -> 'slot', 'null', l.identity, '{"fate": "left", "why": "held it and played nothing there"}'
            from jsonb_array_elements(v_record -> 'results') r (result)
           cross join lateral jsonb_array_elements(r.result -> 'left') l (identity)) t);
  end if;
  return jsonb_build_object(
    'night', v_record,
    'told', v_told,
    'seats', (
      select coalesce(jsonb_agg(jsonb_build_object(
          'slot', r.result -> 'slot',
          'accountId', o.occupant -> 'accountId',
          'via', o.occupant -> 'via',
          'daysHeld', o.occupant -> 'daysHeld',
          'points', o.occupant -> 'points') order by r.n, o.n), '[]')
        from jsonb_array_elements(v_record -> 'results') with ordinality r (result, n)
       cross join lateral jsonb_array_elements(r.result -> 'occupants') with ordinality o (occupant, n)),
    'money', (
      select jsonb_build_object('rent_cents', x.rent_cents, 'stakes_cents', x.stakes_cents, 'accounts', x.accounts)
        from hill.nights x where x.day = n),
    'last_night', engine.last_night());
end
$$;

comment on function api_public.night_told is 'See api_public.night_page.';
grant execute on function api_public.night_told to hill_public;
