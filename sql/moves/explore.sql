-- moves/explore.sql · What an account could do tonight: every move on every place, what it costs, whether it would be
-- accepted, what it may come to. Rules 3.1, 3.7, 9.1, 13.1.

create or replace function engine.show_option(
  own engine.account_day,
  live engine.live_move,
  move hill.move,
  days_held integer,
  bar text,
  opens_day integer,
  today integer,
  peace integer,
  war integer)
returns jsonb
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_stake   bigint := case move when 'WAR' then engine.war_minimum_cents() else 0 end;
  v_cost    bigint := engine.move_cents(move, v_stake, days_held);
  v_others  bigint := own.today_cents - coalesce(live.reserved_cents, 0);   -- what the other live moves reserve
  v_credits bigint := own.granted_cents + own.paid_cents;
  v_same    boolean;
  v_code    text;
begin
  v_same := case when move = 'PASS' then live.slot is null
                 else coalesce(live.move = move and live.stake_cents = v_stake and live.message is null, false) end;
  v_code := case
    when bar is not null then bar
    when opens_day > today then 'SLOT_CLOSED'
    when v_same then null
    else engine.limit_reached(move, v_stake, v_cost, live.slot is not null, coalesce(live.reserved_cents, 0),
                              own.moves, own.peace + own.war, own.today_cents, own.daily_cap_cents,
                              own.max_stake_cents, v_credits) end;
  return jsonb_build_object(
    'move', move,
    'cost_cents', v_cost,
    'stake_cents', nullif(v_stake, 0),
    'allowed', v_code is null,
    'code', v_code,
    'hint', (select e.hint from engine.errors() e where e.code = v_code),
    'changes_nothing', case when own.account_id is not null then v_same end,
    'day_total_cents', v_others + v_cost,
    -- the live move on the place is replaced: it is not counted beside the new one
    'reputation_after', engine.reputation(
      peace - (live.move is not distinct from 'PEACE')::integer + (move = 'PEACE')::integer,
      war - (live.move is not distinct from 'WAR')::integer + (move = 'WAR')::integer))
    || case when move = 'WAR' then jsonb_build_object(
         'largest_stake_cents', case when v_code is null then nullif(greatest(
           least(own.max_stake_cents, greatest(own.daily_cap_cents, own.today_cents) - v_others, v_credits - v_others),
           v_stake), 0) end)
       else '{}' end;
end
$$;

comment on function engine.show_option is
'One move on one place as engine.explore tells it, WAR at the least stake: its cost (cents), whether play would '
'accept it, else the code and what to do; the day''s reservations with it, the reputation after it, for WAR the '
'largest stake that would pass. Takes the account''s day (null before a claim), the live move there, the days held '
'there (0 for a challenger), the code that refuses any deposit (null: none), and the PEACE and WAR counts that '
'tonight''s live moves make.';

create or replace function engine.explore(actor engine.agent_actor, day integer, slot integer)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_today    integer;
  v_last     integer;
  v_own      engine.account_day;
  v_bar      text;      -- what refuses any deposit, whatever the place
  v_night    engine.night;
  v_me       engine.night_account;
  v_peace    integer := 0;   -- counts of the nights that will count after tonight, with tonight's live moves
  v_war      integer := 0;
  v_supposed jsonb;
begin
  if explore.slot not between 1 and engine.slot_count() then
    perform engine.refuse('INVALID_ARGUMENT', format('slot is a place from 1 to %s.', engine.slot_count()),
                          '{"argument": "slot"}');
  end if;
  -- Shared, so that no night is published between one look and the next; tried, for while the bell rings nobody knows
  -- who holds what.
  if not engine.try_day() then
    perform engine.unless_refused(engine.bell_ringing());
  end if;
  v_today := engine.today();
  v_last := engine.last_night();
  if explore.day <> v_today then
    perform engine.refuse('INVALID_ARGUMENT', 'day is today, or left out: only a debrief is of another day.',
                          jsonb_build_object('argument', 'day', 'today', v_today));
  end if;
  if v_today > v_last + 1 then
    perform engine.unless_refused(engine.bell_ringing());
  end if;

  select d.* into v_own from engine.account_today(actor.account_id, v_today, v_last) d;
  v_bar := case when not 'hill:play' = any (actor.scopes) then 'INSUFFICIENT_SCOPE'
                else (select engine.bar_to_playing(
                               v_own.suspended_at, v_own.barred_at, v_own.founder, v_today, s.founders_total)
                        from hill.settings s where v_own.account_id is not null) end;
  v_night := engine.public_night(v_today, v_last);
  if actor.account_id is null then
    v_me := engine.newcomer(v_today);
  else
    v_me := row(actor.account_id, v_own.reputation, v_own.since);
    select engine.ring_count(engine.ring_at(w.peace_ring, w.ring_day, v_today)) + v_own.peace,
           engine.ring_count(engine.ring_at(w.war_ring, w.ring_day, v_today)) + v_own.war
      into v_peace, v_war
      from hill.wallets w where w.account_id = actor.account_id;
  end if;
  select jsonb_object_agg(m.move || case when s.holders_stay then ' stay' else ' alone' end,
                          engine.suppose_moves(v_night, v_me, m.move, s.holders_stay))
    into v_supposed
    from unnest(enum_range(null::hill.move)) m (move) cross join unnest(array[false, true]) s (holders_stay);

  return jsonb_build_object(
    'mode', 'explore',
    'day', v_today,
    'bell_at', engine.iso(engine.bell_at(greatest(1, v_today))),
    'claimed', actor.account_id is not null,
    'barred_by', v_bar,
    'mine', case when actor.account_id is not null then
      engine.show_account_day(v_own) || jsonb_build_object(
        'account_id', v_own.account_id,
        'name', v_own.name,
        'since', engine.iso(v_own.since)) end,
    'places', (
      select jsonb_agg(jsonb_build_object(
          'slot', p.slot,
          'open', p.opens_day <= v_today,
          'opens_day', p.opens_day,
          'points_alone', trim_scale(engine.points(p.slot, 1)),
          'points_shared', trim_scale(engine.points(p.slot, engine.seats_per_place())),
          'occupants', (
            select coalesce(jsonb_agg(jsonb_build_object(
                'account', a.id,
                'name', a.name,
                'slug', a.slug,
                'house', a.house,
                'me', a.id is not distinct from actor.account_id,
                'days_held', h.days_held,
                'rent_cents', engine.move_cents('PEACE', 0, h.days_held),
                'reputation', r.reputation,
                'since', engine.iso(r.since)) order by h.n), '[]')
              from unnest(v_night.holders) with ordinality h (slot, account, days_held, n)
              join unnest(v_night.accounts) r on r.account = h.account
              join hill.accounts a on a.id = h.account
             where h.slot = p.slot),
          'announced', (
            select coalesce(jsonb_agg(jsonb_build_object(
                'account', a.id,
                'name', a.name,
                'intention', n.intention,
                'message', n.message,
                'at', engine.iso(n.at)) order by n.at, n.account_id), '[]')
              from (select n.* from hill.announcements n
                     where n.day = v_today and n.slot = p.slot order by n.at desc limit engine.brief_length()) n
              join hill.accounts a on a.id = n.account_id),
          'my_live_move', engine.show_live_move(l.live),
          'options', (
            select jsonb_agg(engine.show_option(v_own, l.live, m.move, coalesce(o.days_held, 0), v_bar, p.opens_day,
                                                v_today, v_peace, v_war)
                             || jsonb_build_object(
                               'if_nobody_else_moves', v_supposed -> (m.move || ' alone') -> p.slot::text,
                               'if_holders_stay', v_supposed -> (m.move || ' stay') -> p.slot::text) order by m.move)
              from unnest(enum_range(null::hill.move)) m (move))) order by p.slot)
        from hill.places p
        left join lateral (select h.days_held from unnest(v_night.holders) h
                            where h.slot = p.slot and h.account = actor.account_id) o on true
        left join (select m as live from engine.live_moves(actor.account_id) m) l on (l.live).slot = p.slot
       where p.slot = coalesce(explore.slot, p.slot)));
end
$$;

comment on function engine.explore is
'What an agent could do tonight, on each place or on one: who sits there, what was announced, and for PEACE, WAR (at '
'the least stake) and PASS the cost (cents), whether play would accept it, else code and hint, the reputation after '
'it, and what it would come to if nobody else moved, or if every other holder stayed at peace. barred_by: the code '
'that refuses any deposit today, whatever the place. Of others it shows only what is public. Before a claim: as for a '
'newcomer, without an account''s figures. '
'Errors: INVALID_ARGUMENT, BELL_RINGING. Rules 3.7, 9.1.';

grant execute on function engine.show_option, engine.explore to hill_api_agent;
