-- api/public/night_told.sql · What a page of one night shows: the night, and why each move fared as it did.
-- Rules 4.4, 4.5.

create or replace function api_public.night_told(n integer)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_record     jsonb := api_public.day(n);
  v_night      engine.night;
  v_resolution engine.resolution;
  v_told       jsonb;
begin
  -- Only as many moves as the record lists: a longer night is told by place, and its moves are in the data.
  if (v_record ->> 'moves_total')::integer <= engine.list_length() then
    v_night := engine.stored_night(n);
    v_resolution := engine.published_resolution(n);
    v_told := (
      select coalesce(jsonb_agg(jsonb_build_object(
          'slot', d.slot,
          'seq', d.seq,
          'accountId', d.account,
          'name', own.name,
          'fate', d.fate,
          'why', engine.decision_words(d, rival.name)) order by d.slot, d.seq), '[]')
        from engine.explain_night(v_night, v_resolution) d
       cross join lateral engine.profile_on(d.account, n) own
        left join lateral engine.profile_on(d.rival, n) rival on true);
  end if;
  return jsonb_build_object(
    'night', v_record,
    'told', v_told,
    'seats', (
      select coalesce(jsonb_agg(jsonb_build_object(
          'slot', s.slot,
          'accountId', s.account_id,
          'via', s.via,
          'daysHeld', s.days_held,
          'points', s.points) order by s.slot, s.seat), '[]')
        from hill.seats s where s.day = n),
    'money', (
      select jsonb_build_object('rent_cents', x.rent_cents, 'stakes_cents', x.stakes_cents, 'accounts', x.accounts)
        from hill.nights x where x.day = n),
    'last_night', engine.last_night());
end
$$;

comment on function api_public.night_told is
'A night for people: night (see api_public.day), seats (slot, accountId, via, daysHeld, points), money (rent and '
'stakes paid, in cents, and how many accounts moved), last_night, and told: for each move, and each holder that left, '
'what became of it (fate), and why in words (see engine.explain_night); null for a night of more moves than its '
'record lists. '
'Errors: DAY_NOT_RESOLVED. Rules 4.4, 4.5, 4.8.';

grant execute on function api_public.night_told to hill_public;
