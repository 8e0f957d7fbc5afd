-- Which names an account may have, whoever gives them. Rules 11.1.

-- Takes a name that somebody gives an account, or a new one (null); it may keep its own. Errors: INVALID_ARGUMENT,
-- NAME_TAKEN. Rules 11.1.
create or replace function engine.check_name(name text, account_id uuid)
returns text
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_name    text := trim(normalize(check_name.name, NFC));
  v_present text := (select a.name from hill.accounts a where a.id = check_name.account_id);
begin
  if v_name is null then
    return null;
  elsif char_length(v_name) not between 1 and engine.name_length() then
    perform engine.refuse('INVALID_ARGUMENT', format('name must have 1 to %s characters.', engine.name_length()),
      jsonb_build_object('argument', 'name', 'max_length', engine.name_length()));
  elsif v_name ~ engine.unfit_letters() then
    perform engine.refuse('INVALID_ARGUMENT',
      'name contains characters that cannot be shown: control or invisible characters, or stacked accents.',
      '{"argument": "name"}');
  elsif engine.mixes_alphabets(v_name) then
    perform engine.refuse('INVALID_ARGUMENT',
      'name mixes Latin letters with letters of another alphabet that look like them.', '{"argument": "name"}');
  elsif v_name ~ '[|{}<>]' then  -- what tables and records are written with: see src/mcp/texts.ts
    perform engine.refuse('INVALID_ARGUMENT', 'name may not have | { } < or >.', '{"argument": "name"}');
  elsif v_name !~ '[[:alnum:]]' then
    perform engine.refuse('INVALID_ARGUMENT', 'name needs a letter or a digit.', '{"argument": "name"}');
  elsif v_name is not distinct from v_present then
    return v_name;
  elsif engine.reserved_slug(engine.slug_of(v_name)) or engine.looks_reserved(v_name) then
    perform engine.refuse('INVALID_ARGUMENT',
      'name is reserved: it could be taken for the service itself.', '{"argument": "name"}');
  elsif engine.name_holder(account_id, engine.name_skeletons(v_name)) is not null then
    perform engine.refuse_name(account_id, v_name);
  end if;
  return v_name;
end
$$;
