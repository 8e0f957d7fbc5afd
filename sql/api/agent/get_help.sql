-- The tool get_help: what its texts are made of. Protocol 9.7.

create or replace function api_agent.get_help(token text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.enter_agent(token, 'hill:read');
  return jsonb_build_object(
    'rules', engine.rules_record(),
    'errors', (
      select jsonb_agg(jsonb_build_object('code', e.code, 'hint', e.hint) order by e.code) from engine.errors() e));
end
$$;

comment on function api_agent.get_help is
'What the help texts are made from, with an access token of scope hill:read: the rules record (cents), and every '
'registered code with its hint. '
'Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE.';

grant execute on function api_agent.get_help to hill_agent;
