--! Previous: sha1:f1ed703c5d641b8c71f741924cec052666dcf1de
--! Hash: sha1:ddc2fe957995bc31c5aacbe294fa7f98ed23a647
--! Message: tonight

-- What each deposit asks of tonight, beside the clock in the one row of settings: which night was the last, and from which day each place is open. They
-- follow from hill.nights and hill.places, whose triggers write them (engine.follow_tonight).

set local role hill_owner;

alter table hill.settings
  add column last_night integer not null default 0,
  add column opens_days integer[] not null default '{}';

-- What they follow from is read when sql/ is loaded, which comes next and keeps the bell away (engine.guard_tonight): nothing reads these columns before.
reset role;
