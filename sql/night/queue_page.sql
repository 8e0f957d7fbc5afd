-- A page of the queue of a stored night, without sorting all of it: it may have a million entries. Rules 10.9.

-- A page of engine.night_queue of a stored night. Rules 4.5, 10.9.
create or replace function engine.queue_page(
  day integer,
  resolution engine.resolution,
  after text,
  how_many integer)
returns table (
  place bigint,
  account uuid,
  from_slot smallint,
  seq bigint,
  served_slot smallint,
  at timestamptz,
  reputation numeric,
  since timestamptz)
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
set enable_seqscan to on  -- engine.show_queue switches it off, and before the index is made all accounts are read
as $$
declare
  v_mark  record;
  v_after record;  -- the entry that the page before ended with
begin
  select k.* into v_mark from engine.read_queue_mark(after) k;
  select engine.reputation_order(s.peace_count, s.war_count) as reputation,
         s.since,
         engine.queue_order(engine.reputation(s.peace_count, s.war_count), s.since, m.at, m.seq) as place
    into v_after
    from hill.settlements s
    join hill.moves m on m.day = s.day and m.account_id = s.account_id
   where s.day = queue_page.day and s.account_id = v_mark.account_id and m.seq = v_mark.seq;

  -- The queue is ordered by account first. Of the accounts with a PEACE only those with a seat may have no entry, so
  -- this many accounts fill a page. In parallel, until the night has its index: PL/pgSQL does that for RETURN QUERY
  -- alone.
  return query
  with heads as materialized (
    select h.account
      from engine.queue_heads(
             engine.stored_night(queue_page.day),
             how_many + cardinality((resolution).seats),
             coalesce(v_after.reputation, '-infinity'),
             coalesce(v_after.since, '-infinity')) h
    union all
    -- all that are equal to the one before the page: some of them may still follow
    select s.account_id
      from hill.settlements s
     where v_after.reputation is not null
       and s.day = queue_page.day
       and s.peace_tonight > 0
       and engine.reputation_order(s.peace_count, s.war_count) = v_after.reputation
       and s.since = v_after.since
  )
  select coalesce(v_mark.place, 0) + row_number() over (order by p.place),
         e.account,
         e.from_slot,
         e.seq,
         e.served_slot,
         e.at,
         e.reputation,
         e.since
    from heads h
   -- few accounts of perhaps a million: looked up one by one
   cross join lateral (select e.* from engine.queue_entries(engine.stored_night(queue_page.day), resolution) e
                        where e.account = h.account offset 0) e
   cross join lateral (select engine.queue_order(e.reputation, e.since, e.at, e.seq) as place offset 0) p
   where v_after.place is null or p.place > v_after.place
   order by 1 limit how_many;
end
$$;
