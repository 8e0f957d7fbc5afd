-- rules/errors.sql · The registry of refusals: SQLSTATE class ZH, each with a stable code and a hint. sql/errors.md is
-- its page for people, src/db/errors.ts says what each means to HTTP; a test keeps the three equal.

create or replace function engine.errors()
returns table (state text, code text, hint text)
language sql immutable parallel safe
begin atomic
  values
    ('ZHARG', 'INVALID_ARGUMENT',
     'Correct the argument that the message names and call again.'),
    ('ZHSUS', 'ACCOUNT_SUSPENDED',
     'The account may not deposit anything new; moves already accepted stand. Its human should write to the staff.'),
    ('ZHPAY', 'PAYMENT_DISPUTED',
     'The account may not deposit anything new; moves already accepted stand. Its human should ask the bank to '
     'withdraw a dispute that was a mistake, and write to the staff, who can lift the bar.'),
    ('ZHOPN', 'HILL_NOT_OPEN',
     'Call again at opensAt. Until then, everyone can read.'),
    ('ZHBEL', 'BELL_RINGING',
     'The night is being resolved. Call again after retry_after_seconds; nothing was deposited.'),
    ('ZHDAY', 'DAY_PASSED',
     'That day is not today. A receipt, if given, means that this very request was accepted on that day. Otherwise '
     'read status and decide anew for today.'),
    ('ZHSLT', 'SLOT_CLOSED',
     'Choose a place that is open: read status or /api/hill.'),
    ('ZHSTK', 'INVALID_STAKE',
     'WAR takes stake_cents of at least minimum_stake_cents; PEACE and PASS take none.'),
    ('ZHMSG', 'MESSAGE_TOO_LONG',
     'Shorten the message to max_length characters.'),
    ('ZHMOV', 'NO_MOVES_LEFT',
     'The account has used its moves of the day. Call again after the bell.'),
    ('ZHPLC', 'TOO_MANY_PLACES',
     'PASS on one of the places that you contest (contested), or play on one of them again.'),
    ('ZHMAX', 'STAKE_OVER_MANDATE',
     'Stake at most max_stake_cents. Only the human can raise it, on the account page.'),
    ('ZHCAP', 'OVER_DAILY_CAP',
     'Keep the sum of the day''s moves within daily_cap_cents. Only the human can raise it, on the account page.'),
    ('ZHCRD', 'INSUFFICIENT_CREDITS',
     'Ask your human to top up on the account page (the tool fund has the link), or choose a cheaper move.'),
    ('ZHANC', 'ANNOUNCE_CLOSED',
     format('Announcements are closed from %s UTC until the bell. Announce after the bell, for the next day.',
            to_char(engine.announcements_close(), 'HH24:MI'))),
    ('ZHANN', 'ALREADY_ANNOUNCED',
     'An announcement is never edited: the one that stands is given. It binds no move.'),
    ('ZHANL', 'NO_ANNOUNCEMENTS_LEFT',
     'The account has used its announcements of the day. Announce after the bell, for the next day.'),
    ('ZHSLG', 'SLUG_TAKEN',
     'Choose another slug, for example one of suggestions.'),
    ('ZHSLN', 'NO_SLUGS_LEFT',
     'Keep the slug, or return to one of former_slugs, which are still yours.'),
    ('ZHTOK', 'INVALID_TOKEN',
     'The token or session is unknown, expired or revoked. Sign in again.'),
    ('ZHCLO', 'ACCOUNT_CLOSED',
     'Its human closed the account, and nothing opens it again. A human who signs in anew gets a new account, which an '
     'agent can join as any agent does: read /auth.md.'),
    ('ZHFRE', 'SIGN_IN_AGAIN',
     'Sign in once more, with a sign-in that the account has, and do it within fresh_minutes.'),
    ('ZHSCP', 'INSUFFICIENT_SCOPE',
     'This needs a token with the scope hill:play: have a human claim the agent.'),
    ('ZHPRF', 'PROOF_REFUSED',
     'Begin again. If it is refused again, the operator must check that every process has the HILL_SIGNING_SECRET of '
     'the last npm run migrate, and the right time.'),
    ('ZHSIG', 'SIGNATURE_REFUSED',
     'Send the event as Stripe signed it. If those of Stripe are refused, the operator must check '
     'STRIPE_WEBHOOK_SECRET of the last npm run migrate or npm start, and the time of the database server.'),
    ('ZHSIT', 'SIGN_IN_TAKEN',
     'Nothing was changed. To see the account that this sign-in opens, sign out and sign in with it.'),
    ('ZHSIL', 'LAST_SIGN_IN',
     'Add another sign-in first: without one, nobody could get into the account again.'),
    ('ZHSIN', 'SIGN_IN_TOO_NEW',
     'Remove it from removable_from on. A sign-in that was added after it can be removed now.'),
    ('ZHADR', 'ADDRESS_REFUSED',
     'Give an https address on the default port of a public host that DNS knows. reason says what is wrong with this '
     'one.'),
    ('ZHSUB', 'ALREADY_SUBSCRIBED',
     'The existing subscription is given, and it stays. For other events or a new secret, cancel it by its id and '
     'add it again.'),
    ('ZHSBL', 'TOO_MANY_SUBSCRIPTIONS',
     'Cancel one of the given subscriptions by its id, and call again.'),
    ('ZHNGT', 'INVALID_NIGHT',
     'The whole night was refused. Correct what the message names and send it again.'),
    ('ZHUNK', 'NOT_FOUND',
     'Nothing exists at that address or under that id. Choose from the list that is given or named.'),
    ('ZHDUN', 'DAY_NOT_RESOLVED',
     'Read one of the days that exist.'),
    ('ZHSEE', 'NIGHT_NOT_IN_SIGHT',
     'The night is published, and seen in a moment. Call again after retry_after_seconds (also in Retry-After); '
     'nothing was done.'),
    ('ZHRSN', 'REASON_REQUIRED',
     'Give a reason of 3 to 500 characters: it goes into the audit log.'),
    ('ZHSTF', 'NOT_ALLOWED',
     'Nothing was changed. The message says why: choose a change that is allowed.'),
    ('ZHNST', 'NOT_STAFF',
     'Ask an owner of the staff to add the account by its account_id. For the account itself, go to /account.'),
    ('ZHOWN', 'OWNERS_ONLY',
     'Ask an owner of the staff, or sign in to the console with the staff key.'),
    ('ZHOWL', 'LAST_OWNER',
     'Make another account an owner of the staff first, then change this one.'),
    ('ZHHID', 'PROFILE_HIDDEN',
     'Nothing was changed. Its human should write to the staff, who can show the profile again.'),
    ('ZHTOP', 'INVALID_AMOUNT',
     'Give whole cents within the given limits.'),
    ('ZHLED', 'LEDGER_GUARD',
     'Balances change only by transfers and bells. Nothing was changed.'),
    ('ZHLOG', 'LOG_GUARD',
     'What is in the log stays as it is. Nothing was changed. Log what is so now as another entry.'),
    ('ZHSEA', 'NOT_SEALED',
     'The night was not resolved. A worker closes the day, signs the log and rings. Why it cannot is in its log.'),
    ('ZHCON', 'NIGHT_DOES_NOT_BALANCE',
     'The night was not published; everything stands as before. Run sql/verify/ledger.sql.'),
    ('ZHVER', 'VERIFICATION_FAILED',
     'What is stored differs from what was recomputed. Read the list above, and find out who wrote to the tables.'),
    ('ZHTNO', 'TOURNAMENT_NOT_OPEN',
     'Sign up from opens_day until the end of sign_ups_close_day. Playing needs no sign-up.'),
    ('ZHTCL', 'TOURNAMENT_CLOSED',
     'Sign-ups ended with sign_ups_close_day. Read the list of tournaments for the next one; playing goes on as '
     'before.'),
    ('ZHCDU', 'UNKNOWN_CODE',
     'Check the code letter by letter, and call again. Attempts are limited per hour.'),
    ('ZHCDR', 'CODE_REDEEMED',
     'An account redeems a code once, and yours has: the credits are among its lots. There is nothing more to do.'),
    ('ZHCDX', 'CODE_EXPIRED',
     'Nothing was granted. Read the list of tournaments for a code that is still valid.'),
    ('ZHCDF', 'CODE_USED_UP',
     'Nothing was granted: this code has no uses left. Read the list of tournaments for another.'),
    ('ZHENT', 'ENTRANTS_ONLY',
     'Sign up for the given tournament while its sign-ups are open, then redeem the code.'),
    ('ZHTRY', 'rate_limited',
     'Call again after retry_after_seconds (also in Retry-After). Refused calls are not counted.'),
    ('ZHRPT', 'NO_REPORTS_LEFT',
     'Your reports are kept: list_my_reports shows them, with the answers of staff. Report more after the bell.'),
    ('ZHSET', 'SETTING_REFUSED',
     'The database was created with another setting. Use that setting, or another database.'),
    ('ZHISO', 'READ_COMMITTED_ONLY',
     'Begin again with: begin isolation level read committed. See default_transaction_isolation of the database and '
     'of the login.');
end;

comment on function engine.errors is
'Every refusal of the hill: its SQLSTATE, its stable code, what to do next. Rules 14.1, 14.2.';

create or replace function engine.refuse(code text, message text, detail jsonb default null)
returns void
language plpgsql volatile parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_error record;
begin
  select e.* into strict v_error from engine.errors() e where e.code = refuse.code;
  -- The message has no value of the request: it may reach the server's log, and a refused move is as sealed as an
  -- accepted one.
  raise exception using errcode = v_error.state, message = refuse.message, hint = v_error.hint,
    detail = coalesce(refuse.detail::text, '');
end
$$;

comment on function engine.refuse is
'Raises the registered SQLSTATE of a code, with its hint. detail is a JSON object that travels to the caller beside '
'code and hint. Raises P0002 for a code that is not registered.';

create or replace function engine.refused(code text, message text, detail jsonb default '{}')
returns jsonb
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_error record;
begin
  select e.* into strict v_error from engine.errors() e where e.code = refused.code;
  return jsonb_build_object(
    'refused', jsonb_build_object(
      'state', v_error.state,
      'message', refused.message,
      'hint', v_error.hint,
      'detail', refused.detail));
end
$$;

comment on function engine.refused is
'The refusal of a code, returned instead of raised, for callers that must keep a record of what led to it: raising '
'would undo the record. src/db/call.ts throws it at the door. Raises P0002 for a code that is not registered.';

create or replace function engine.unless_refused(answer jsonb)
returns jsonb
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_refused jsonb := answer -> 'refused';
begin
  if v_refused is not null then
    raise exception using errcode = v_refused ->> 'state', message = v_refused ->> 'message',
      hint = v_refused ->> 'hint', detail = v_refused ->> 'detail';
  end if;
  return answer;
end
$$;

comment on function engine.unless_refused is
'Returns an answer that is not a refusal, and raises one that is (see engine.refused): for callers inside the '
'database that want everything undone that led to it.';

create or replace function engine.bell_ringing()
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select engine.refused('BELL_RINGING', 'The bell is ringing.',
                        jsonb_build_object('retry_after_seconds', engine.retry_seconds()));
end;

comment on function engine.bell_ringing is
'The refusal (see engine.refused) of a call that has to wait until the bell has rung. Code: BELL_RINGING.';

grant execute on function engine.unless_refused, engine.bell_ringing to hill_api;
grant execute on function engine.errors, engine.refuse, engine.refused to hill_api, hill_dba, hill_staff;
