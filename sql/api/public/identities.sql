-- GET /api/identities, and /api/identity/{slug}/moves.ndjson. Rules 11.4, 11.5.

create or replace function api_public.identities(q text, max integer default null)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_max   integer := coalesce(identities.max, engine.brief_length());
  v_found jsonb;
begin
  if v_max not between 1 and engine.page_length() then
    perform engine.refuse('INVALID_ARGUMENT', 'limit is out of bounds.', jsonb_build_object(
      'argument', 'limit',
      'minimum', 1,
      'maximum', engine.page_length()));
  end if;
  if identities.q is null or char_length(identities.q) not between 2 and engine.name_length() then
    perform engine.refuse('INVALID_ARGUMENT', 'q is too short or too long.', jsonb_build_object(
      'argument', 'q',
      'minimum', 2,
      'maximum', engine.name_length()));
  end if;
  select coalesce(jsonb_agg(f.identity order by f.line), '[]') into v_found
    from engine.find_identities(identities.q, v_max + 1) f;
  return jsonb_build_object(
    'identities', case when jsonb_array_length(v_found) > v_max then v_found - v_max else v_found end,
    'more', jsonb_array_length(v_found) > v_max);
end
$$;

comment on function api_public.identities is
'Identities by the words of their names and slugs (see engine.find_identities): identities, and whether there are '
'more. Takes a text of 2 to 60 characters and how many at most (1 to 100, by default 20). '
'Errors: INVALID_ARGUMENT. Rules 11.5.';

create or replace function api_public.identity_moves(slug text, before integer default null)
returns table (lines text, next integer)
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account record;
  v_to      integer := least(coalesce(before, 2147483647) - 1, engine.last_night());
  v_from    integer;
begin
  select a.id, engine.day_of(a.created_at, s.day_one) as day into v_account
    from engine.account_named(identity_moves.slug) n
    join hill.accounts a on a.id = n.account_id
   cross join hill.settings s;
  if not found then
    perform engine.refuse('NOT_FOUND', 'No identity has that slug or id.', '{"argument": "slug"}');
  end if;
  v_from := greatest(1, v_account.day, v_to - engine.page_length() + 1);
  return query
  select string_agg(
           jsonb_build_object(
             'day', m.day,
             'slot', m.slot,
             'move', m.move,
             'stake_cents', m.stake_cents,
             'cost_cents', m.cost_cents,
             'message', m.message,
             'at', engine.iso(m.at),
             'seq', m.seq,
             'agentId', m.agent_id,
             'outcome', p.outcome,
             'seat', case when s.day is not null then jsonb_build_object(
               'slot', s.slot,
               'via', s.via,
               'daysHeld', s.days_held,
               'points', trim_scale(s.points)) end)::text, e'\n' order by m.day desc, m.slot),
         case when v_from > greatest(1, v_account.day) then v_from end
    from hill.moves m
    join hill.place_results p on p.day = m.day and p.slot = m.slot
    left join hill.seats s on s.day = m.day and s.account_id = m.account_id and s.seq = m.seq
   where m.account_id = v_account.id and m.day between v_from and v_to and m.ended is null;
end
$$;

comment on function api_public.identity_moves is
'The live moves of an identity (slug, former slug or account id) on nights that are published, the latest first, each '
'as a line of JSON: 100 nights at a time, those before a day (null: from the last). next is the day before which the '
'rest is; null at the end. lines is null where it did not move. Amounts in cents. '
'Errors: NOT_FOUND. Rules 9.4, 11.4.';

grant execute on function api_public.identities, api_public.identity_moves to hill_public;
