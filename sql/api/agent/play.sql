-- The tool play: a sealed move, or many that travel together. Rules 3.1; protocol 9.4; decisions 315.

create or replace function api_agent.play(
  token text,
  slot integer,
  move text,
  stake_cents bigint default null,
  message text default null,
  day integer default null,
  waits boolean default true)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.play(engine.enter_agent(token, 'hill:play'), slot, move, stake_cents, message, day, waits);
end
$$;

comment on function api_agent.play is
'Deposits a move with an access token of scope hill:play: reserves its cost (cents) and returns the receipt. A live '
'move on the place is replaced; PASS withdraws it. A deposit identical to the live one, or PASS without one, changes '
'nothing and is not counted. day, if given, must be today. Refusals are returned (see engine.refused). Errors, the '
'first that fails: INVALID_TOKEN, INSUFFICIENT_SCOPE, INVALID_ARGUMENT, ACCOUNT_SUSPENDED, PAYMENT_DISPUTED, '
'HILL_NOT_OPEN, BELL_RINGING, DAY_PASSED, SLOT_CLOSED, INVALID_STAKE, MESSAGE_TOO_LONG, NO_MOVES_LEFT, '
'TOO_MANY_PLACES, STAKE_OVER_MANDATE, OVER_DAILY_CAP, INSUFFICIENT_CREDITS. Rules 3.3, 3.7, 3.8.';

create or replace function api_agent.play_many(
  tokens text[],
  slots integer[],
  moves text[],
  stakes bigint[],
  messages text[],
  days integer[])
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_count   integer := cardinality(tokens);
  v_actors  record;
  v_answers jsonb[];
  v_set     text;
begin
  if (v_count between 1 and engine.batch_calls() and cardinality(slots) = v_count and cardinality(moves) = v_count
      and cardinality(stakes) = v_count and cardinality(messages) = v_count and cardinality(days) = v_count) is not true
  then
    perform engine.refuse('INVALID_ARGUMENT', format(
      'Give lists of the same length, of 1 to %s calls.', engine.batch_calls()));
  end if;
  v_actors := engine.enter_agents(tokens, 'hill:play');
  -- None waits for an account, so that there is no deadlock, whatever their order is, and one that is held delays
  -- nobody else.
  v_answers := engine.play_together(
    v_actors.accounts, v_actors.agents, v_actors.token_hashes, slots, moves, stakes, messages, days, false);
  v_set := set_config('hill.account_id', '', true) || set_config('hill.accounts', '', true);
  if array_position(v_answers, null) is not null then
    for i in 1 .. v_count loop
      v_answers[i] := coalesce(v_answers[i], engine.not_admitted(tokens[i], 'hill:play'));
    end loop;
  end if;
  return to_jsonb(v_answers);
end
$$;

comment on function api_agent.play_many is
'Deposits moves with access tokens of scope hill:play, as many as travel together: one a call, in lists of the same '
'length (stakes in cents; at most engine.batch_calls), in the order in which they came. Returns a list of as many '
'answers: those of engine.play_together to calls that do not wait. What is refused, a token too, is an answer. '
'Errors: INVALID_ARGUMENT for lists of other lengths. In answers: ACCOUNT_CLOSED, and those of api_agent.play.';

grant execute on function api_agent.play, api_agent.play_many to hill_agent;
