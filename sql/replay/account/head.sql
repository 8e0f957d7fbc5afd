-- Whose day it is, with the seniority and reputation that the night used.

select case when a.house then 'House account' else 'Account' end as kind,
       to_char(coalesce(s.since, w.since), 'YYYY-MM-DD HH24:MI:SS.US') as since,
       coalesce(
         'Reputation used: ' || trim_scale(engine.reputation(s.peace_count, s.war_count))
           || ' (' || s.peace_count || ' PEACE, ' || s.war_count || ' WAR in the 30 nights before).',
         'No live move, so no reputation was used.') as reputation
  from hill.accounts a
  join hill.wallets w on w.account_id = a.id
  left join hill.settlements s on s.day = :day and s.account_id = a.id
 where a.id = :'account_id' \gset

\echo :slug on day :day of the hill
\echo
\echo :kind :account_id of :name, since :since UTC.
\echo :reputation
\echo
