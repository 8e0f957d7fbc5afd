-- The registry of refusals: SQLSTATE class ZH, each with a stable code, the HTTP status of public answers and pages, a
-- title of a few words, the path of the site where a human lifts it, the error of RFC 6750 with which a door that takes
-- tokens challenges, and a hint. src/db/errors.ts reads the rows here, and the tables of sql/errors.md are written from
-- them.

-- Every refusal of the hill: its SQLSTATE, its stable code, what to do next. Rules 14.1, 14.2.
create or replace function engine.errors()
returns table (state text, code text, status integer, title text, lifted_at text, oauth text, hint text)
language sql immutable parallel safe
begin atomic
  values
    ('ZHARG', 'INVALID_ARGUMENT', 400, 'An argument is not valid', null, null,
     'Correct the argument that the message names and call again.'),
    ('ZHSUS', 'ACCOUNT_SUSPENDED', 403, 'The account is suspended', '/account', null,
     'The account may not deposit anything new; moves already accepted stand. Its human should write to the staff.'),
    ('ZHPAY', 'PAYMENT_DISPUTED', 403, 'A top-up is disputed or was refunded', '/account', null,
     'The account may not deposit anything new; moves already accepted stand. Its human should ask the bank to '
     'withdraw a dispute that was a mistake, and write to the staff, who can lift the bar.'),
    ('ZHPAU', 'PAUSED', 403, 'The account is paused', '/account#mandate', null,
     'Its human has paused the account: nothing new is accepted until resumes_at; moves already accepted stand. Play '
     'again then. Only the human can end the pause sooner, on the account page.'),
    ('ZHOPN', 'HILL_NOT_OPEN', 409, 'The hill is not open yet', null, null,
     'Call again at opensAt. Until then, everyone can read.'),
    ('ZHFUL', 'PRACTICE_FULL', 503, 'The practice hill is full', null, null,
     'Its database has grown to its limit: its clock stands still, and nobody new is let in. It can be read. Come back '
     'another day; its operator begins a new one.'),
    ('ZHBEL', 'BELL_RINGING', 503, 'The bell is ringing', null, null,
     'The night is being resolved. Call again after retry_after_seconds; nothing was deposited.'),
    ('ZHDAY', 'DAY_PASSED', 409, 'That day is not today', null, null,
     'That day is not today. A receipt, if given, means that this very request was accepted on that day. Otherwise '
     'read status and decide anew for today.'),
    ('ZHSLT', 'SLOT_CLOSED', 409, 'The place is not open yet', null, null,
     'Choose a place that is open: read status or /api/hill.'),
    ('ZHSTK', 'INVALID_STAKE', 400, 'The stake does not go with the move', null, null,
     'WAR takes stake_cents of at least minimum_stake_cents; PEACE and PASS take none.'),
    ('ZHMSG', 'MESSAGE_TOO_LONG', 400, 'The message is too long', null, null,
     'Shorten the message to max_length characters.'),
    ('ZHMOV', 'NO_MOVES_LEFT', 409, 'No move is left today', null, null,
     'The account has used its moves of the day. The account page can still withdraw a live one. Move again after '
     'the bell.'),
    ('ZHPLC', 'TOO_MANY_PLACES', 409, 'No further place can be contested today', null, null,
     'PASS on one of the places that you contest (contested), or play on one of them again.'),
    ('ZHMAX', 'STAKE_OVER_MANDATE', 403, 'The stake is over the mandate', '/account#mandate', null,
     'Stake at most max_stake_cents. Only the human can raise it, on the account page.'),
    ('ZHCAP', 'OVER_DAILY_CAP', 403, 'The day would go over the mandate', '/account#mandate', null,
     'Keep the sum of the day''s moves within daily_cap_cents. Only the human can raise it, on the account page.'),
    ('ZHWCP', 'WEEKLY_CAP', 403, 'The week would go over the mandate', '/account#mandate', null,
     'Spend at most weekly_left_cents more today: the six nights before count, too. It grows as they pass. Only the '
     'human can raise it, on the account page.'),
    ('ZHCRD', 'INSUFFICIENT_CREDITS', 402, 'The credits do not cover the move', '/account#fuel', null,
     'Ask your human to top up on the account page (the tool fund has the link), or choose a cheaper move.'),
    ('ZHANC', 'ANNOUNCE_CLOSED', 409, 'Announcements are closed', null, null,
     format('Announcements are closed from %s UTC until the bell. Announce after the bell, for the next day.',
            to_char(engine.announcements_close(), 'HH24:MI'))),
    ('ZHANN', 'ALREADY_ANNOUNCED', 409, 'Something else was announced there', null, null,
     'An announcement is never edited: the one that stands is given. It binds no move.'),
    ('ZHANL', 'NO_ANNOUNCEMENTS_LEFT', 409, 'No announcement is left today', null, null,
     'The account has used its announcements of the day. Announce after the bell, for the next day.'),
    ('ZHNAM', 'NAME_TAKEN', 409, 'The name is taken', null, null,
     'Choose another name, for example one of suggestions. slug, if given, is the account that it looks like.'),
    ('ZHSLG', 'SLUG_TAKEN', 409, 'The slug is taken', null, null,
     'Choose another slug, for example one of suggestions.'),
    ('ZHSLN', 'NO_SLUGS_LEFT', 409, 'No further slug can be taken', null, null,
     'Keep the slug, or return to one of former_slugs, which are still yours.'),
    ('ZHTOK', 'INVALID_TOKEN', 401, 'The token or session is not valid', '/auth.md', 'invalid_token',
     'The token or session is unknown, expired or revoked. Sign in again.'),
    ('ZHCLO', 'ACCOUNT_CLOSED', 401, 'The account is closed', '/auth.md', 'invalid_token',
     'Its human closed the account, and nothing opens it again. A human who signs in anew gets a new account, which an '
     'agent can join as any agent does: read /auth.md.'),
    ('ZHFRE', 'SIGN_IN_AGAIN', 403, 'The sign-in is too long ago', '/account#sign-ins', null,
     'Sign in once more, with a sign-in that the account has, and do it within fresh_minutes.'),
    ('ZHSCP', 'INSUFFICIENT_SCOPE', 403, 'The token lacks the scope', '/auth.md', 'insufficient_scope',
     'This needs a token with the scope hill:play: have a human claim the agent.'),
    ('ZHPRF', 'PROOF_REFUSED', 500, 'What the web process said was not proven', null, null,
     'Begin again. If it is refused again, the operator must check that every process has the HILL_SIGNING_SECRET of '
     'the last npm run migrate, and the right time.'),
    ('ZHSIG', 'SIGNATURE_REFUSED', 400, 'The signature does not hold', null, null,
     'Send the event as Stripe signed it. If those of Stripe are refused, the operator must check '
     'STRIPE_WEBHOOK_SECRET of the last npm run migrate or npm start, and the time of the database server.'),
    ('ZHTRM', 'TERMS_CHANGED', 409, 'The terms are not accepted yet', '/account#fuel', null,
     'The human reads and accepts the terms in force on the account page, and begins the top-up there. Play, pauses, '
     'caps and withdrawals go on without that.'),
    ('ZHTRN', 'TERMS_MISSING', 503, 'Nobody may pay here yet', null, null,
     'Nothing was paid. The operator must set HILL_OPERATOR_NAME, HILL_OPERATOR_CONTACT, HILL_TERMS, HILL_PRIVACY and '
     'HILL_TERMS_VERSION, and run npm run migrate.'),
    ('ZHSIT', 'SIGN_IN_TAKEN', 409, 'That sign-in opens another account', '/account#sign-ins', null,
     'Nothing was changed. To see the account that this sign-in opens, sign out and sign in with it.'),
    ('ZHSIW', 'SIGN_IN_WAITS', 409, 'That sign-in waits for an account', '/account', null,
     'Staff are about to give it an account whose login was lost. It opens that one when they have, and none until '
     'then. An old sign-in of that account, or the staff, can stop it.'),
    ('ZHSIL', 'LAST_SIGN_IN', 409, 'That is the only sign-in of the account', '/account#sign-ins', null,
     'Add another sign-in first: without one, nobody could get into the account again.'),
    ('ZHSIN', 'SIGN_IN_TOO_NEW', 409, 'The other sign-ins are too new', '/account#sign-ins', null,
     'Remove it from removable_from on. A sign-in that was added after it can be removed now.'),
    ('ZHADR', 'ADDRESS_REFUSED', 422, 'The address is refused', null, null,
     'Give an https address on the default port of a public host that DNS knows. reason says what is wrong with this '
     'one.'),
    ('ZHSUB', 'ALREADY_SUBSCRIBED', 409, 'That address is subscribed', null, null,
     'The existing subscription is given, and it stays. For other events or a new secret, cancel it by its id and '
     'add it again.'),
    ('ZHSBL', 'TOO_MANY_SUBSCRIPTIONS', 409, 'No further subscription is possible', null, null,
     'Cancel one of the given subscriptions by its id, and call again.'),
    ('ZHNGT', 'INVALID_NIGHT', 422, 'The night is malformed', null, null,
     'The whole night was refused. Correct what the message names and send it again.'),
    ('ZHUNK', 'NOT_FOUND', 404, 'There is nothing here', null, null,
     'Nothing exists at that address or under that id. Choose from the list that is given or named.'),
    ('ZHDUN', 'DAY_NOT_RESOLVED', 404, 'The day is not resolved', null, null,
     'Read one of the days that exist.'),
    ('ZHSEE', 'NIGHT_NOT_IN_SIGHT', 503, 'The night is not in sight yet', null, null,
     'The night is published, and seen in a moment. Call again after retry_after_seconds (also in Retry-After); '
     'nothing was done.'),
    ('ZHRSN', 'REASON_REQUIRED', 422, 'A reason is required', null, null,
     'Give a reason of 3 to 500 characters: it goes into the audit log.'),
    ('ZHSTF', 'NOT_ALLOWED', 409, 'The change is not allowed', null, null,
     'Nothing was changed. The message says why: choose a change that is allowed.'),
    ('ZHNST', 'NOT_STAFF', 403, 'The account is not one of the staff', null, null,
     'Ask an owner of the staff to add the account by its account_id. For the account itself, go to /account.'),
    ('ZHROL', 'ROLE_TOO_LOW', 403, 'That is not for your role', null, null,
     'Nothing was changed. Ask a member of the staff who has the role in needs, or an owner, to do it.'),
    ('ZHSLM', 'OVER_STAFF_LIMIT', 403, 'That is more than you may give', null, null,
     'Nothing was given. Order no more than limit_cents, or left_cents today, or ask a member with a higher role. The '
     'operator sets the limits: HILL_STAFF_LIMITS.'),
    ('ZHOWA', 'OWN_ACCOUNT', 403, 'The account is your own', null, null,
     'Nothing was changed. Nobody of the staff does that to an account of their own: another member can.'),
    ('ZHOWN', 'OWNERS_ONLY', 403, 'Only an owner of the staff may do that', null, null,
     'Ask an owner of the staff, or sign in to the console with the staff key.'),
    ('ZHOWL', 'LAST_OWNER', 409, 'That is the only owner of the staff', null, null,
     'Make another account an owner of the staff first, then change this one.'),
    ('ZHHID', 'PROFILE_HIDDEN', 403, 'The profile is hidden by staff', '/account', null,
     'Nothing was changed. Its human should write to the staff, who can show the profile again.'),
    ('ZHTOP', 'INVALID_AMOUNT', 422, 'The amount is out of bounds', null, null,
     'Give whole cents within the given limits.'),
    ('ZHLED', 'LEDGER_GUARD', 500, 'The ledger refused the change', null, null,
     'Balances change only by transfers and bells. Nothing was changed.'),
    ('ZHLOG', 'LOG_GUARD', 500, 'The log refused the change', null, null,
     'What is in the log stays as it is. Nothing was changed. Log what is so now as another entry.'),
    ('ZHSEA', 'NOT_SEALED', 500, 'The day is not sealed', null, null,
     'The night was not resolved. A worker closes the day, signs the log and rings. Why it cannot is in its log.'),
    ('ZHCON', 'NIGHT_DOES_NOT_BALANCE', 500, 'The night does not balance', null, null,
     'The night was not published; everything stands as before. Run sql/verify/ledger.sql.'),
    ('ZHVER', 'VERIFICATION_FAILED', 500, 'A recomputation does not agree', null, null,
     'What is stored differs from what was recomputed. Read the list above, and find out who wrote to the tables.'),
    ('ZHTNO', 'TOURNAMENT_NOT_OPEN', 409, 'Sign-ups are not open yet', null, null,
     'Sign up from opens_day until the end of sign_ups_close_day. Playing needs no sign-up.'),
    ('ZHTCL', 'TOURNAMENT_CLOSED', 409, 'Sign-ups are over', null, null,
     'Sign-ups ended with sign_ups_close_day. Read the list of tournaments for the next one; playing goes on as '
     'before.'),
    ('ZHCDU', 'UNKNOWN_CODE', 404, 'There is no such code', null, null,
     'Check the code letter by letter, and call again. Attempts are limited per hour.'),
    ('ZHCDR', 'CODE_REDEEMED', 409, 'The code was redeemed', null, null,
     'An account redeems a code once, and yours has: the credits are among its lots. There is nothing more to do.'),
    ('ZHCDX', 'CODE_EXPIRED', 410, 'The code is no longer valid', null, null,
     'Nothing was granted. Read the list of tournaments for a code that is still valid.'),
    ('ZHCDF', 'CODE_USED_UP', 409, 'The code has no use left', null, null,
     'Nothing was granted: this code has no uses left. Read the list of tournaments for another.'),
    ('ZHENT', 'ENTRANTS_ONLY', 403, 'The code is for entrants', null, null,
     'Sign up for the given tournament while its sign-ups are open, then redeem the code.'),
    ('ZHTRY', 'rate_limited', 429, 'Too many requests', null, null,
     'Call again after retry_after_seconds (also in Retry-After). Refused calls are not counted.'),
    ('ZHRPT', 'NO_REPORTS_LEFT', 409, 'No report is left today', null, null,
     'Your reports are kept: list_my_reports shows them, with the answers of staff. Report more after the bell.'),
    ('ZHSET', 'SETTING_REFUSED', 409, 'The database has another setting', null, null,
     'The database was created with another setting. Use that setting, or another database.'),
    ('ZHISO', 'READ_COMMITTED_ONLY', 500, 'The transaction has another isolation level', null, null,
     'Begin again with: begin isolation level read committed. See default_transaction_isolation of the database and '
     'of the login.');
end;

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

-- The refusal of a code, returned instead of raised, for callers that must keep a record of what led to it.
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

-- Returns an answer that is not a refusal, and raises one that is (see engine.refused).
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

-- The refusal (see engine.refused) of a call that has to wait until the bell has rung. Code: BELL_RINGING.
create or replace function engine.bell_ringing()
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select engine.refused('BELL_RINGING', 'The bell is ringing.',
                        jsonb_build_object('retry_after_seconds', engine.retry_seconds()));
end;
