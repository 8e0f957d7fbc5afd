-- What a night took reaches the wallets: of a small night in its bell, of a large one after it, in pieces, beside
-- deposits. A wallet was last written for the night ring_day, so it tells by itself whether it shows a night. Whoever
-- reads credits takes off what it does not show (sql/ledger/pending.sql). What comes in meanwhile is added to the
-- wallet as it is, for the order of the two does not matter. Rules 5.4, 5.5.

-- Of how many accounts at most a bell writes the wallets itself: some ten milliseconds.
create or replace function engine.settled_at_once()
returns integer language sql immutable parallel safe
return 2000;

-- Accounts in a piece of what follows the bell, which is one transaction: a tenth of a second.
create or replace function engine.settling_piece()
returns integer language sql immutable parallel safe
return 10000;

create type engine.debited as (
  expired_cents bigint,
  debited_cents bigint);

comment on type engine.debited is
'What expired at a bell, and how much of what its night took the wallets show at once (cents); null for all of it.';

-- The accounts whose wallets a bell writes for more than its night: closed ones, and those of which a payment is taken
-- back. Rules 5.8, 19.5.
create or replace function engine.accounts_due(day integer)
returns setof uuid
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  select c.account_id from hill.closings c where c.day = accounts_due.day
   union
  select t.account_id
    from hill.payment_claims c join hill.top_ups t on t.payment = c.payment
   where c.live and c.taken_cents is null and c.at < engine.bell_at(accounts_due.day)
$$;

-- Expires what is left of lots (engine.lots_due), and takes a day's settlements (cents) from the wallets, with its
-- moves in their rings: of all accounts if they are few, or else of those alone that the bell writes anyway. Rules 4.1,
-- 4.3, 5.3, 5.4.
create or replace function trusted.debit_wallets(day integer)
returns engine.debited
language plpgsql volatile parallel unsafe security definer  -- hill_owner: nobody else may touch a balance
set search_path to pg_catalog, pg_temp
set enable_nestloop to off  -- as for trusted.settle_day
as $$
declare
  -- An array, and read below behind a select: so the planner takes it for few rows in any night, and hashes these.
  -- Of the true number it would expect a hundred rows for each account, because no column of an array has statistics.
  v_due     engine.due_lots[] := array(select d from engine.lots_due(debit_wallets.day) d);
  v_whole   boolean;
  v_now     uuid[];
  v_debited engine.debited;
begin
  if cardinality(v_due) > 0 then
    insert into hill.transfers (day, at, kind, debit_account_id, credit_code, cents, reason)
    select debit_wallets.day,
           (select engine.bell_at(debit_wallets.day)),   -- once, not for each row
           'expiry',
           d.account_id,
           'expired',
           d.cents,
           case d.lots when 1 then 'lot ' || d.first_lot || ' expired'
                       -- ids between these two may be of lots of others
                       else d.lots || ' lots of this account expired, the first lot ' || d.first_lot
                              || ' and the last lot ' || d.last_lot end
      from unnest(v_due) d
     order by d.first_lot;
    update hill.wallets w
       set granted_cents = w.granted_cents - d.cents
      from unnest((select v_due)) d
     where not d.moved and w.account_id = d.account_id;
  end if;
  v_debited.expired_cents := (select coalesce(sum(d.cents), 0) from unnest(v_due) d);

  v_whole := not exists (select from hill.settlements s
                          where s.day = debit_wallets.day offset engine.settled_at_once());
  if not v_whole then
    v_now := array(select d.account_id from unnest(v_due) d where d.moved
                    union
                   select a from engine.accounts_due(debit_wallets.day) a);
    v_debited.debited_cents := (select coalesce(sum(s.granted_cents + s.paid_cents), 0)
                                  from unnest(v_now) a (id)
                                  join hill.settlements s on s.day = debit_wallets.day and s.account_id = a.id);
  end if;
  -- Each wallet once: a row that its own transaction has written before has its foreign key checked anew. Most nights
  -- nothing is due, and then nothing is joined for it.
  execute format($sql$
    update hill.wallets w
       set paid_cents = w.paid_cents - s.paid_cents,
           granted_cents = w.granted_cents - s.granted_cents - coalesce(d.cents, 0),
           ring_day = s.day,
           peace_ring = engine.ring_with(w.peace_ring, w.ring_day, s.day, s.peace_tonight),
           war_ring = engine.ring_with(w.war_ring, w.ring_day, s.day, s.war_tonight)
      from hill.settlements s
      %s
     where s.day = $1 and w.account_id = s.account_id %s$sql$,
    case when cardinality(v_due) > 0 then 'left join unnest((select $2)) d on d.account_id = s.account_id'
         else 'cross join (select 0::bigint as cents) d' end,
    case when not v_whole then 'and s.account_id = any ($3)' else '' end) using debit_wallets.day, v_due, v_now;
  return v_debited;
end
$$;

-- Says that all wallets show a night.
create or replace function trusted.note_settled(night integer)
returns void
language sql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$ update hill.settings s set settled_night = note_settled.night where s.settled_night < note_settled.night $$;

-- Takes the last night from the wallets of the next accounts after one (null: from the first), a piece of them or all
-- (how_many: null), where they do not show it. Returns the last of the piece; null once all wallets show the night. The
-- caller holds the day. Rules 4.3, 5.4.
create or replace function trusted.settle_piece(after uuid, how_many integer)
returns uuid
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
set plan_cache_mode to force_custom_plan  -- of one partition
as $$
declare
  v_night integer := engine.unsettled_night();
  v_last  uuid;
begin
  if v_night is null then
    return null;
  end if;
  perform set_config('hill.bell', 'ringing', true);  -- for the ledger's guards, as in the bell
  v_last := (select s.account_id
               from hill.settlements s
              where s.day = v_night and (after is null or s.account_id > after) and how_many is not null
              order by s.account_id
             offset how_many - 1 limit 1);
  update hill.wallets w
     set paid_cents = w.paid_cents - s.paid_cents,
         granted_cents = w.granted_cents - s.granted_cents,
         ring_day = s.day,
         peace_ring = engine.ring_with(w.peace_ring, w.ring_day, s.day, s.peace_tonight),
         war_ring = engine.ring_with(w.war_ring, w.ring_day, s.day, s.war_tonight)
    from hill.settlements s
   where s.day = v_night
     and (after is null or s.account_id > after)
     and (v_last is null or s.account_id <= v_last)
     and w.account_id = s.account_id
     and w.ring_day < v_night;
  if v_last is null then
    perform trusted.note_settled(v_night);
  end if;
  return v_last;
end
$$;

grant execute on function trusted.debit_wallets, trusted.note_settled, trusted.settle_piece to hill_api_worker;
