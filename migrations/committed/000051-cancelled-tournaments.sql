--! Previous: sha1:e59b6a10bbb110f801ff929c960353fc5326b40c
--! Hash: sha1:1f412551b5d0ecb69b37737d1510b18c0dea2a88
--! Message: cancelled tournaments

-- A tournament that staff call off before it starts.

set local role hill_owner;

alter table hill.tournaments
  add column cancelled_on integer,
  add constraint cancelled_in_time check (cancelled_on < starts_day) not valid;

reset role;
