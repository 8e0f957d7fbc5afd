-- leaving/close_account.sql · A human closes the account: one transaction, ordered against the bell and against every
-- deposit. Rules 19.3, 19.4, 19.5; decisions 105, 106, 107.

create or replace function engine.close_account(account_id uuid, slug text)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now timestamptz;
  v_day integer;
begin
  perform engine.hold_sign_ins();   -- whoever signs in comes into this account before it is closed, or into another
  if not engine.try_day() then
    perform engine.unless_refused(engine.bell_ringing());
  end if;
  -- those of the account, and those whose claim its human could approve now
  perform from oauth.grants g
    where g.account_id = close_account.account_id
       or g.id in (select r.grant_id
                     from oauth.claim_attempts c join oauth.registrations r on r.id = c.registration_id
                    where c.email in (select h.email from oauth.humans h where h.account_id = close_account.account_id
                                      union
                                      select i.email
                                        from oauth.sign_ins i
                                       where i.account_id = close_account.account_id))
    order by g.id for update;
  v_now := engine.take_instant(account_id);   -- waits for a deposit under way; none is accepted after
  perform engine.refuse_closed(account_id);
  if not exists (select from hill.accounts a
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
  perform engine.forget_account(account_id, v_day, v_now);
  perform engine.cut_agents(account_id);   -- one that was approved at this instant
  perform engine.note_event('account_closed', account_id);
  return jsonb_build_object('closed_at', engine.iso(v_now), 'day', v_day, 'bell_at', engine.iso(engine.bell_at(v_day)));
end
$$;

comment on function engine.close_account is
'Closes an account for good, given its slug as its human typed it: ends sessions, cuts agents and forgets who it was '
'(engine.forget_account). Tonight''s moves stand; at the bell of the returned day the credits that they leave lapse. '
'Returns closed_at, day and bell_at. '
'Errors: INVALID_ARGUMENT, BELL_RINGING, ACCOUNT_CLOSED. Rules 19.3, 19.4, 19.5.';

create or replace function engine.cut_agents(account_id uuid)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.cut_agent(a.account_id, a.id)
     from (select g.account_id, g.id
             from hill.agents g
            where g.account_id = cut_agents.account_id and g.cut_at is null
            order by g.id) a;
end
$$;

comment on function engine.cut_agents is 'Cuts every agent of an account: see engine.cut_agent.';

create or replace function engine.leaving_state(account_id uuid)
returns jsonb
language sql volatile parallel unsafe security invoker
begin atomic
  select jsonb_build_object(
      'name', a.name,
      'slug', a.slug,
      'email', engine.human_email(a.id),
      'granted_cents', d.granted_cents,
      'paid_cents', d.paid_cents,
      'reserved_cents', d.reserved_cents,
      'live_moves', d.peace + d.war,
      'agents', (select count(*) from hill.agents g where g.account_id = a.id and g.cut_at is null),
      'bell_at', engine.iso(engine.bell_at(greatest(1, t.today))),
      'fresh_minutes', engine.fresh_sign_in_minutes())
    from hill.accounts a
   cross join (select engine.today() as today, engine.last_night() as last_night) t
   cross join lateral engine.account_today(a.id, t.today, t.last_night) d
   where a.id = leaving_state.account_id;
end;

comment on function engine.leaving_state is
'What the page of leaving shows: name, slug, address (email), credits and what tonight''s moves have reserved of them '
'(cents), how many live moves and agents there are, the bell at which the rest would lapse, and how recent a sign-in '
'must be (minutes).';

grant execute on function engine.close_account, engine.cut_agents, engine.leaving_state to hill_api_human;
