-- night/debrief.sql · A night that is over, told to one who was in it: what became of each move, why, what it cost and
-- earned. Specification 2.5 to 2.7, 3.1.

create or replace function engine.debrief_move(
  account_id uuid,
  m hill.moves,
  resolution engine.resolution,
  decisions jsonb,
  sources jsonb
)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select jsonb_build_object(
      'slot', (debrief_move.m).slot, 'move', (debrief_move.m).move, 'seq', (debrief_move.m).seq, 'deposited_at', engine.iso((debrief_move.m).at),
      'stake_cents', nullif((debrief_move.m).stake_cents, 0), 'message', (debrief_move.m).message,
      'outcome', p.outcome,
      'decisions', (select coalesce(jsonb_agg(d.value - 'account' order by d.n), '[]')
                      from jsonb_array_elements(debrief_move.decisions) with ordinality d (value, n) where d.value -> 'seq' = to_jsonb((debrief_move.m).seq)),
      'cost_cents', (debrief_move.m).cost_cents, 'burned', (debrief_move.m).move = 'WAR' and p.outcome = 'BURN',
      'paid_from', (select coalesce(jsonb_agg(s.value - 'seq' order by s.n), '[]')
                      from jsonb_array_elements(debrief_move.sources) with ordinality s (value, n) where s.value -> 'seq' = to_jsonb((debrief_move.m).seq)),
      'seat', (select jsonb_build_object('slot', s.slot, 'seat', s.seat, 'via', s.via, 'days_held', s.days_held, 'points', trim_scale(s.points))
                 from unnest((debrief_move.resolution).seats) s where s.account = debrief_move.account_id and s.seq = (debrief_move.m).seq))
    from unnest((debrief_move.resolution).places) p where p.slot = (debrief_move.m).slot;
end;

comment on function engine.debrief_move is
'One live move of a published night as engine.debrief tells it, with those of the decisions and of the sources of its '
'cost that are about it (by seq).';

create or replace function engine.debrief_own(
  account_id uuid,
  night integer,
  resolution engine.resolution,
  slot integer
)
returns jsonb
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_decisions jsonb;
  v_sources   jsonb;
begin
  select coalesce(jsonb_agg(engine.decision_json(d, null, case when a.id is not null then jsonb_build_object('account', a.id, 'name', a.name, 'slug', a.slug) end,
                                                 a.name) order by d.slot nulls last, d.seq,
                            case d.fate when 'skipped' then 2 when 'served' then 3 when 'waits' then 3 else 1 end), '[]')
    into v_decisions
    from engine.explain_night(engine.stored_night(night), resolution) d
    left join hill.accounts a on a.id = d.rival
   where d.account = debrief_own.account_id;
  select coalesce(jsonb_agg(jsonb_build_object('seq', c.seq, 'money', case when c.lot_id is null then 'paid' else 'granted' end, 'amount_cents', c.cents)), '[]')
    into v_sources
    from engine.charge_sources(debrief_own.account_id, night) c;

  return (
    select jsonb_build_object(
      'account', a.id, 'name', a.name, 'slug', a.slug, 'since', engine.iso(a.created_at),
      'reputation', (select r.reputation from engine.reputations(array[a.id], night) r),
      'reputation_after', (select r.reputation from engine.reputations(array[a.id], night + 1) r),
      'moves', (select coalesce(jsonb_agg(engine.debrief_move(a.id, m, resolution, v_decisions, v_sources) order by m.slot), '[]')
                  from hill.moves m
                 where m.day = night and m.account_id = a.id and m.ended is null and m.slot = coalesce(debrief_own.slot, m.slot)),
      'left', (select coalesce(jsonb_agg((d.value - '{account,key,key_seq,seq,own_value,rival,rival_seq,rival_value}'::text[])
                                         || jsonb_build_object('days_held', h.days_held) order by h.slot), '[]')
                 from jsonb_array_elements(v_decisions) d (value)
                 join engine.night_holders(engine.stored_night(night)) h on h.account = a.id and to_jsonb(h.slot) = d.value -> 'about_slot'
                where d.value ->> 'fate' = 'left' and h.slot = coalesce(debrief_own.slot, h.slot)),
      'not_live', (select coalesce(jsonb_agg(jsonb_build_object(
                            'slot', m.slot, 'move', m.move, 'seq', m.seq, 'deposited_at', engine.iso(m.at), 'stake_cents', nullif(m.stake_cents, 0),
                            'message', m.message, 'ended', m.ended, 'ended_at', engine.iso(m.ended_at)) order by m.seq), '[]')
                     from hill.moves m
                    where m.day = night and m.account_id = a.id and m.ended is not null and m.slot = coalesce(debrief_own.slot, m.slot)),
      'announcements', (select coalesce(jsonb_agg(jsonb_build_object(
                                 'slot', n.slot, 'intention', n.intention, 'message', n.message, 'at', engine.iso(n.at), 'verdict', n.verdict,
                                 'played', (select m.move from hill.moves m
                                             where m.day = night and m.account_id = a.id and m.slot = n.slot and m.ended is null)) order by n.slot), '[]')
                          from hill.announcements n
                         where n.day = night and n.account_id = a.id and n.slot = coalesce(debrief_own.slot, n.slot)),
      'places', (select coalesce(jsonb_agg(jsonb_build_object(
                          'slot', coalesce(b.slot, s.slot), 'days_held_before', b.days_held, 'days_held_after', s.days_held, 'via', s.via,
                          'points', trim_scale(s.points),
                          'change', case when b.slot is null then 'won' when s.slot is null then case when b.moved then 'lost' else 'left' end
                                         when s.days_held > b.days_held then 'kept' else 'returned' end) order by coalesce(b.slot, s.slot)), '[]')
                   from (select h.slot, h.days_held, exists (select from hill.moves m where m.day = night and m.account_id = a.id and m.slot = h.slot
                                                                                       and m.ended is null) as moved
                           from engine.night_holders(engine.stored_night(night)) h where h.account = a.id) b
                   full join (select s.* from unnest((resolution).seats) s where s.account = a.id) s on s.slot = b.slot
                  where coalesce(b.slot, s.slot) = coalesce(debrief_own.slot, b.slot, s.slot)),
      'totals', (select jsonb_build_object(
                          'cost_cents', coalesce(sum(c.amount_cents), 0), 'granted_cents', coalesce(sum(c.amount_cents) filter (where c.money = 'granted'), 0),
                          'paid_cents', coalesce(sum(c.amount_cents) filter (where c.money = 'paid'), 0),
                          'points', (select coalesce(trim_scale(sum(s.points)), 0) from unnest((resolution).seats) s where s.account = a.id))
                   from jsonb_to_recordset(v_sources) c (amount_cents bigint, money text)))
      from hill.accounts a where a.id = debrief_own.account_id);
end
$$;

comment on function engine.debrief_own is
'What a published night was for an account: each live move with its outcome, the decisions about it, cost (cents) and '
'the money it was paid from, seat and points; places left, deposits that were not live, announcements with verdict, '
'how its places changed, totals of the night. slot, if given: that place alone, but for the totals. Read as the '
'account itself: what it withdrew and what paid is shown to nobody else. Decisions 2 to 5.';

create or replace function engine.debrief(actor engine.agent_actor, day integer, slot integer)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_night      hill.nights;
  v_resolution engine.resolution;
begin
  if debrief.slot not between 1 and engine.slot_count() then
    perform engine.refuse('INVALID_ARGUMENT', 'slot is a place from 1 to 10.', '{"argument": "slot"}');
  end if;
  v_night := engine.find_night(coalesce(debrief.day, engine.last_night()));
  v_resolution := engine.published_resolution(v_night.day);
  return jsonb_build_object(
    'mode', 'debrief', 'day', v_night.day, 'resolved_at', engine.iso(v_night.resolved_at), 'claimed', actor.account_id is not null,
    'night', jsonb_build_object(
      'accounts', v_night.accounts, 'moves', v_night.moves, 'burned_cents', v_night.burned_cents,
      'places', (
        select jsonb_agg(jsonb_build_object(
                 'slot', p.slot, 'outcome', p.outcome, 'law', engine.outcome_sentence(p.outcome), 'peace_count', p.peace_count, 'war_count', p.war_count,
                 'burned_cents', p.burned_cents,
                 'occupants', (select coalesce(jsonb_agg(jsonb_build_object('account', a.id, 'name', a.name, 'slug', a.slug, 'via', s.via,
                                                           'days_held', s.days_held, 'points', trim_scale(s.points)) order by s.seat), '[]')
                                 from unnest(v_resolution.seats) s join hill.accounts a on a.id = s.account where s.slot = p.slot)) order by p.slot)
          from unnest(v_resolution.places) p where p.slot = coalesce(debrief.slot, p.slot))),
    'mine', case when actor.account_id is not null then engine.debrief_own(actor.account_id, v_night.day, v_resolution, debrief.slot) end);
end
$$;

comment on function engine.debrief is
'A published night (null: the last) for an agent: what each place came to, and engine.debrief_own for its account; '
'before a claim mine is null. slot, if given: that place alone. Errors: INVALID_ARGUMENT; DAY_NOT_RESOLVED. '
'Specification 2.5 to 2.7, 3.1.';

grant execute on function engine.debrief_move, engine.debrief_own, engine.debrief to hill_api_agent;
