-- What the human of an account should see to before it costs: one rule for all that tells humans. Rules 9.1.

-- What tells one occasion of a warning from the next: of what lasts, a week is one.
create or replace function engine.warned_at(code text, facts jsonb, last_night integer)
returns text
language sql immutable parallel safe
return case
  when code in ('NO_AGENT', 'AGENT_SILENT') then coalesce(facts ->> 'since', '')
  when code = 'STAFF_ORDER' then concat_ws('.', facts ->> 'account_order_id', facts ->> 'state')
  when code = 'SEAT_LOST' then facts ->> 'day'
  when code in ('CREDITS_EXPIRE', 'NEW_AGENT') then facts ->> 'at'
  else concat_ws('.', facts ->> 'slot', (last_night + 7) / 7)
end;

-- What staff are about to do with an account whose human cannot sign in; null: nothing. Rules 18.8.
create or replace function engine.under_way(account_id uuid)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select jsonb_build_object(
           'account_order_id', o.id,
           'what', o.what,
           'state', o.state,
           'at', engine.iso(engine.bell_at(o.day)))
    from hill.account_orders o
   where o.account_id = under_way.account_id and o.ended_at is null;
end;

-- What api_human.warnings tells. `grave`: agents cannot play, or something was lost. `sealed`: with what tonight has
-- reserved, and who played today, for its human alone.
create or replace function engine.account_warnings(account_id uuid, sealed boolean)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now     timestamptz := engine.now();
  v_today   integer := engine.today();
  v_last    integer := engine.last_night();
  v_soon    timestamptz := v_now + make_interval(days => engine.warned_days());
  v_lately  timestamptz := v_now - make_interval(days => engine.near_days());
  v_own     engine.account_day;
  v_left    bigint;
  v_pace    bigint;
  v_paused  boolean;
begin
  select d.* into v_own from engine.account_today(account_warnings.account_id, v_today, v_last) d;
  v_left := v_own.granted_cents + v_own.paid_cents - case when sealed then v_own.reserved_cents else 0 end;
  v_pace := engine.charged(account_warnings.account_id, v_last - engine.warned_days() + 1, v_last);
  v_paused := coalesce(v_today < v_own.paused_until, false);
  return (
    with agents as materialized (
      select a.* from engine.account_agents(account_warnings.account_id, account_warnings.sealed) a

    ), held as materialized (
      select s.day, s.slot, s.days_held from hill.seats s
       where s.account_id = account_warnings.account_id and s.day in (v_last - 1, v_last)

    ), warnings as (
      select 0 as n, 'STAFF_ORDER' as code, true as grave, o.facts
        from engine.under_way(account_warnings.account_id) o (facts)
       where o.facts is not null
      union all
      select 1, 'NO_AGENT', true,
             jsonb_build_object('since', engine.iso(max(coalesce(a.cut_at, a.lapses_at))))
        from agents a having count(*) > 0 and not bool_or(a.live)
      union all
      select 2, 'CREDITS_LOW', true, jsonb_build_object('available_cents', v_left, 'needed_cents', engine.peace_cents())
       where v_left < engine.peace_cents() and exists (select from agents)
      union all
      select 3, 'SEAT_LOST', true, jsonb_build_object('day', v_last, 'slots', jsonb_agg(h.slot order by h.slot))
        from held h
       where h.day = v_last - 1 and not exists (select from held k where k.day = v_last and k.slot = h.slot)
      having count(*) > 0
      union all
      select 4, 'AGENT_SILENT', false, jsonb_build_object('since', engine.iso(max(a.last_acted_at)))
        from agents a
      having bool_or(a.live) and not v_paused
             and greatest(max(a.last_acted_at), min(a.created_at) filter (where a.live)) < v_lately
      union all
      select 5, 'CREDITS_EXPIRE', false,
             jsonb_build_object('cents', sum(l.remaining_cents), 'at', engine.iso(min(l.expires_at)))
        from engine.account_lots(account_warnings.account_id) l
       where l.remaining_cents > 0 and l.expires_at <= v_soon
      having count(*) > 0
      union all
      select 6, 'CREDITS_SHORT', false, jsonb_build_object('nights', v_left * engine.warned_days() / nullif(v_pace, 0))
       where v_left >= engine.peace_cents() and v_left * engine.warned_days() < engine.near_days() * v_pace
      union all
      select 7, 'NEW_AGENT', false, jsonb_build_object('name', a.name, 'at', engine.iso(a.created_at))
        from agents a
       where a.live and a.created_at > v_lately
         and exists (select from agents b where b.created_at < a.created_at)
      union all
      select 8, 'RENT_DOUBLES', false, jsonb_build_object('slot', h.slot, 'cents', r.cents, 'day', (
               select min(v_last + 1 + k.nights) from generate_series(1, engine.window_nights()) k (nights)
                where engine.move_cents('PEACE', 0, h.days_held + k.nights) >= 2 * r.cents))
        from held h
       cross join lateral (select engine.move_cents('PEACE', 0, h.days_held) as cents) r
       where h.day = v_last and r.cents >= 2 * engine.peace_cents()
    )
    select coalesce(jsonb_agg(jsonb_build_object(
                                'code', w.code,
                                'grave', w.grave,
                                'occasion', engine.warned_at(w.code, w.facts, v_last)) || w.facts
                              order by w.n, w.facts),
                    '[]')
      from warnings w);
end
$$;
