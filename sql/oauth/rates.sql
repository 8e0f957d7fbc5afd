-- Limits on how often something may be asked, counted over all processes. Protocol 10.2.

-- Counts several requests of one kind by one caller (an address, an account, a token: stored as a hash), of which
-- at_most may come in that many seconds, in a sliding window. Protocol 10.2. One alone never waits for longer than
-- the window.
create or replace function engine.admit_several(what text, who text, at_most integer, seconds integer, times integer)
returns integer
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now     timestamptz := engine.door_now();
  v_per     interval := make_interval(secs => seconds);
  v_began   timestamptz := date_bin(v_per, v_now, '2000-01-01Z');
  -- the part of the window that is still ahead
  v_left    double precision := 1 - extract(epoch from v_now - v_began) / seconds;
  v_before  integer;
  v_count   integer;
  v_counted boolean;
begin
  -- The window slides: the previous one counts in proportion to what is left of it. Refused requests are not counted,
  -- so that the announced wait holds; and the first of a window is admitted whatever the previous one had, so that
  -- nobody waits for longer than a window.
  insert into oauth.rates as r (what, who, began_at, ends_at, count)
  values (admit_several.what, engine.hash_token(admit_several.who), v_began, v_began + 2 * v_per, times)
  on conflict on constraint rates_pkey do update
     set (began_at, ends_at, before, count) = (
           select v_began,
                  v_began + 2 * v_per,
                  w.before,
                  w.count + case
                              when w.count = 0 and times = 1 then times
                              when w.count + times + w.before * v_left <= at_most then times
                              else 0
                            end
             from (select case r.began_at
                            when v_began then r.before
                            when v_began - v_per then r.count
                            else 0
                          end as before,
                          case r.began_at when v_began then r.count else 0 end as count) w)
  returning new.before,
            new.count,
            old.count is null or new.count > case old.began_at when v_began then old.count else 0 end
       into v_before, v_count, v_counted;

  if v_counted then
    return 0;
  elsif v_count + times <= at_most then
    -- later in this window
    return greatest(1, ceil(seconds * (v_left - (at_most - v_count - times)::double precision / v_before)));
  elsif times = 1 then
    -- first in the next window
    return greatest(1, ceil(seconds * v_left));
  else
    return greatest(1, ceil(seconds * (v_left + greatest(0, 1 - (at_most - times)::double precision / v_count))));
  end if;
end
$$;

-- Counts one request: see engine.admit_several. Protocol 10.2.
create or replace function engine.admit(what text, who text, at_most integer, seconds integer)
returns integer
language sql volatile parallel unsafe security invoker
begin atomic
  select engine.admit_several(admit.what, admit.who, admit.at_most, admit.seconds, 1);
end;

-- the caller needs rights on the table as well
