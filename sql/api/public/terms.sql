-- Whose hill this is, and on which terms. Rules 5.10.

create or replace function api_public.terms()
returns jsonb
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object(
      'operator', t.operator,
      'version', t.version,
      'since', engine.iso(t.at),
      'terms', jsonb_build_object('text', t.terms_text, 'url', t.terms_url, 'sha256', t.terms_sha256),
      'privacy', jsonb_build_object('text', t.privacy_text, 'url', t.privacy_url, 'sha256', t.privacy_sha256))
    from engine.terms_in_force() t
$$;

comment on function api_public.terms is
'The terms and the privacy notice in force, each with its text or its address (url) and its SHA-256, their version, '
'since when, and the operator whose they are. null if none were published. Rules 5.10.';

grant execute on function api_public.terms to hill_public;
