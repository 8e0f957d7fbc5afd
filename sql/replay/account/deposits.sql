-- What the account deposited that day, in order.

select not (select r.rolsuper or r.rolbypassrls from pg_roles r where r.rolname = current_user)
       and not pg_has_role('hill_api_agent', 'USAGE') and not pg_has_role('hill_api_human', 'USAGE') as only_live,
       exists (select from hill.moves m where m.day = :day and m.account_id = :'account_id') as any \gset

\echo Deposits, in order
\echo
\if :only_live
\echo Live moves only: what was replaced or withdrawn stays with its account, and this login may not read it.
\echo
\endif
\if :any
select m.seq as deposit,
       to_char(m.at, 'HH24:MI:SS.US') as deposited,
       g.name as agent,
       m.slot as place,
       m.move,
       nullif(m.stake_cents, 0) as "stake cents",
       m.cost_cents as "cost cents",
       case when m.ended is null then 'live at the bell'
            when m.ended = 'pass' then 'withdrew the move'
            else m.ended || ' at ' || to_char(m.ended_at, 'HH24:MI:SS.US') end as "came to",
       coalesce(m.message, '') as message
  from hill.moves m
  left join hill.agents g on g.id = m.agent_id
 where m.day = :day and m.account_id = :'account_id'
 order by m.seq;
\else
\echo None.
\echo
\endif
