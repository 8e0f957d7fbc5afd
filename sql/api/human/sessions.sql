-- api/human/sessions.sql · Humans come in, once a provider has vouched for them, and go out. Specification 5.4.
--
-- The web process is trusted to sign in: it has spoken the provider's protocol, and the database takes its word for who came. So whoever can call
-- sign_in, which is the web's login, could come in as anybody; everything else that a human may do asks for the session that it opened.

create or replace function api_human.sign_in(provider text, subject text, email text, session text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.sign_in(provider, subject, email, session);
end
$$;

create or replace function api_human.sign_out(session text)
returns void
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.sign_out(session);
end
$$;

create or replace function api_human.sign_out_everywhere(session text)
returns integer
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.sign_out_everywhere(engine.enter_human(session));
end
$$;

comment on function api_human.sign_in(text, text, text, text) is
$$Signs a human in whom a provider vouched for: see engine.sign_in. The web process calls it after the provider's protocol succeeded, and is trusted to.
Errors: INVALID_ARGUMENT.$$;
comment on function api_human.sign_out(text) is 'Ends a session, if it is one: see engine.sign_out.';
comment on function api_human.sign_out_everywhere(text) is 'Ends every session of the human: see engine.sign_out_everywhere. Returns how many. Errors: INVALID_TOKEN.';

grant execute on function api_human.sign_in(text, text, text, text), api_human.sign_out(text), api_human.sign_out_everywhere(text) to hill_human;
