-- A past night, explained to an agent that took part: what became of each move, why, what it cost and what it earned.
-- Rules 4.4, 4.5, 5.4, 6.3.

create type engine.payment as (seq bigint, money text, cents bigint);

comment on type engine.payment is 'What one kind of credits (granted or paid) paid for a move, in cents. Rules 5.4.';

-- One live move of a published night as engine.debrief shows it.
create or replace function engine.debrief_move(
  m hill.moves,
  resolution engine.resolution,
  decisions engine.decision[],
  payments engine.payment[])
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select jsonb_build_object(
      'slot', (debrief_move.m).slot,
      'move', (debrief_move.m).move,
      'seq', (debrief_move.m).seq,
      'deposited_at', engine.iso((debrief_move.m).at),
      'stake_cents', nullif((debrief_move.m).stake_cents, 0),
      'message', (debrief_move.m).message,
      'outcome', p.outcome,
      'decisions', (
        select coalesce(
                 jsonb_agg(engine.decision_json(d, null, r.identity, '@' || r.slug) order by d.slot nulls last, d.fate),
                 '[]')
          from unnest(debrief_move.decisions) d
          left join lateral (
            select a.slug, jsonb_build_object('account', d.rival, 'name', a.name, 'slug', a.slug) as identity
              from engine.profile_on(d.rival, (debrief_move.m).day) a) r on true
         where d.seq = (debrief_move.m).seq),
      'cost_cents', (debrief_move.m).cost_cents,
      'burned', (debrief_move.m).move = 'WAR' and p.outcome = 'BURN',
      'paid_from', (
        select coalesce(jsonb_agg(jsonb_build_object('money', c.money, 'amount_cents', c.cents) order by c.n), '[]')
          from unnest(debrief_move.payments) with ordinality c (seq, money, cents, n)
         where c.seq = (debrief_move.m).seq),
      'seat', (
        select jsonb_build_object(
                 'slot', s.slot,
                 'seat', s.seat,
                 'via', s.via,
                 'days_held', s.days_held,
                 'points', trim_scale(s.points))
          from unnest((debrief_move.resolution).seats) s
         where s.account = (debrief_move.m).account_id and s.seq = (debrief_move.m).seq))
    from unnest((debrief_move.resolution).places) p
   where p.slot = (debrief_move.m).slot;
end;

-- What a published night was for an account. Call it as the account itself: nobody else may read what it withdrew or
-- which credits it spent. Rules 3.3, 4.4, 4.8, 5.4, 6.3.
create or replace function engine.debrief_own(
  account_id uuid,
  night integer,
  resolution engine.resolution,
  slot integer)
returns jsonb
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_decisions engine.decision[] := array(
    select d
      from engine.explain_night(engine.stored_night(night), resolution) d
     where d.account = debrief_own.account_id);
  v_payments  engine.payment[] := array(
    select row(c.seq, case when c.lot_id is null then 'paid' else 'granted' end, c.cents)::engine.payment
      from engine.charge_sources(debrief_own.account_id, night) c);
begin
  return (
    with moved as (
      select m.*
        from hill.moves m
       where m.day = night and m.account_id = debrief_own.account_id

    ), seated as (
      select s.* from unnest((resolution).seats) s where s.account = debrief_own.account_id

    ), held as (  -- before the night
      select h.slot,
             h.days_held,
             exists (select from moved m where m.slot = h.slot and m.ended is null) as moved
        from engine.night_holders(engine.stored_night(night)) h
       where h.account = debrief_own.account_id

    ), changed as (
      select coalesce(h.slot, s.slot) as slot,
             h.days_held as days_held_before,
             s.days_held as days_held_after,
             s.via,
             s.points,
             case when h.slot is null then 'won'
                  when s.slot is null then case when h.moved then 'lost' else 'left' end
                  when s.days_held > h.days_held then 'kept'
                  else 'returned' end as change
        from held h
        full join seated s on s.slot = h.slot
    )
    select jsonb_build_object(
      'account', a.id,
      'name', p.name,
      'slug', p.slug,
      'since', engine.iso(a.created_at),
      'reputation', (select r.reputation from engine.reputations(array[a.id], night) r),
      'reputation_after', (select r.reputation from engine.reputations(array[a.id], night + 1) r),
      'moves', (
        select coalesce(jsonb_agg(engine.debrief_move(m, resolution, v_decisions, v_payments) order by m.slot), '[]')
          from hill.moves m
         where m.day = night
           and m.account_id = a.id
           and m.ended is null
           and m.slot = coalesce(debrief_own.slot, m.slot)),
      'left', (
        select coalesce(jsonb_agg(jsonb_build_object(
                   'about_slot', d.slot,
                   'fate', d.fate,
                   'rule', d.rule,
                   'sentence', engine.rule_sentence(d.rule),
                   'tie_break', engine.tie_break(d.key),
                   'why', engine.decision_words(d, null),
                   'days_held', d.held) order by d.slot), '[]')
          from unnest(v_decisions) d
         where d.fate = 'left' and d.slot = coalesce(debrief_own.slot, d.slot)),
      'not_live', (
        select coalesce(jsonb_agg(jsonb_build_object(
                   'slot', m.slot,
                   'move', m.move,
                   'seq', m.seq,
                   'deposited_at', engine.iso(m.at),
                   'stake_cents', nullif(m.stake_cents, 0),
                   'message', m.message,
                   'ended', m.ended,
                   'ended_at', engine.iso(m.ended_at)) order by m.seq), '[]')
          from moved m
         where m.ended is not null and m.slot = coalesce(debrief_own.slot, m.slot)),
      'announcements', (
        select coalesce(jsonb_agg(jsonb_build_object(
                   'slot', n.slot,
                   'intention', n.intention,
                   'message', n.message,
                   'at', engine.iso(n.at),
                   'verdict', n.verdict,
                   'played', (select m.move from moved m where m.slot = n.slot and m.ended is null))
                 order by n.slot), '[]')
          from hill.announcements n
         where n.day = night and n.account_id = a.id and n.slot = coalesce(debrief_own.slot, n.slot)),
      'places', (
        select coalesce(jsonb_agg(jsonb_build_object(
                   'slot', c.slot,
                   'days_held_before', c.days_held_before,
                   'days_held_after', c.days_held_after,
                   'via', c.via,
                   'points', trim_scale(c.points),
                   'change', c.change) order by c.slot), '[]')
          from changed c
         where c.slot = coalesce(debrief_own.slot, c.slot)),
      'totals', (
        select jsonb_build_object(
                 'cost_cents', coalesce(sum(c.cents), 0),
                 'granted_cents', coalesce(sum(c.cents) filter (where c.money = 'granted'), 0),
                 'paid_cents', coalesce(sum(c.cents) filter (where c.money = 'paid'), 0),
                 'points', (select coalesce(trim_scale(sum(s.points)), 0) from seated s))
          from unnest(v_payments) c))
      from hill.accounts a
     cross join lateral engine.profile_on(a.id, night) p
     where a.id = debrief_own.account_id);
end
$$;

-- A published night (null: the last) for an agent. Errors: INVALID_ARGUMENT; DAY_NOT_RESOLVED. Rules 4.4, 4.5, 5.4,
-- 6.3, 20.21.
create or replace function engine.debrief(
  actor engine.agent_actor,
  day integer,
  slot integer,
  proofs boolean default false)
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
    'mode', 'debrief',
    'day', v_night.day,
    'resolved_at', engine.iso(v_night.resolved_at),
    'claimed', actor.account_id is not null,
    'night', jsonb_build_object(
      'accounts', v_night.accounts,
      'moves', v_night.moves,
      'burned_cents', v_night.burned_cents,
      'unsealed', trusted.unsealed(v_night.day),
      'places', (
        select jsonb_agg(jsonb_build_object(
                   'slot', p.slot,
                   'outcome', p.outcome,
                   'law', engine.outcome_sentence(p.outcome),
                   'peace_count', p.peace_count,
                   'war_count', p.war_count,
                   'burned_cents', p.burned_cents,
                   'occupants', (
                     select coalesce(jsonb_agg(jsonb_build_object(
                                'account', s.account,
                                'name', a.name,
                                'slug', a.slug,
                                'via', s.via,
                                'days_held', s.days_held,
                                'points', trim_scale(s.points)) order by s.seat), '[]')
                       from unnest(v_resolution.seats) s
                      cross join lateral engine.profile_on(s.account, v_night.day) a
                      where s.slot = p.slot)) order by p.slot)
          from unnest(v_resolution.places) p
         where p.slot = coalesce(debrief.slot, p.slot))),
    'mine', case when actor.account_id is not null then
      engine.debrief_own(actor.account_id, v_night.day, v_resolution, debrief.slot)
      || case when debrief.proofs then jsonb_build_object(
           'deposits', engine.own_deposits(actor.account_id, v_night.day, debrief.slot, true)) else '{}' end end);
end
$$;
