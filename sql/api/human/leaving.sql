-- A human downloads all data of the account, or closes it, soon after a sign-in. Rules 19.

create or replace function api_human.leaving(session text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human(session);
begin
  return (
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
        'fresh_minutes', engine.fresh_sign_in_minutes(),
        'fresh', engine.signed_in_anew(session))
      from hill.accounts a
     cross join (select engine.today() as today, engine.last_night() as last_night) t
     cross join lateral engine.account_today(a.id, t.today, t.last_night) d
     where a.id = v_account_id);
end
$$;

create or replace function api_human.begin_download(session text)
returns void
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human_anew(session);
  v_wait       integer := engine.admit('download', v_account_id::text, engine.downloads_per_hour(), 3600);
begin
  if v_wait > 0 then
    perform engine.refuse('rate_limited', 'The data of the account were downloaded too often.',
      jsonb_build_object('retry_after_seconds', v_wait));
  end if;
  -- What a bell moves from one list to another is then in exactly one of them.
  if not engine.try_day() then
    perform engine.unless_refused(engine.bell_ringing());
  end if;
  perform engine.note_event('data_downloaded', v_account_id);
end
$$;

create or replace function api_human.download(session text)
returns table (part text, single boolean, entry jsonb)
-- stable, so that all lists are of the one snapshot of the statement that asks for them
language plpgsql stable parallel unsafe security definer
set search_path to pg_catalog, pg_temp
set timezone to 'UTC'
as $$
declare
  v_account_id uuid := engine.enter_human_anew(session);
  v_list       record;
begin
  for v_list in select * from engine.account_lists() loop
    part := v_list.part;
    single := v_list.single;
    entry := null;
    return next;
    for entry in execute format('select to_jsonb(x) from (%s) x', v_list.query) using v_account_id loop
      return next;
    end loop;
  end loop;
end
$$;

create or replace function api_human.close_account(session text, slug text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human_anew(session);
begin
  perform engine.hold_sign_ins();   -- whoever signs in comes into this account before it is closed, or into another
  perform engine.enter_human_anew(session);   -- it may have been ended while this waited
  return engine.close_account(v_account_id, coalesce(slug, ''));
end
$$;

comment on function api_human.leaving is
'What the page of leaving shows: name, slug, address (email), credits and what tonight''s moves have reserved of them '
'(cents), how many live moves and agents there are, the bell at which the rest would lapse, and how recent a sign-in '
'must be (fresh_minutes); fresh: whether this session is so recent. Errors: INVALID_TOKEN, ACCOUNT_CLOSED.';
comment on function api_human.begin_download is
'Counts a download of an account''s data, records it among the security events, and holds the day until the end of '
'the transaction, in which api_human.download is read. Errors: INVALID_TOKEN, ACCOUNT_CLOSED, SIGN_IN_AGAIN, '
'rate_limited, BELL_RINGING. Rules 19.2.';
comment on function api_human.download is
'All data of the human''s account: for each list of engine.account_lists a row without an entry, and then a row for '
'each of its entries. Errors: INVALID_TOKEN, ACCOUNT_CLOSED, SIGN_IN_AGAIN. Rules 19.2.';
comment on function api_human.close_account is
'Closes an account for good, given its slug as its human typed it: ends sessions, cuts agents and forgets who it was '
'(trusted.forget_account). Tonight''s moves stand; at the bell of the returned day the credits that they leave lapse. '
'Returns closed_at, day and bell_at. Errors: INVALID_TOKEN, ACCOUNT_CLOSED, SIGN_IN_AGAIN, INVALID_ARGUMENT, '
'BELL_RINGING. Rules 19.3, 19.4, 19.5.';

grant execute on function
  api_human.leaving,
  api_human.begin_download,
  api_human.download,
  api_human.close_account
  to hill_human;
