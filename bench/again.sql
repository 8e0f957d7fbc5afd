-- Whoever moved on day 2 makes the same moves again tonight. As a superuser, beside bench/population.sql.
begin;
set local session_replication_role = replica;
insert into hill.sealed_moves (day, account_id, agent_id, at, slot, move, stake_cents, cost_cents, message)
select t.day, m.account_id, m.agent_id, m.at + make_interval(days => t.day - m.day), m.slot, m.move, m.stake_cents, m.cost_cents, m.message
  from (select engine.last_night() + 1 as day) t
 cross join hill.moves m
 where m.day = 2 and m.ended is null
 order by m.at;
update hill.reservations r
   set day = x.day, cents = x.cents, peace = x.peace, war = x.war, moves = x.moves
  from (select m.account_id, m.day, sum(m.cost_cents) as cents, count(*) filter (where m.move = 'PEACE') as peace,
               count(*) filter (where m.move = 'WAR') as war, count(*) as moves
          from hill.sealed_moves m group by 1, 2) x
 where x.account_id = r.account_id;
commit;

analyze hill.sealed_moves;
analyze hill.reservations;
