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

-- The account of a session whose human changes how it is shown, locked; not while a bell rings, which freezes that for
-- its night. Errors: INVALID_TOKEN, BELL_RINGING, ACCOUNT_CLOSED, ACCOUNT_SUSPENDED, PROFILE_HIDDEN. Rules 10.10, 18.5.
create or replace function engine.enter_profile(session text)
returns uuid
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human(session);
begin
  if not engine.try_day() then
    perform engine.unless_refused(engine.bell_ringing());
  end if;
  perform trusted.lock_account(v_account_id);
  perform engine.enter_human(session);   -- it may have been ended while this waited
  perform engine.check_profile(
    v_account_id, (select a.suspended_at from hill.accounts a where a.id = v_account_id));
  return v_account_id;
end
$$;
