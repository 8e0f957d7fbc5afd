-- Icon: whether an icon of an account's verified site is served, drawn anew. Rules 11.3.

-- Trigger: the picture of an icon that is not shown any more is not kept.
create or replace function trusted.drop_icon()
returns trigger
language plpgsql volatile parallel unsafe security definer  -- hill_owner: nobody else may delete anything
set search_path to pg_catalog, pg_temp
as $$
begin
  delete from hill.icons i where i.account_id = new.id;
  return null;
end
$$;

create or replace trigger drop_icon after update on hill.accounts for each row
  when (old.icon and not new.icon) execute function trusted.drop_icon();
