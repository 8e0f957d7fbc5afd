-- The name of an account: drawn when its human opens it, chosen by the human with its first agent. Rules 11.1;
-- decisions 136.

-- A name for an account that a human opened. Rules 11.1.
create or replace function engine.neutral_name()
returns text
language sql volatile parallel safe
return (array[
    'Amber', 'Autumn', 'Brave', 'Bright', 'Calm', 'Clear', 'Copper', 'Dawn', 'Early', 'Evening', 'Fair', 'Gentle',
    'Golden', 'Green', 'Ivory', 'Jolly', 'Keen', 'Late', 'Lively', 'Lucky', 'Merry', 'Mild', 'Morning', 'Northern',
    'Patient', 'Quick', 'Quiet', 'Silver', 'Steady', 'Sunny', 'Winter', 'Wandering'
  ])[1 + floor(32 * random())::integer]
  || ' '
  || (array[
    'Badger', 'Beech', 'Bramble', 'Brook', 'Clover', 'Falcon', 'Fern', 'Finch', 'Fox', 'Hare', 'Harrier', 'Hawthorn',
    'Hazel', 'Heather', 'Heron', 'Juniper', 'Kestrel', 'Lark', 'Linnet', 'Marten', 'Meadow', 'Otter', 'Owl', 'Pine',
    'Plover', 'Robin', 'Rowan', 'Sparrow', 'Stag', 'Swift', 'Thistle', 'Wren'
  ])[1 + floor(32 * random())::integer];

-- Gives an account that has no agent yet the name that its human chose, with a slug made from it. Errors:
-- INVALID_ARGUMENT, NAME_TAKEN. Rules 11.1.
create or replace function engine.name_account(account_id uuid, name text)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_name    text;
  v_present text := (select a.name from hill.accounts a where a.id = name_account.account_id);
begin
  if exists (select from hill.agents g where g.account_id = name_account.account_id)
     or engine.profile_hidden(account_id) then
    return;
  end if;
  v_name := engine.check_name(name, account_id);
  if v_name <> v_present then
    update hill.accounts a set name = v_name, slug = engine.free_slug(v_name) where a.id = name_account.account_id;
  end if;
end
$$;

-- Gives an account another name; its slug stays. Takes the account, locked. Errors: ACCOUNT_SUSPENDED, PROFILE_HIDDEN,
-- INVALID_ARGUMENT, NAME_TAKEN. Rules 11.1, 18.5.
create or replace function engine.rename_account(account_id uuid, name text)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account hill.accounts := (select a from hill.accounts a where a.id = rename_account.account_id);
  v_name    text := engine.check_name(name, account_id);
begin
  perform engine.check_profile(v_account.id, v_account.suspended_at);
  update hill.accounts a set name = v_name where a.id = v_account.id and a.name <> v_name;
end
$$;
