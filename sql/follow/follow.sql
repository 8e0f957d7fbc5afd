-- The nights of another hill, one after the other, from their night files: what each should say, by the functions that
-- the bell uses, and where it says otherwise. Rules 4, 12.1, 20.50.

-- Takes in which places were open. One that is open stays so.
create or replace function engine.follow_places(night engine.night)
returns setof engine.fault
language sql volatile parallel unsafe security invoker
begin atomic
  with opened as (
    update hill.places p set opens_day = (follow_places.night).day
     where p.opens_day > (follow_places.night).day
       and p.slot in (select o from engine.night_open_slots(follow_places.night) o)
    returning p.slot)
  select o.slot, null::text, 'open', null::text, 'open' from opened o
   where exists (select from hill.nights)
   union all
  select p.slot, null, 'open', 'open', 'not open'
    from hill.places p
   where p.opens_day <= (follow_places.night).day
     and p.slot not in (select o from engine.night_open_slots(follow_places.night) o)
   order by 1;
end;

-- Takes in who was not seen before. Of the others, and of the house, an account says the same for ever.
create or replace function engine.follow_accounts(night jsonb)
returns setof engine.fault
language sql volatile parallel unsafe security invoker
begin atomic
  with shown as materialized (
    select a.account::uuid as account, a.since, coalesce(a.house, false) as house
      from jsonb_to_recordset(follow_accounts.night -> 'accounts') a (account text, since timestamptz, house boolean)

  ), added as (
    insert into hill.accounts (id, name, slug, house, created_at)
    select s.account, s.account::text, s.account::text, s.house, s.since from shown s
    on conflict (id) do nothing
    returning id, created_at

  ), wallets as (
    insert into hill.wallets (account_id, since) select a.id, a.created_at from added a
  )
  select null::smallint, a.id::text, 'seniority', null::text, engine.iso(a.created_at) from added a
   union all
  select null, s.account::text, 'house', a.house::text, s.house::text
    from shown s join hill.accounts a on a.id = s.account
   where a.house <> s.house
   order by 2;
end;

-- Who should have held which place, and for how many bells: whom the night before left there.
create or replace function engine.wrong_holders(night engine.night)
returns setof engine.fault
language sql stable parallel safe security invoker
begin atomic
  select slot, account::text, 'days held', coalesce(d.days_held::text, 'nothing'),
         coalesce(s.days_held::text, 'nothing')
    from engine.night_holders(engine.stored_night((wrong_holders.night).day)) d
    full join (select h.slot, n.name::uuid as account, h.days_held
                 from engine.night_holders(wrong_holders.night) h
                 join engine.night_names(wrong_holders.night) n using (account)) s using (slot, account)
   where d.days_held is distinct from s.days_held
   order by 1, 2;
end;

-- Reputation and seniority that the night should have used of each account that moved. Errors: none, but the moves have
-- to be taken in before.
create or replace function engine.wrong_accounts(night engine.night)
returns setof engine.fault
language sql stable parallel safe security invoker
begin atomic
  select null::smallint, account::text, f.field, f.due, f.shown
    from engine.night_accounts(engine.stored_night((wrong_accounts.night).day)) d
    full join (select n.name::uuid as account, a.reputation, a.since
                 from engine.night_accounts(wrong_accounts.night) a
                 join engine.night_names(wrong_accounts.night) n using (account)) s using (account)
    join hill.accounts a on a.id = account
   cross join lateral (values
     ('reputation', coalesce(trim_scale(d.reputation)::text, 'nothing'),
      coalesce(trim_scale(s.reputation)::text, 'nothing'), true),
     ('seniority', coalesce(engine.iso(d.since), 'nothing'), coalesce(engine.iso(s.since), 'nothing'),
      engine.wrong_seniority(s.since, (wrong_accounts.night).day, a.created_at, a.house))) f (field, due, shown, counts)
   where f.due <> f.shown and f.counts
   order by 2, 3;
end;

-- What no account may do in a day, and when it may.
create or replace function engine.wrong_moves(night engine.night)
returns setof engine.fault
language sql stable parallel safe security invoker
begin atomic
  with moves as materialized (
    select n.name, m.slot, m.at, a.house, a.created_at
      from engine.night_moves(wrong_moves.night) m
      join engine.night_names(wrong_moves.night) n using (account)
      join hill.accounts a on a.id = n.name::uuid
  )
  select null::smallint, m.name, 'places that it moved on', 'at most ' || engine.places_per_day(), count(*)::text
    from moves m
   group by m.name
  having count(*) > engine.places_per_day()
   union all
  select m.slot, m.name, 'instant of its move', 'before ' || engine.iso(b.bell), engine.iso(m.at)
    from moves m
   cross join (select engine.bell_at((wrong_moves.night).day) as bell) b
   where m.at >= b.bell
   union all
  select m.slot, m.name, 'instant of its move', 'not before ' || engine.iso(b.bell), engine.iso(m.at)
    from moves m
   cross join (select engine.bell_at((wrong_moves.night).day - 1) as bell) b
   where m.at < b.bell
   union all
  select m.slot, m.name, 'instant of its move', 'not before ' || engine.iso(m.created_at) || ', when there was no such '
         || 'account', engine.iso(m.at)
    from moves m
   where m.at < m.created_at and not m.house
   order by 2, 1;
end;

-- Takes in what was played, and of each account what trusted.settle_day and trusted.settle_accounts write of it.
create or replace function engine.settle_followed(night engine.night)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_day integer := (night).day;
begin
  insert into hill.moves (day, seq, account_id, agent_id, at, slot, move, stake_cents, cost_cents)
  select v_day,
         m.seq,
         n.name::uuid,
         n.name::uuid,
         m.at,
         m.slot,
         m.move,
         m.stake_cents,
         -- by who held the place, not by who is said to
         engine.move_cents(m.move, m.stake_cents, coalesce(h.days_held, 0))
    from engine.night_moves(settle_followed.night) m
    join engine.night_names(settle_followed.night) n using (account)
    left join engine.night_holders(engine.stored_night(v_day)) h on h.slot = m.slot and h.account = n.name::uuid;
  if not exists (select from hill.settings) then
    insert into hill.settings (day_one, clock, created_at)
    select mode() within group (order by (m.at at time zone 'UTC')::date) - (v_day - 1), 'real', min(m.at)
      from hill.moves m
     where m.day = v_day
    having count(*) > 0;
  end if;
  -- nobody knows what was paid with which credits
  insert into hill.settlements (
    account_id, since, granted_cents, paid_cents, day, peace_count, war_count, peace_tonight, war_tonight)
  select w.account_id,
         case when a.house then engine.bell_at(v_day) else w.since end,
         0,
         m.cents,
         v_day,
         engine.ring_count(engine.ring_at(w.peace_ring, w.ring_day, v_day - 1)),
         engine.ring_count(engine.ring_at(w.war_ring, w.ring_day, v_day - 1)),
         m.peace,
         m.war
    from (select m.account_id,
                 sum(m.cost_cents)::bigint as cents,
                 count(*) filter (where m.move = 'PEACE') as peace,
                 count(*) filter (where m.move = 'WAR') as war
            from hill.moves m
           where m.day = v_day
           group by m.account_id) m
    join hill.wallets w using (account_id)
    join hill.accounts a on a.id = m.account_id;
  update hill.wallets w
     set ring_day = s.day,
         peace_ring = engine.ring_with(w.peace_ring, w.ring_day, s.day, s.peace_tonight),
         war_ring = engine.ring_with(w.war_ring, w.ring_day, s.day, s.war_tonight)
    from hill.settlements s
   where s.day = v_day and s.account_id = w.account_id;
end
$$;

-- Takes in what a night came to, from the text whose hash the log has: see engine.result_text.
create or replace function engine.follow_result(day integer, result text)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  insert into hill.nights (
    day, bell_at, resolved_at, accounts, moves, rent_cents, stakes_cents, burned_cents, granted_cents, paid_cents)
  select follow_result.day, b.bell, b.bell, 0, 0, 0, 0, 0, 0, 0
    from (select coalesce(engine.bell_at(follow_result.day), '-infinity') as bell) b;
  insert into hill.place_results (day, slot, outcome, open, peace_count, war_count, burned_cents)
  select follow_result.day, l.w[2]::smallint, l.w[3]::hill.outcome, true, l.w[4]::integer, l.w[5]::integer,
         l.w[6]::bigint
    from (select string_to_array(t.line, ' ') as w from string_to_table(follow_result.result, e'\n') t (line)) l
   where l.w[1] = 'place';
  insert into hill.seats (day, slot, seat, account_id, agent_id, seq, days_held, via, points)
  select follow_result.day,
         l.w[2]::smallint,
         row_number() over (partition by l.w[2] order by l.n),
         l.w[3]::uuid,
         l.w[3]::uuid,
         0,
         l.w[4]::integer,
         l.w[5]::hill.seat_source,
         l.w[6]::numeric
    from (select string_to_array(t.line, ' ') as w, t.n
            from string_to_table(follow_result.result, e'\n') with ordinality t (line, n)) l
   where l.w[1] = 'seat';
  update hill.settings s
     set last_night = follow_result.day, settled_night = follow_result.day, closed_day = follow_result.day
   where true;
end
$$;

create or replace function engine.follow_night(night jsonb, result text)
returns setof engine.fault
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_why   text := (engine.why_malformed(night)).reason;
  v_night engine.night;
begin
  v_why := coalesce(v_why, (
    select format('%s is no account of a hill', a.value -> 'account')
      from (select * from jsonb_array_elements(night -> 'accounts')
            union all
            select * from jsonb_array_elements(night -> 'holders')) a (value)
     where not pg_input_is_valid(a.value ->> 'account', 'uuid') limit 1));
  if v_why is not null then
    return next row(null, null, 'night file', 'well formed', v_why)::engine.fault;
    return;
  end if;
  v_night := engine.parse_night(night);
  return query select * from engine.follow_places(v_night);
  return query select * from engine.follow_accounts(night);
  -- behind a night that is not known nobody knows who held what
  if (v_night).day = 1 or exists (select from hill.nights n where n.day = (v_night).day - 1) then
    return query select * from engine.wrong_holders(v_night);
  end if;
  perform engine.settle_followed(v_night);
  return query select * from engine.wrong_accounts(v_night);
  return query select * from engine.wrong_moves(v_night);
  perform engine.follow_result((v_night).day, result);
end
$$;

comment on function engine.follow_night is
'Follows the next night of another hill, after engine.begin_following: takes its night file and its result (see '
'engine.result_text), and returns where the file does not follow from the nights before: open places, holders and days '
'held, reputations, seniorities, limits, instants; and, with due null, who and what is seen for the first time. '
'Rules 4, 12.1, 20.50.';
