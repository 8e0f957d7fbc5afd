-- api/worker/worker.sql · What the worker calls to ring, build, count and play for the house. No sealed move is read
-- out.

create or replace function api_worker.ring_next_bell(failure text default null)
returns jsonb language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.ring_next_bell(failure) $$;

create or replace function api_worker.check_published(night integer)
returns void language sql stable parallel safe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.check_published(night) $$;

create or replace function api_worker.index_nights()
returns void language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.index_nights() $$;

create or replace function api_worker.keep_prospects()
returns void language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.keep_prospects(engine.see_last_night() + 1) $$;

create or replace function api_worker.build_boards()
returns integer language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.build_boards() $$;

create or replace function api_worker.drop_old_boards()
returns integer language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.drop_old_boards() $$;

create or replace function api_worker.rank_next_tournament()
returns text language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.rank_next_tournament() $$;

create or replace function api_worker.play_house()
returns integer language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.play_house() $$;

create or replace function api_worker.refresh_sealed_count()
returns boolean language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.refresh_sealed_count() $$;

create or replace function api_worker.forget_ended(at_most integer)
returns jsonb language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.forget_ended(at_most) || jsonb_build_object('changes', engine.forget_changes()) $$;

create or replace function api_worker.secret_fits(proof text)
returns boolean language sql stable parallel safe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.secret_fits(proof) $$;

create or replace function api_worker.read_clock()
returns jsonb
language sql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object(
      'clock', s.clock,
      'rate', coalesce(s.rate, 1),
      'now', engine.iso(n.now),
      'day', engine.day_of(n.now, s.day_one),
      'last_night', engine.last_night(),
      'next_bell_at', engine.iso(engine.bell_at(engine.last_night() + 1)),
      'house_at', engine.iso(engine.house_deposits_from(engine.last_night() + 1)),
      -- when to look again, in real time: at the next quarter hour, when the house deposits, or at the next bell,
      -- whichever comes first
      'seconds_to_next', case when coalesce(s.rate, 1) > 0 then greatest(0, extract(epoch from least(
          date_bin('15 minutes', n.now, 'epoch') + interval '15 minutes',
          engine.bell_at(engine.last_night() + 1),
          case when engine.house_deposits_from(engine.last_night() + 1) > n.now then
            engine.house_deposits_from(engine.last_night() + 1) end) - n.now)
        / coalesce(s.rate, 1)) end)
    from hill.settings s, (select engine.now() as now) n
$$;

create or replace function api_worker.set_clock(shown_at timestamptz, rate double precision)
returns timestamptz language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.set_clock(shown_at, rate) $$;

create or replace function api_worker.read_night(day integer)
returns jsonb language sql stable parallel safe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.read_night(day) $$;

comment on function api_worker.ring_next_bell is
'engine.ring_next_bell(): the figures of the night, null if no bell is due. failure: why its closing could not be '
'signed.';
comment on function api_worker.check_published is
'engine.check_published(): returns normally if a published night is what its moves come to.';
comment on function api_worker.index_nights is
'engine.index_nights(): returns once the long lists of each night have their indexes.';
comment on function api_worker.keep_prospects is
'engine.keep_prospects() of tonight: returns once it is kept what moves would earn a newcomer.';
comment on function api_worker.build_boards is
'engine.build_boards(): the night up to which the boards were brought, null if they were there already.';
comment on function api_worker.drop_old_boards is
'engine.drop_old_boards(): how many old leaderboards were dropped; none during a long read.';
comment on function api_worker.rank_next_tournament is
'engine.rank_next_tournament(): the slug of the tournament whose boards were brought up to date, null if all were.';
comment on function api_worker.play_house is 'engine.play_house(): how many moves the house deposited.';
comment on function api_worker.refresh_sealed_count is 'engine.refresh_sealed_count(): whether a quarter was counted.';
comment on function api_worker.forget_ended is
'engine.forget_ended(): how many rows of the authorization server were deleted, by table.';
comment on function api_worker.secret_fits is
'Whether the worker has the HILL_SIGNING_SECRET of the last npm run migrate: see engine.secret_fits.';
comment on function api_worker.read_clock is
'The clock, the day, the next bell, from when the house deposits before it, and in how many real seconds something may '
'be due.';
comment on function api_worker.set_clock is 'engine.set_clock(): only on the simulated clock.';
comment on function api_worker.read_night is 'engine.read_night(): what a night came to, null before its bell.';

grant execute on function
  api_worker.ring_next_bell,
  api_worker.check_published,
  api_worker.index_nights,
  api_worker.keep_prospects,
  api_worker.build_boards,
  api_worker.drop_old_boards,
  api_worker.rank_next_tournament,
  api_worker.play_house,
  api_worker.refresh_sealed_count,
  api_worker.forget_ended,
  api_worker.secret_fits,
  api_worker.read_clock,
  api_worker.set_clock,
  api_worker.read_night
  to hill_worker;
