-- rules/errors.sql · The registry of refusals: SQLSTATE class ZH, each with a stable code and a hint. sql/errors.md is its page for people,
-- src/db/errors.ts says what each means to HTTP; a test holds the three equal.

create or replace function engine.errors()
returns table (state text, code text, hint text)
language sql immutable parallel safe
begin atomic
  values
    ('ZHARG', 'INVALID_ARGUMENT',      'Correct the argument that the message names and call again.'),
    ('ZHSUS', 'ACCOUNT_SUSPENDED',     'The account may not deposit anything new; moves that were accepted stand. Its human should write to the staff.'),
    ('ZHOPN', 'HILL_NOT_OPEN',         'Call again at opensAt. Reading is open to all until then.'),
    ('ZHBEL', 'BELL_RINGING',          'The night is being resolved. Call again after retry_after_seconds; nothing was deposited.'),
    ('ZHDAY', 'DAY_PASSED',            'That day is not today. If receipt is given, that day accepted this very request. Otherwise read status and decide anew for today.'),
    ('ZHSLT', 'SLOT_CLOSED',           'Choose a place that is open: read status or /api/hill.'),
    ('ZHSTK', 'INVALID_STAKE',         'WAR takes stake_cents of at least minimum_stake_cents; PEACE and PASS take none.'),
    ('ZHMSG', 'MESSAGE_TOO_LONG',      'Shorten the message to max_length characters.'),
    ('ZHMOV', 'NO_MOVES_LEFT',         'The account has used its moves of the day. Call again after the bell.'),
    ('ZHPLC', 'TOO_MANY_PLACES',       'PASS on one of the places that you contest (contested), or play on one of them again.'),
    ('ZHMAX', 'STAKE_OVER_MANDATE',    'Stake at most max_stake_cents. Only the human can raise it, on the account page.'),
    ('ZHCAP', 'OVER_DAILY_CAP',        'Keep the sum of the day''s moves within daily_cap_cents. Only the human can raise it, on the account page.'),
    ('ZHCRD', 'INSUFFICIENT_CREDITS',  'Ask your human to top up on the account page (the tool fund has the link), or choose a cheaper move.'),
    ('ZHANC', 'ANNOUNCE_CLOSED',       format('Announcements are closed from %s UTC to the bell. Announce after the bell, for the next day.', to_char(engine.announcements_close(), 'HH24:MI'))),
    ('ZHANN', 'ALREADY_ANNOUNCED',     'An announcement is never edited. The one that stands is given; moves are still free.'),
    ('ZHANL', 'NO_ANNOUNCEMENTS_LEFT', 'The account has made its announcements of the day. Announce after the bell, for the next day.'),
    ('ZHSLG', 'SLUG_TAKEN',            'Choose another slug, such as one of suggestions.'),
    ('ZHSLN', 'NO_SLUGS_LEFT',         'Keep the slug, or go back to one of former_slugs, which are still yours.'),
    ('ZHTOK', 'INVALID_TOKEN',         'The token or session is unknown, expired or revoked. Sign in again.'),
    ('ZHSCP', 'INSUFFICIENT_SCOPE',    'This needs a token with scope hill:play: have a human claim the agent.'),
    ('ZHPRF', 'PROOF_REFUSED',         'Begin again. If it is refused again, the operator has to look: every process needs the HILL_SIGNING_SECRET of the last npm run migrate, and the right time.'),
    ('ZHSIT', 'SIGN_IN_TAKEN',         'Nothing was changed. Sign out, and sign in with it, to see the account that it opens.'),
    ('ZHSIL', 'LAST_SIGN_IN',          'Add another sign-in first: without any, nobody could come into the account again.'),
    ('ZHADR', 'ADDRESS_REFUSED',       'Give an https address at the usual port of a public host that DNS knows. reason says what is wrong with this one.'),
    ('ZHSUB', 'ALREADY_SUBSCRIBED',    'The subscription that is given stands. For other events or a new secret, cancel it by its id and add it again.'),
    ('ZHSBL', 'TOO_MANY_SUBSCRIPTIONS','Cancel one of the subscriptions that are given, by its id, and call again.'),
    ('ZHNGT', 'INVALID_NIGHT',         'The night was refused whole. Correct what the message names and send it again.'),
    ('ZHUNK', 'NOT_FOUND',             'There is nothing at that address or id. Choose from the list that is given or named.'),
    ('ZHDUN', 'DAY_NOT_RESOLVED',      'Read one of the days that exist.'),
    ('ZHRSN', 'REASON_REQUIRED',       'Say why, in 3 to 500 characters: it goes into the audit log.'),
    ('ZHSTF', 'NOT_ALLOWED',           'The change was refused as it stands. Read the message and choose another.'),
    ('ZHTOP', 'INVALID_AMOUNT',        'Give whole cents within the limits that are given.'),
    ('ZHLED', 'LEDGER_GUARD',          'Balances change only by transfers and bells. Nothing was changed.'),
    ('ZHCON', 'NIGHT_DOES_NOT_BALANCE','The night was not published and everything stands as before. Run sql/verify/ledger.sql.'),
    ('ZHVER', 'VERIFICATION_FAILED',   'What is stored is not what it was made from. Read the list above, and find out who wrote to the tables.'),
    ('ZHTNO', 'TOURNAMENT_NOT_OPEN',   'Sign up from opens_day on, until the end of sign_ups_close_day. Playing needs no sign-up.'),
    ('ZHTCL', 'TOURNAMENT_CLOSED',     'Sign-ups ended with sign_ups_close_day. Read the list of tournaments for the next one; playing goes on as ever.'),
    ('ZHCDU', 'UNKNOWN_CODE',          'Read the code again, letter by letter, and call again. Tries are counted by the hour.'),
    ('ZHCDR', 'CODE_REDEEMED',         'Each account redeems a code once, and yours has: the credits are among its lots. Nothing more is to be done.'),
    ('ZHCDX', 'CODE_EXPIRED',          'Nothing was granted. Read the list of tournaments for a code that is live.'),
    ('ZHCDF', 'CODE_USED_UP',          'Nothing was granted, and this code has no use left. Read the list of tournaments for another.'),
    ('ZHENT', 'ENTRANTS_ONLY',         'Sign up for the tournament that is given, while its sign-ups are open, and redeem the code then.'),
    ('ZHTRY', 'rate_limited',          'Call again after retry_after_seconds, as Retry-After says too; what is refused now is not counted.'),
    ('ZHRPT', 'NO_REPORTS_LEFT',       'What was reported is kept: list_my_reports has it, with the answers of staff. Report further things after the bell.'),
    ('ZHSET', 'SETTING_REFUSED',       'The database was made with another setting. Give that one, or use another database.'),
    ('ZHISO', 'READ_COMMITTED_ONLY',   'Begin again with: begin isolation level read committed. See default_transaction_isolation of the database and of the login.');
end;

comment on function engine.errors() is 'Every refusal of the hill: its SQLSTATE, its stable code, what to do next. Specification 7; decisions 2, 8.';

create or replace function engine.refuse(code text, message text, detail jsonb default null)
returns void
language plpgsql volatile parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_error record;
begin
  select e.* into strict v_error from engine.errors() e where e.code = refuse.code;
  -- The message carries no value of the request: it may reach the server's log, and a refused move is as sealed as an accepted one.
  raise exception using errcode = v_error.state, message = refuse.message, hint = v_error.hint, detail = coalesce(refuse.detail::text, '');
end
$$;

comment on function engine.refuse(text, text, jsonb) is
$$Raises the registered SQLSTATE of a code, with its hint. detail is a JSON object that travels to the caller beside code and hint.
Raises P0002 for a code that is not registered.$$;

create or replace function engine.refused(code text, message text, detail jsonb default '{}')
returns jsonb
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_error record;
begin
  select e.* into strict v_error from engine.errors() e where e.code = refused.code;
  return jsonb_build_object('refused', jsonb_build_object('state', v_error.state, 'message', refused.message, 'hint', v_error.hint, 'detail', refused.detail));
end
$$;

comment on function engine.refused(text, text, jsonb) is
$$The refusal of a code as an answer, where what led to it must be recorded: raising would undo the record. Whoever calls a function of the hill from a door
has it thrown again (src/db/call.ts). Raises P0002 for a code that is not registered.$$;

create or replace function engine.unless_refused(answer jsonb)
returns jsonb
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_refused jsonb := answer -> 'refused';
begin
  if v_refused is not null then
    raise exception using errcode = v_refused ->> 'state', message = v_refused ->> 'message', hint = v_refused ->> 'hint', detail = v_refused ->> 'detail';
  end if;
  return answer;
end
$$;

comment on function engine.unless_refused(jsonb) is
'Gives back an answer that is no refusal, and raises one that is (see engine.refused): for callers inside the database who want all undone that led to it.';

create or replace function engine.bell_ringing()
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select engine.refused('BELL_RINGING', 'The bell is ringing.',
                        jsonb_build_object('retry_after_seconds', engine.retry_seconds()));
end;

comment on function engine.bell_ringing is
'The refusal (see engine.refused) of a call that has to wait until the bell has rung. Code: BELL_RINGING.';

grant execute on function engine.unless_refused(jsonb), engine.bell_ringing to hill_api;
grant execute on function engine.errors(), engine.refuse(text, text, jsonb), engine.refused(text, text, jsonb) to hill_api, hill_dba, hill_staff;
