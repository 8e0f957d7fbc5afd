-- GET /icon/…: the icons of identities, for pages and readers. Rules 11.3.

create or replace function api_public.icon(hash text)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_image bytea := (
    select i.image
      from hill.icons i join hill.accounts a on a.id = i.account_id and a.icon
     where i.hash = icon.hash limit 1);
begin
  if v_image is null then
    perform engine.refuse('NOT_FOUND', 'There is no such icon.');
  end if;
  return jsonb_build_object('image', encode(v_image, 'base64'));
end
$$;

comment on function api_public.icon is
'The icon whose bytes have a SHA-256 (64 hexadecimal digits), of whichever identity: image, a PNG in Base64. '
'Errors: NOT_FOUND. Rules 11.3.';

create or replace function api_public.icon_of(slug text)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_hash text := (
    select i.hash
      from engine.account_of_slug(lower(icon_of.slug)) s
      join hill.accounts a on a.id = s.account_id and a.icon
      join hill.icons i on i.account_id = a.id);
begin
  if v_hash is null then
    perform engine.refuse('NOT_FOUND', 'There is no such icon.');
  end if;
  return jsonb_build_object('hash', v_hash);
end
$$;

comment on function api_public.icon_of is
'The hash of the icon that an identity has now, by a slug that it has or had. Errors: NOT_FOUND, also for an identity '
'without an icon. Rules 11.3.';

create or replace function api_public.icons(ids uuid[])
returns jsonb
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
  select coalesce(jsonb_object_agg(i.account_id, i.hash), '{}')
    from hill.icons i join hill.accounts a on a.id = i.account_id and a.icon
   where i.account_id = any (ids[1:engine.list_length()])
$$;

comment on function api_public.icons is
'The hashes of the icons that accounts have now, by account id; those without one are left out. At most the first '
'1,000 ids are looked at. Rules 11.3.';

grant execute on function api_public.icon, api_public.icon_of, api_public.icons to hill_public;
