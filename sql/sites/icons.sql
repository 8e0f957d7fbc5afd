-- sites/icons.sql · icon: whether an icon of an account's verified site is served, drawn anew. Rules 11.3.

create or replace function engine.keep_icon(account_id uuid, url text, result text, image bytea)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_failures integer;
  v          record;
begin
  perform engine.enter_day();
  select a.url, a.verified, c.icon_failures, c.icon_hidden into v
    from hill.site_checks c join hill.accounts a on a.id = c.account_id
   where c.account_id = keep_icon.account_id for no key update of c, a;
  if v.url is distinct from keep_icon.url or not v.verified or keep_icon.result = 'busy' then
    return jsonb_build_object('state', 'left');   -- it says nothing of the site that the account has now
  end if;
  v_failures := case when keep_icon.result in ('drawn', 'no_icon') then 0 else v.icon_failures + 1 end;
  update hill.site_checks c
     set icon_result = keep_icon.result, icon_failures = v_failures
   where c.account_id = keep_icon.account_id;
  if v.icon_hidden then
    return jsonb_build_object('state', 'hidden');
  elsif keep_icon.image is not null then
    insert into hill.icons as i (account_id, image, drawn_at)
    values (keep_icon.account_id, keep_icon.image, engine.now())
    on conflict on constraint icons_pkey do update
      set image = excluded.image, drawn_at = excluded.drawn_at where i.image <> excluded.image;
    update hill.accounts a set icon = true where a.id = keep_icon.account_id and not a.icon;
    return jsonb_build_object('state', 'shown');
  elsif keep_icon.result = 'no_icon' or v_failures >= engine.site_patience() then
    update hill.accounts a set icon = false where a.id = keep_icon.account_id and a.icon;
    return jsonb_build_object('state', 'gone');
  end if;
  return jsonb_build_object('state', 'kept');
end
$$;

comment on function engine.keep_icon is
'Records what fetching the icon of an account''s verified site came to, right after a check (engine.end_site_check): '
'image with the result drawn; without an image no_icon (the site has none), or the reason. With an image icon is true; '
'with no_icon it is false; any other result leaves the icon as it was until engine.site_patience of them in a row. '
'Returns state: shown, gone, kept, hidden (staff took it away), left (the account has another site by now, or none '
'that is verified). Rules 11.3.';

create or replace function engine.drop_icon()
returns trigger
language plpgsql volatile parallel unsafe security definer  -- hill_owner: nobody else may delete anything
set search_path to pg_catalog, pg_temp
as $$
begin
  delete from hill.icons i where i.account_id = new.id;
  return null;
end
$$;

comment on function engine.drop_icon is 'Trigger: the picture of an icon that is not shown any more is not kept.';

create or replace trigger drop_icon after update on hill.accounts for each row
  when (old.icon and not new.icon) execute function engine.drop_icon();

grant execute on function engine.keep_icon to hill_api_worker;
