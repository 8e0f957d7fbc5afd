-- A tournament of the last night that every twentieth account of a population has entered. Run it whole, as a superuser.
insert into hill.tournaments (slug, name, opens_day, sign_ups_close_day, starts_day, ends_day, target_agents, recommended_daily_cap_cents, created_at)
select 'cup', 'Cup', 1, 1, n.day, n.day, 100, 1000, engine.now() from (select engine.last_night() as day) n;
insert into hill.tournament_entries (tournament_id, account_id, agent_id, signed_up_at)
select t.id, a.id, g.id, engine.now()
  from hill.tournaments t
 cross join (select a.id, row_number() over (order by a.id) as n from hill.accounts a where not a.house) a
  join hill.agents g on g.account_id = a.id
 where a.n % 20 = 1;
