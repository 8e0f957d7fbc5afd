-- What a place of a past night came to for each who was there, for staff. The decisions are those of
-- engine.explain_night; here it is only chosen whose. Rules 4.4, 4.5.

-- Each decision of a published night that has to do with a place. Rules 4.4, 4.5.
create or replace function engine.explain_place(day integer, slot integer, account_id uuid)
returns setof api_staff.night_decision
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_night      engine.night := engine.stored_night(day);
  v_resolution engine.resolution := engine.published_resolution(day);
  v_first      integer := 500;
  v_accounts   uuid[] := case when account_id is not null then array[account_id] else array(
    select s.account from unnest(v_resolution.seats) s where s.slot = explain_place.slot
    union
    select h.account from engine.night_holders(v_night) h where h.slot = explain_place.slot
    union
    select m.account_id from engine.moves_page(explain_place.day, explain_place.slot::smallint, null, v_first) m) end;
begin
  return query
  select d.account,
         d.slot,
         d.fate::text,
         engine.decision_words(d, r.name),
         d.rule,
         engine.rule_sentence(d.rule),
         d.move,
         d.seq,
         m.at,
         m.stake_cents,
         m.cost_cents,
         d.held,
         engine.tie_break(d.key),
         d.own_value,
         d.rival,
         d.rival_value
    from engine.explain_night(v_night, v_resolution) d
    left join hill.moves m on m.day = explain_place.day and m.account_id = d.account and m.seq = d.seq
    left join hill.accounts r on r.id = d.rival
   where d.account = any (v_accounts)
     and (d.slot = explain_place.slot or m.slot = explain_place.slot)
   order by d.held is null, m.move, m.at, m.seq, d.fate, d.slot;
end
$$;

-- as agents read them (night/tell_decisions.sql)
