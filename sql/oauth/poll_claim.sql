-- The agent asks whether its human has typed the code, and fetches its tokens, once. Protocol 3.4, 3.5, 10.1.

-- Whether a poll comes before the interval since the last one (null: none) is over.
create or replace function engine.polls_too_fast(polled_at timestamptz, poll_interval interval, at timestamptz)
returns boolean language sql immutable parallel safe security invoker
-- half a second of grace for the network
return coalesce(polls_too_fast.polled_at + polls_too_fast.poll_interval - interval '500 milliseconds'
                > polls_too_fast.at, false);
