-- oauth/account_agents.sql · The agents of an account, as its human sees them. Rules 9.1; protocol 6.2.

create or replace function engine.account_agents(account_id uuid)
returns jsonb
language sql volatile parallel unsafe security invoker
begin atomic
  select coalesce(
           jsonb_agg(
             jsonb_build_object(
               'agent_id', a.id,
               'name', a.name,
               'model', a.model,
               'created_at', engine.iso(a.created_at),
               'cut_at', engine.iso(a.cut_at),
               'lapsed', a.cut_at is null
                 and g.id is not null
                 and (engine.has_lapsed(g)
                      -- or it was claimed and did not fetch its tokens in time
                      or exists (select from oauth.registrations r
                                  where r.grant_id = g.id
                                    and r.issued_at is null
                                    and r.claim_expires_at <= engine.now())),
               'last_used_at', engine.iso(g.last_used_at),
               'client_id', g.client_id,
               'scopes', to_jsonb(g.scopes))
             order by a.created_at desc, a.id),
           '[]')
    from hill.agents a left join oauth.grants g on g.agent_id = a.id
   where a.account_id = account_agents.account_id;
end;

comment on function engine.account_agents is
'The agents of an account, for its human, the latest first: agent_id, name, model, created_at, cut_at (null while it '
'can play), lapsed (it has to ask again: it was unused for too long, or did not fetch the tokens of its claim in '
'time), and, for those that came by the authorization server, last_used_at (its last token), client_id, scopes. For '
'the account''s own human only: a last use betrays moves. Rules 9.2.';

grant execute on function engine.account_agents to hill_api_human;
