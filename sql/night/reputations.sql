-- Reputation and seniority of some accounts, from published nights. Rules 4.2, 4.3.

-- Reputation and seniority of some accounts as they count at the bell of a day, from what the 30 nights before it
-- published. Rules 4.2, 4.3.
create or replace function engine.reputations(accounts uuid[], day integer)
returns table (account uuid, reputation numeric, since timestamptz)
language sql stable parallel safe security invoker
begin atomic
  select a.id,
         engine.reputation(coalesce(s.peace, 0)::integer, coalesce(s.war, 0)::integer),
         -- as trusted.settle_day has it
         case when a.house then engine.bell_at(reputations.day) else a.created_at end
    from hill.accounts a
    left join (select t.account_id, sum(t.peace_tonight) as peace, sum(t.war_tonight) as war
                 from hill.settlements t
                where t.account_id = any (reputations.accounts)
                  and t.day >= reputations.day - engine.window_nights()
                  and t.day < reputations.day
                group by t.account_id) s on s.account_id = a.id
   where a.id = any (reputations.accounts);
end;
