-- A database that has no nights is made ready to follow those of another hill. Rules 20.50.

create type engine.fault as (slot smallint, account text, field text, due text, shown text);

comment on type engine.fault is
'Where what is public of a night does not follow from the nights before it: the place and the account (null: none '
'alone), what differs, what it should be, and what it is. due is null for what is seen for the first time.';

-- For one transaction, which is rolled back at its end: so the next one begins with nothing, too. It takes a superuser
-- with session_replication_role set to replica, because what guards the nights of a hill would stand in the way.
create or replace function engine.begin_following()
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if exists (select from hill.nights) then
    raise object_not_in_prerequisite_state using message = 'This database has nights of its own.';
  end if;
  create table hill.moves_followed partition of hill.moves default;
  create table hill.settlements_followed partition of hill.settlements default;
  create table hill.leaderboard_followed partition of hill.leaderboard default;
  -- no place is known to be open, and the first move tells day one
  update hill.places set opens_day = 2147483647 where true;
  delete from hill.settings where true;
end
$$;

comment on function engine.begin_following is
'Makes a database without nights ready for engine.follow_night, as a superuser with session_replication_role set to '
'replica, in a transaction that is rolled back at its end. Errors: 55000 where there are nights. Rules 20.50.';
