-- A day is closed, and what was promised of it is signed, before its bell. Rules 20.40 to 20.43.

-- Whether anything was ever signed of a log of this hill. Until then it promises nothing. Rules 20.17, 20.42.
create or replace function trusted.log_published()
returns boolean
language sql stable parallel safe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$ select exists (select from hill.log_checkpoints) $$;

-- Numbers what the log waits for from before the bell of a day that is not closed, or a piece of it: see
-- engine.append_log. Rules 20.40.
create or replace function trusted.number_day(day integer)
returns boolean
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
declare
  v_bell  timestamptz := engine.bell_at(number_day.day);
  v_batch jsonb;
begin
  if exists (select from hill.closed_days d where d.day = number_day.day)
     or not exists (select from hill.log_heads) then
    return true;
  end if;
  -- All of it: whoever deposits holds the day, and the caller holds it alone.
  v_batch := engine.append_log(v_bell);
  return v_batch is null or ((v_batch ->> 'whole')::boolean and (v_batch ->> 'until')::timestamptz = v_bell);
end
$$;

-- Closes a day, numbers all that the log still waits for of it, and keeps the size that has it all. Rules 20.40.
create or replace function trusted.close_day(day integer)
returns void
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
begin
  if exists (select from hill.closed_days d where d.day = close_day.day) then
    return;
  end if;
  while not trusted.number_day(close_day.day) loop
  end loop;
  insert into hill.closed_days (day, closed_at, generation, size)
  select close_day.day, engine.now(), h.generation, h.size
    from (values (true)) one
    left join (select * from hill.log_heads order by generation desc, size desc limit 1) h on true;
end
$$;

-- The first checkpoint that is stored and covers all deposits of a closed day. Rules 20.2, 20.40, 20.42.
create or replace function trusted.closing_checkpoint(day integer)
returns table (generation integer, size bigint)
language sql stable parallel safe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  with recursive covers (generation, size) as (
    select d.generation, d.size
      from hill.closed_days d where d.day = closing_checkpoint.day and d.generation is not null
    union
    -- and so does a log that began since, if its first entry names a head that covers the day, or its first batch has
    -- all that was never signed of the log before it
    select n.generation, n.size
      from covers c
     cross join lateral (
       select s.generation, 1::bigint
         from hill.log_generations g
         join hill.log_heads h on h.generation = g.generation and h.size >= c.size
         join hill.log_generations s on s.generation > g.generation
         join hill.log_entries e
           on e.generation = s.generation and e.index = 0 and e.entry = engine.log_entry(g.origin, h.size, h.root)
        where g.generation = c.generation
        union all
       select h.generation, min(h.size)
         from hill.log_heads h
        where h.generation = c.generation + 1 and h.at > '-infinity' and h.whole
        group by h.generation
       having not exists (
                select from engine.unsigned_entries(c.generation) u (entry)
                 where not exists (select from hill.log_entries m
                                    where m.generation = h.generation and m.index < min(h.size) and m.entry = u.entry))
     ) n (generation, size))
  select k.generation, k.size
    from covers c join hill.log_checkpoints k on k.generation = c.generation and k.size >= c.size
   order by k.generation, k.size limit 1
$$;

-- Whether the bell of a day on which somebody deposited may ring, if it is due. Rules 20.42, 20.43.
create or replace function trusted.bell_may_ring(day integer)
returns boolean
language sql stable parallel safe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  select not trusted.log_published()
      -- closed before a log began: it has no size that a checkpoint could cover
      or exists (select from hill.closed_days d where d.day = bell_may_ring.day and d.generation is null)
      or exists (select from trusted.closing_checkpoint(bell_may_ring.day))
      -- whoever lets it ring, what was deposited is numbered before its night is
      or exists (select from hill.unsealed_days u join hill.closed_days d on d.day = u.day
                  where u.day = bell_may_ring.day)
$$;

-- Lets the bell of a closed day ring without a signed closing, if it was closed so long ago that the log should have
-- been signed, and says why for good. Rules 20.43.
create or replace function trusted.give_up_sealing(day integer, failure text)
returns boolean
language sql volatile parallel unsafe security definer  -- hill_owner: nobody else writes that by itself
set search_path to pg_catalog, pg_temp
as $$
  with given as (
    insert into hill.unsealed_days (day, allowed_at, reason)
    select d.day, engine.now(),
           case give_up_sealing.failure
             when 'unvouched' then 'nothing outside the database could say what had been signed before.'
             when 'another' then 'the public address of this hill leads to another database.'
             when 'contradicted' then
               'what was signed before does not begin this log. A database was restored, or another hill signs.'
             else 'the log could not be signed within two minutes.' end
      from hill.closed_days d
     where d.day = give_up_sealing.day
       -- real time: how long somebody has tried, whatever the clock of the hill shows
       and clock_timestamp() >= d.closed_real_at + make_interval(secs => engine.closing_patience_seconds())
    on conflict do nothing
    returning 1)
  select exists (select from given)
$$;

-- Keeps, in the transaction of a bell, what was signed of the closed day before it, and by which witnesses. Rules
-- 20.42, 20.44.
create or replace function trusted.note_seal(night integer)
returns void
language sql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  insert into hill.sealed_nights (day, generation, size, witnesses)
  select note_seal.night, k.generation, k.size,
         array(select s.witness from hill.log_cosignatures s
                where s.generation = k.generation and s.size = k.size order by s.seen_at, s.witness)
    from trusted.closing_checkpoint(note_seal.night) k
$$;

-- The checkpoint that was signed of a day before its bell, with what witnesses signed of it. Rules 20.12, 20.44.
create or replace function trusted.closing_note(day integer)
returns text
language sql stable parallel safe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  select engine.cosigned_note(s.generation, s.size) from hill.sealed_nights s where s.day = closing_note.day
$$;

create policy owner_reads on hill.closed_days for select to hill_owner using (true);
create policy owner_closes on hill.closed_days for insert to hill_owner with check (true);
create policy owner_reads on hill.sealed_nights for select to hill_owner using (true);
create policy owner_seals on hill.sealed_nights for insert to hill_owner with check (true);
create policy owner_reads on hill.unsealed_days for select to hill_owner using (true);
create policy owner_gives_up on hill.unsealed_days for insert to hill_owner with check (true);
create policy staff_allow on hill.unsealed_days for insert to hill_api_staff
  with check ((select api_staff.staff_name()) is not null);
revoke update, delete, truncate on hill.closed_days, hill.sealed_nights, hill.unsealed_days from hill_owner;
grant insert on hill.unsealed_days to hill_api_staff;
create or replace trigger written_once before update or delete or truncate on hill.closed_days
  for each statement execute function engine.guard_log();
create or replace trigger written_once before update or delete or truncate on hill.sealed_nights
  for each statement execute function engine.guard_log();
create or replace trigger written_once before update or delete or truncate on hill.unsealed_days
  for each statement execute function engine.guard_log();
create or replace trigger follow_tonight after insert on hill.closed_days
  for each statement execute function trusted.follow_tonight();

comment on table hill.closed_days is
'Days that take no deposit any more, when they were closed, and which size of the log has all that was deposited: '
'generation and size, null where no log had begun. Never changed. Rules 20.40.';
comment on column hill.closed_days.day is 'The day that is over.';
comment on column hill.closed_days.closed_at is 'When it was closed. Hill''s clock.';
comment on column hill.closed_days.generation is
'The log that had all of the day then (hill.log_generations); null where none had begun.';
comment on column hill.closed_days.size is
'How many entries of that log have all of the day; null where none had begun.';
comment on column hill.closed_days.closed_real_at is
'When it was closed (real clock): from then on its bell waits 90 seconds for a signature. Rules 20.43.';
comment on table hill.sealed_nights is
'Of each night whose closing was signed before its bell: the checkpoint, and the verifier keys of the witnesses that '
'had signed it by then. Never changed. Rules 20.42.';
comment on column hill.sealed_nights.day is 'The night that waited for the signature.';
comment on column hill.sealed_nights.generation is 'The log of the checkpoint (hill.log_checkpoints).';
comment on column hill.sealed_nights.size is 'Its size. It has every deposit of the day, and not the night.';
comment on column hill.sealed_nights.witnesses is
'Verifier keys of the witnesses that had signed it before the bell. Rules 20.44.';
comment on table hill.unsealed_days is
'Days whose bell rang without a signed closing, or may, and why. Never changed. Rules 20.43.';
comment on column hill.unsealed_days.day is 'The day whose bell may ring.';
comment on column hill.unsealed_days.allowed_at is
'When the worker gave up, or a member of the staff let it ring. Hill''s clock.';
comment on column hill.unsealed_days.reason is 'Why, in words that every record of the night shows.';

grant execute on function
  trusted.close_day,
  trusted.give_up_sealing,
  trusted.note_seal,
  trusted.number_day
  to hill_api_worker;
grant execute on function trusted.log_published to hill_api_public, hill_api_worker;
grant execute on function trusted.bell_may_ring to hill_api_staff, hill_api_worker;
grant execute on function trusted.closing_note to hill_api_public;
