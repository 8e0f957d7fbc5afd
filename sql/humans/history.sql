-- What past nights were for an account, for its human: moves, seats, verdicts, and every cent. Rules 5.9.

-- Thirty nights of an account, for its own human. Rules 5.9.
create or replace function engine.account_history(account_id uuid, before integer)
returns jsonb
language plpgsql stable parallel safe security invoker  -- stable: one snapshot for the nights and the wallet
set search_path to pg_catalog, pg_temp
set plan_cache_mode to force_custom_plan  -- planned for these nights: the partitions of all others are left alone
as $$
declare
  v_last integer := engine.last_night();
  v_to   integer := greatest(1, least(account_history.before, v_last + 1)) - 1;
  v_from integer := (select greatest(1, v_to - engine.window_nights() + 1, engine.day_of(a.created_at, s.day_one))
                       from hill.accounts a cross join hill.settings s where a.id = account_history.account_id);
begin
  return (
    with entries as materialized (
      -- up to the present, because balances are counted back from the wallet
      select e.day, e.kind, e.granted_cents, e.paid_cents
        from engine.entries(account_history.account_id) e
       where e.day >= v_from

    ), daily as materialized (
      select e.day,
             sum(e.granted_cents) as granted_cents,
             sum(e.paid_cents) as paid_cents,
             coalesce(sum(e.granted_cents) filter (where e.granted_cents < 0), 0) as gone_cents,
             coalesce(sum(e.granted_cents) filter (where e.kind = 'revocation'), 0) as revoked_cents  -- the last to go
        from entries e
       group by e.day

    ), wallet as materialized (
      select w.granted_cents,
             w.paid_cents,
             (select max(l.from_cents + l.cents)
                from hill.lots l where l.account_id = account_history.account_id) - w.granted_cents
               as gone_cents  -- from the front of the account's line of lots
        from engine.credits_of(account_history.account_id) w

    ), days as materialized (
      select d.day,
             (w.granted_cents - l.granted_cents)::bigint as granted_cents,
             (w.paid_cents - l.paid_cents)::bigint as paid_cents,
             (w.gone_cents + l.gone_cents)::bigint as gone_cents  -- before this night
        from generate_series(v_from, v_to) d (day)
       cross join wallet w
       cross join lateral (
         select coalesce(sum(x.granted_cents) filter (where x.day > d.day), 0) as granted_cents,
                coalesce(sum(x.paid_cents) filter (where x.day > d.day), 0) as paid_cents,
                coalesce(sum(x.gone_cents), 0) as gone_cents
           from daily x
          where x.day >= d.day) l

    ), seats as materialized (
      select s.*
        from hill.seats s
       where s.account_id = account_history.account_id and s.day between v_from - 1 and v_to

    ), moves as materialized (
      select m.*
        from hill.moves m
       where m.account_id = account_history.account_id and m.day between v_from and v_to and m.ended is null

    ), left_places as materialized (
      select s.day + 1 as day, s.slot
        from seats s
       where s.day < v_to
         and not exists (select from seats k where k.day = s.day + 1 and k.slot = s.slot)
         and not exists (select from moves m where m.day = s.day + 1 and m.slot = s.slot)

    ), said as materialized (
      select n.day, n.slot, n.intention, n.message, n.verdict
        from days d
       cross join lateral (select n.* from hill.announcements n
                            where n.day = d.day and n.account_id = account_history.account_id) n

    ), played as (
      select m.day, m.slot, jsonb_build_object(
          'slot', m.slot,
          'move', m.move,
          'cost_cents', m.cost_cents,
          'stake_cents', nullif(m.stake_cents, 0),
          'message', m.message,
          'agent', (select engine.shown_client(a.name) from hill.agents a where a.id = m.agent_id),
          'outcome', p.outcome,
          'held_before', exists (select from seats h where h.day = m.day - 1 and h.slot = m.slot),
          'evicted_by', case when p.outcome = 'WAR' and m.move = 'PEACE' then (
            select jsonb_build_object('name', a.name, 'slug', a.slug)
              from hill.seats w
              join hill.accounts a on a.id = w.account_id
             where w.day = m.day and w.slot = m.slot) end,
          'seat', (
            select jsonb_build_object(
                       'slot', s.slot,
                       'via', s.via,
                       'days_held', s.days_held,
                       'points', trim_scale(s.points))
              from seats s
             where s.day = m.day and s.seq = m.seq)) as move
        from moves m
        join hill.place_results p on p.day = m.day and p.slot = m.slot

    ), nights as (
      select d.day, jsonb_build_object(
          'day', d.day,
          'granted_cents', coalesce(s.granted_cents, 0),
          'paid_cents', coalesce(s.paid_cents, 0),
          'moves', (select coalesce(jsonb_agg(y.move order by y.slot), '[]') from played y where y.day = d.day),
          'left', (select coalesce(jsonb_agg(y.slot order by y.slot), '[]') from left_places y where y.day = d.day),
          'announcements', (
            select coalesce(jsonb_agg(jsonb_build_object(
                     'slot', n.slot,
                     'intention', n.intention,
                     'message', n.message,
                     'verdict', n.verdict) order by n.slot), '[]')
              from said n
             where n.day = d.day),
          'lots', (
            select coalesce(jsonb_agg(jsonb_build_object(
                     'granted_at', engine.iso(l.granted_at),
                     'expires_at', engine.iso(l.expires_at),
                     'amount_cents', least(l.from_cents + l.cents, d.gone_cents + s.granted_cents)
                                     - greatest(l.from_cents, d.gone_cents)) order by l.from_cents), '[]')
              from hill.lots l
             where l.account_id = account_history.account_id
               and l.from_cents < d.gone_cents + s.granted_cents
               and d.gone_cents < l.from_cents + l.cents)) as night
        from days d
        left join hill.settlements s
          on s.account_id = account_history.account_id and s.day = d.day and s.day between v_from and v_to
       where s.day is not null
          or exists (select from left_places y where y.day = d.day)
          or exists (select from said y where y.day = d.day)
    )
    select jsonb_build_object(
      'last_night', v_last,
      'from', v_from,
      'to', v_to,
      'earlier', (select v_from > 1 and engine.day_of(a.created_at, s.day_one) < v_from
                    from hill.accounts a cross join hill.settings s
                   where a.id = account_history.account_id),
      'nights', (select coalesce(jsonb_agg(n.night order by n.day desc), '[]') from nights n),
      'balances', (
        select coalesce(jsonb_agg(jsonb_build_object(
                 'day', d.day,
                 'granted_cents', d.granted_cents,
                 'paid_cents', d.paid_cents,
                 'points', (select coalesce(trim_scale(sum(s.points)), 0) from seats s where s.day = d.day))
                 order by d.day), '[]')
          from days d),
      'transfers', (
        select coalesce(jsonb_agg(jsonb_build_object(
                 'day', t.day,
                 'kind', t.kind,
                 'granted_cents', t.granted_cents,
                 'paid_cents', t.paid_cents,
                 -- what expired at one bell is one transfer, of lots that end within it
                 'count', case t.kind when 'expiry' then (
                   select count(*)
                     from days d
                     join daily y on y.day = d.day
                    cross join lateral (select d.gone_cents - y.gone_cents + y.revoked_cents as cents) g
                     join hill.lots l on l.account_id = account_history.account_id
                                     and l.from_cents + l.cents > g.cents + t.granted_cents
                                     and l.from_cents + l.cents <= g.cents
                    where d.day = t.day) else t.transfers end) order by t.day desc, t.kind), '[]')
          from (select e.day, e.kind, sum(e.granted_cents) as granted_cents, sum(e.paid_cents) as paid_cents,
                       count(*) as transfers
                  from entries e
                 where e.kind <> 'night' and (e.day <= v_to or v_to = v_last)
                 group by e.day, e.kind) t)));
end
$$;
