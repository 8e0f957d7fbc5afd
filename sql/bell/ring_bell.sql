-- The bell: one night, in one transaction. Rules 2.2, 4, 5.

create type engine.night_sums as (
  accounts        bigint,
  granted_cents   numeric,
  paid_cents      numeric,
  reserved_moves  bigint,
  balances_cents  numeric
);

comment on type engine.night_sums is
'How many accounts a night settled and what they paid, how many live moves their reservations count, and what all '
'balances of wallets and of the service add up to (cents).';

-- Adds up a night that is settled, and of which wallets show so much (cents; null: all of it): see engine.night_sums.
create or replace function engine.sum_night(night integer, debited_cents bigint)
returns setof engine.night_sums
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  -- In parallel if there are many, as engine.tally_places. One statement, because credits may come in meanwhile: both
  -- sides of a transfer are seen, or neither.
  return query
  select s.accounts, s.granted_cents, s.paid_cents, r.moves,
         w.cents + a.cents - case when debited_cents is null then 0
                                  else s.granted_cents + s.paid_cents - debited_cents end
    from (select count(*) as accounts,
                 coalesce(sum(s.granted_cents), 0) as granted_cents,
                 coalesce(sum(s.paid_cents), 0) as paid_cents
            from hill.settlements s
           where s.day = sum_night.night) s,
         (select coalesce(sum(r.peace + r.war), 0) as moves from hill.reservations r where r.day = sum_night.night) r,
         (select coalesce(sum(w.paid_cents + w.granted_cents), 0) as cents from hill.wallets w) w,
         (select sum(a.balance_cents) as cents from hill.ledger_accounts a) a;
end
$$;

-- What must hold before a night is published, by its sums. Errors: NIGHT_DOES_NOT_BALANCE, which rolls the bell's
-- transaction back. Rules 5.4, 5.5.
create or replace function engine.check_night(night integer, resolution engine.resolution, sums engine.night_sums)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v record;
begin
  select p.played_cents,
         p.live,
         sums.granted_cents + sums.paid_cents as settled_cents,
         sums.reserved_moves as reserved_live,
         sums.balances_cents as sum_of_all
    into v
    from (select sum(p.rent_cents + p.stakes_cents + p.burned_cents) as played_cents,
                 sum(p.peace_count + p.war_count) as live
            from unnest(resolution.places) p) p;
  if v.played_cents <> v.settled_cents or v.live <> v.reserved_live or v.sum_of_all <> 0 then
    perform engine.refuse(
      'NIGHT_DOES_NOT_BALANCE',
      format('night %s does not balance and was not published', night),
      to_jsonb(v));
  end if;
end
$$;
