-- What a practice hill does otherwise: play money for whoever comes, accounts that vanish, and a clock that stands
-- still before the disk is full. Rules 17.4.

-- Refuses what is for practice alone. Errors: SETTING_REFUSED.
create or replace function engine.check_practice()
returns void
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if not engine.is_practice() then
    perform engine.refuse('SETTING_REFUSED', 'This hill is not for practice.');
  end if;
end
$$;

-- Refuses whoever is new on a practice hill that is full; its clock stands still then. Errors: PRACTICE_FULL.
create or replace function engine.refuse_full()
returns void
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if exists (select from hill.settings s where s.practice and s.rate = 0) then
    perform engine.refuse('PRACTICE_FULL', 'This practice hill is full.');
  end if;
end
$$;

-- How many top-ups of the largest kind a new account of a practice hill has.
create or replace function engine.practice_topups() returns integer language sql immutable parallel safe return 10;

-- Gives a new account of a practice hill what it plays with. It does not expire, as granted credits would within a day.
create or replace function engine.give_play_money(account_id uuid)
returns void
language sql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
  select engine.top_up(give_play_money.account_id, engine.topup_maximum_cents(), 'Play money of a practice hill')
    from generate_series(1, engine.practice_topups())
$$;

-- Accounts of a practice hill whose human has not signed in, and whose agents have asked for no token, for so many
-- hours; at most 100. None on any other hill.
create or replace function trusted.unused_accounts(hours integer)
returns uuid[]
language sql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  select array(
    select i.account_id
      from oauth.sign_ins i
     where i.provider = 'practice'
       and i.last_used_at < clock_timestamp() - make_interval(hours => unused_accounts.hours)
       and not exists (select from oauth.grants g
                        where g.account_id = i.account_id
                          and g.last_used_at >= clock_timestamp() - make_interval(hours => unused_accounts.hours))
     order by i.last_used_at
     limit 100)
$$;

-- Stops the clock of a practice hill whose database has more bytes than that, and says whether it stands still for
-- that. No other hill is asked for its size: that would tell of deposits.
create or replace function trusted.stop_full_clock(bytes bigint)
returns boolean
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.check_practice();
  if pg_database_size(current_database()) > bytes then
    update hill.settings s set shown_at = engine.now(), set_at = clock_timestamp(), rate = 0 where s.rate > 0;
    return true;
  end if;
  return false;
end
$$;

comment on function engine.check_practice is 'Refuses what is for practice alone (SETTING_REFUSED). Rules 17.4.';

grant execute on function trusted.unused_accounts to hill_api_human;
grant execute on function trusted.stop_full_clock to hill_api_worker;
