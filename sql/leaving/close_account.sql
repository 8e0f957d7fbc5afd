-- A human closes the account, or staff do for the human: one transaction, ordered against the bell and against every
-- deposit. Rules 19.3, 19.4, 19.5; decisions 105, 106, 107.

-- Cuts every agent of an account: see engine.cut_agent.
create or replace function engine.cut_agents(account_id uuid)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.cut_agent(a.account_id, a.id)
     from (select g.account_id, g.id
             from hill.agents g
             left join oauth.grants h on h.agent_id = g.id
            where g.account_id = cut_agents.account_id
              and (g.cut_at is null or h.revoked_at is null)   -- staff have cut it, and could let it in again
            order by g.id) a;
end
$$;

-- Locks what clients hold on an account, and what its human could approve now, in the order of their ids.
create or replace function engine.hold_grants(account_id uuid)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  perform from oauth.grants g
    where g.account_id = hold_grants.account_id
       or g.id in (select r.grant_id
                     from oauth.claim_attempts c join oauth.registrations r on r.id = c.registration_id
                    where c.email in (select h.email from oauth.humans h where h.account_id = hold_grants.account_id
                                      union
                                      select i.email
                                        from oauth.sign_ins i
                                       where i.account_id = hold_grants.account_id))
    order by g.id for update;
end
$$;

-- Closes an account: see api_human.close_account. slug: as its human typed it; null where staff were asked. The caller
-- holds the sign-ins (engine.hold_sign_ins). Errors: BELL_RINGING, ACCOUNT_CLOSED, INVALID_ARGUMENT.
create or replace function engine.close_account(account_id uuid, slug text default null)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now timestamptz;
  v_day integer;
begin
  if not engine.try_day() then
    perform engine.unless_refused(engine.bell_ringing());
  end if;
  perform engine.hold_grants(account_id);
  v_now := trusted.take_instant(account_id);   -- waits for a deposit under way; none is accepted after
  perform engine.refuse_closed(account_id);
  if slug is not null
     and not exists (select from hill.accounts a
                      where a.id = close_account.account_id and a.slug = lower(btrim(close_account.slug))) then
    perform engine.refuse('INVALID_ARGUMENT', 'That is not the slug of the account: nothing was closed.',
      '{"argument": "slug"}');
  end if;
  v_day := greatest(1, (select engine.day_of(v_now, s.day_one) from hill.settings s));
  if v_day <> engine.last_night() + 1 then    -- midnight has struck, and the bell will any moment
    perform engine.unless_refused(engine.bell_ringing());
  end if;

  update oauth.human_sessions s set revoked_at = clock_timestamp()
   where s.account_id = close_account.account_id and s.revoked_at is null;
  perform engine.cut_agents(account_id);
  perform trusted.forget_account(account_id, v_day, v_now);
  perform engine.cut_agents(account_id);   -- one that was approved at this instant
  perform engine.note_event('account_closed', account_id);
  return jsonb_build_object('closed_at', engine.iso(v_now), 'day', v_day, 'bell_at', engine.iso(engine.bell_at(v_day)));
end
$$;
