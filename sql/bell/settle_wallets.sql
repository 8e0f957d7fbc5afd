-- What a night took reaches the wallets: of a small night in its bell, of a large one after it, in pieces, beside
-- deposits. So do the granted credits that expire at its bell. A wallet was last written for the night ring_day, so it
-- tells by itself whether it shows what a night took; what has expired of it is told by its lots. Whoever reads credits
-- takes off what it does not show (sql/ledger/pending.sql). What comes in meanwhile is added to the wallet as it is,
-- for the order of the two does not matter. Rules 5.3, 5.4, 5.5.

-- Of how many accounts at most a bell writes the wallets itself: some ten milliseconds.
create or replace function engine.settled_at_once()
returns integer language sql immutable parallel safe
return 2000;

-- Accounts in a piece of what follows the bell, a transaction of a twentieth of a second. Their deposits wait:
-- of a million under one in a hundred.
create or replace function engine.settling_piece()
returns integer language sql immutable parallel safe
return 5000;

create type engine.due_lots as (
  account_id  uuid,
  cents       bigint,
  lots        bigint,
  first_lot   bigint,
  last_lot    bigint,
  pending     boolean
);

comment on type engine.due_lots is
'The lots of an account that end at a bell: what is left of them (cents), how many, the first and the last, and '
'whether its wallet does not show yet what the night took.';

-- What is left (cents) of the granted lots that expire at the bell of a night, or whose accounts were closed that day,
-- once what the night took is paid: nothing where it was taken already. Of the accounts after one and up to a last one,
-- or of some alone (null: no bound). Rules 5.3, 19.5.
create or replace function engine.lots_due(night integer, after uuid, last uuid, accounts uuid[])
returns setof engine.due_lots
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
set enable_nestloop to on  -- trusted.settle_accounts switches it off, and these may be few
set plan_cache_mode to force_custom_plan  -- none one night, a tenth of all lots another
as $$
declare
  -- Known when the query is planned, so how many lots are due is known, too.
  v_from   timestamptz := engine.bell_at(lots_due.night - 1);
  v_till   timestamptz := engine.bell_at(lots_due.night);
  -- an account that was closed keeps none beyond the bell of that day
  v_closed uuid[] := array(select c.account_id from hill.closings c where c.day = lots_due.night);
begin
  return query
  select d.account_id,
         sum(least(d.cents, d.from_cents + d.cents - g.cents))::bigint,
         count(*),
         min(d.id),
         max(d.id),
         bool_or(s.account_id is not null)
    from hill.lots d
    join hill.wallets w on w.account_id = d.account_id
    left join hill.settlements s
      on s.day = lots_due.night and s.account_id = w.account_id and w.ring_day < lots_due.night
   cross join lateral (
     -- gone from the front of the account's line of lots, once the night is paid
     select l.from_cents + l.cents - w.granted_cents + coalesce(s.granted_cents, 0) as cents
       from hill.lots l
      where l.account_id = d.account_id
      order by l.from_cents desc limit 1) g
   where (d.expires_at > v_from and d.expires_at <= v_till or d.account_id = any (v_closed))
     and (lots_due.accounts is null or d.account_id = any (lots_due.accounts))
     and (lots_due.after is null or d.account_id > lots_due.after)
     and (lots_due.last is null or d.account_id <= lots_due.last)
     and w.granted_cents > coalesce(s.granted_cents, 0)  -- or all of the line is gone: its front is not looked for
     and d.from_cents + d.cents > g.cents
   group by d.account_id;
end
$$;

-- The accounts whose wallets a bell writes for more than its night: closed ones, and those of which a payment or a
-- grant is taken back. Rules 5.8, 18.7, 19.5.
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
   union
  select r.account_id
    from hill.lot_revocations r
   where r.taken_cents is null and r.kept_at is null and r.day <= accounts_due.day
$$;

-- Takes from wallets what they do not show of a night: its settlements (cents), with its moves in their rings, and what
-- is left of lots that expire. Of the accounts that engine.lots_due would take. The caller holds the day. Rules 4.1,
-- 4.3, 5.3, 5.4.
create or replace function trusted.settle_accounts(night integer, after uuid, last uuid, accounts uuid[])
returns void
language plpgsql volatile parallel unsafe security definer  -- hill_owner: nobody else may touch a balance
set search_path to pg_catalog, pg_temp
set enable_nestloop to off  -- as for trusted.settle_day
set max_parallel_workers_per_gather to 0  -- begun and ended for every piece
set plan_cache_mode to force_custom_plan  -- of one partition, and of this range
as $$
declare
  -- An array, and read below behind a select: so the planner takes it for few rows in any night, and hashes these.
  -- Of the true number it would expect a hundred rows for each account, because no column of an array has statistics.
  v_due engine.due_lots[] := array(select d from engine.lots_due(night, after, last, accounts) d);
begin
  if cardinality(v_due) > 0 then
    insert into hill.transfers (day, at, kind, debit_account_id, credit_code, cents, reason)
    select night,
           (select engine.bell_at(night)),   -- once, not for each row
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
     where not d.pending and w.account_id = d.account_id
       and (after is null or w.account_id > after)
       and (last is null or w.account_id <= last);
  end if;
  -- Each wallet once: a row that its own transaction has written before has its foreign key checked anew. The range
  -- stands for both tables, because the planner does not carry it from one to the other, and would read all wallets.
  -- Most nights nothing is due, and then nothing is joined for it.
  execute format($sql$
    update hill.wallets w
       set paid_cents = w.paid_cents - s.paid_cents,
           granted_cents = w.granted_cents - s.granted_cents - coalesce(d.cents, 0),
           ring_day = s.day,
           peace_ring = engine.ring_with(w.peace_ring, w.ring_day, s.day, s.peace_tonight),
           war_ring = engine.ring_with(w.war_ring, w.ring_day, s.day, s.war_tonight)
      from hill.settlements s
      %s
     where s.day = $1 and w.account_id = s.account_id and w.ring_day < $1
       and ($2 is null or s.account_id > $2 and w.account_id > $2)
       and ($3 is null or s.account_id <= $3 and w.account_id <= $3)
       and ($4 is null or s.account_id = any ($4) and w.account_id = any ($4)) $sql$,
    case when cardinality(v_due) > 0 then 'left join unnest((select $5)) d on d.account_id = s.account_id'
         else 'cross join (select 0::bigint as cents) d' end) using night, after, last, accounts, v_due;
end
$$;

-- Takes a day from the wallets in its bell: from all that it concerns if they are few, or else from those alone that
-- the bell writes anyway. Returns how much of what the night took wallets show then (cents); null for all of it.
create or replace function trusted.debit_wallets(day integer)
returns bigint
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
set plan_cache_mode to force_custom_plan
as $$
declare
  v_now uuid[];
begin
  if not exists (select from hill.settlements s where s.day = debit_wallets.day offset engine.settled_at_once())
     and not exists (select from hill.lots l
                      where l.expires_at > (select engine.bell_at(debit_wallets.day - 1))
                        and l.expires_at <= (select engine.bell_at(debit_wallets.day))
                     offset engine.settled_at_once()) then
    perform trusted.settle_accounts(day, null, null, null);
    return null;
  end if;
  v_now := array(select a from engine.accounts_due(debit_wallets.day) a);
  if cardinality(v_now) > 0 then
    perform trusted.settle_accounts(day, null, null, v_now);
  end if;
  return (select coalesce(sum(s.granted_cents + s.paid_cents), 0)
            from hill.settlements s
           where s.day = debit_wallets.day and s.account_id = any (v_now));
end
$$;

-- Says that all wallets show a night, and how much of them has expired at its bell (cents).
create or replace function trusted.note_settled(night integer)
returns void
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
begin
  -- every expiry is of one night, and nights are settled in their order
  update hill.nights n
     set expired_cents = l.balance_cents - before.cents
    from hill.ledger_accounts l,
         (select coalesce(sum(e.expired_cents), 0) as cents from hill.nights e where e.day < note_settled.night) before
   where n.day = note_settled.night and n.expired_cents is null and l.code = 'expired';
  update hill.settings s set settled_night = note_settled.night where s.settled_night < note_settled.night;
end
$$;

-- Takes the last night from the wallets of the next accounts after one (null: from the first), a piece of them or all
-- (how_many: null), where they do not show it. Returns the last of the piece; null once all wallets show the night.
-- The caller holds the day. Rules 4.3, 5.4.
create or replace function trusted.settle_piece(after uuid, how_many integer)
returns uuid
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
declare
  v_night integer := engine.unsettled_night();
  v_last  uuid;
begin
  if v_night is null then
    return null;
  end if;
  perform set_config('hill.bell', 'ringing', true);  -- for the ledger's guards, as in the bell
  if how_many is not null then
    -- of all accounts: those that did not move may have lots
    v_last := (select w.account_id
                 from hill.wallets w
                where after is null or w.account_id > after
                order by w.account_id
               offset how_many - 1 limit 1);
  end if;
  perform trusted.settle_accounts(v_night, after, v_last, null);
  if v_last is null then
    perform trusted.note_settled(v_night);
  end if;
  return v_last;
end
$$;

grant execute on function trusted.debit_wallets, trusted.note_settled, trusted.settle_piece to hill_api_worker;
