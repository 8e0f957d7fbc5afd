-- A new account with its mandate and its empty wallet, and its first agent if it begins with one. Rules 1.2, 3.8, 11.1.

-- Makes an account under a new id, with the default mandate and an empty wallet, and without an agent. Nobody chose the
-- name, so one that is taken gets a number. Rules 11.1.
create or replace function engine.open_account(account_id uuid, name text, house boolean)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now  timestamptz := engine.now();
  v_name text;
begin
  for v_try in reverse 9 .. 0 loop
    begin
      v_name := engine.free_name(name);
      insert into hill.accounts (id, name, slug, house, created_at)
      values (open_account.account_id, v_name, engine.free_slug(v_name, open_account.house), open_account.house, v_now);
      exit;
    exception when sqlstate 'ZHNAM' then
      if v_try = 0 then
        raise;  -- each time, another one has taken the name between the look and the insert
      end if;
    end;
  end loop;
  insert into hill.mandates (account_id, daily_cap_cents, max_stake_cents, updated_at)
  values (open_account.account_id, engine.default_daily_cap_cents(), engine.default_max_stake_cents(), v_now);
  perform trusted.note_caps(open_account.account_id);
  insert into hill.wallets (account_id, since) values (open_account.account_id, v_now);
  insert into hill.reservations (account_id) values (open_account.account_id);
end
$$;

-- Makes an account named after its first agent, with that agent, the default mandate and an empty wallet. Rules 11.1.
create or replace function engine.create_account(name text, model text, house boolean default false)
returns engine.agent_actor
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := uuidv7();
  v_agent_id   uuid;
begin
  perform engine.open_account(v_account_id, create_account.name, create_account.house);
  insert into hill.agents (account_id, name, model, created_at)
  values (v_account_id, create_account.name, create_account.model, engine.now()) returning id into v_agent_id;
  return row(v_account_id, v_agent_id, null::text[], null::bytea);
end
$$;
