-- api/staff/look_up.sql · Lists that staff ask for: who is stopped, what staff did, jobs, webhooks. Rules 18.1, 18.2.

create type api_staff.stopped_account as (
  account_id uuid,
  suspended_at timestamptz,
  barred_at timestamptz,
  staff_name text,
  reason text);

comment on type api_staff.stopped_account is
'An account that may not deposit: suspended by staff, or barred by a dispute or a refund; by whom, and why.';

create or replace function api_staff.stopped_accounts()
returns setof api_staff.stopped_account
language sql stable parallel restricted security invoker  -- reads what its caller may read
set search_path to pg_catalog, pg_temp
as $$
  select a.id, a.suspended_at, a.barred_at, l.staff_name, l.reason
    from (select distinct on (l.account_id) l.*
            from hill.audit_log l
           where l.action in ('suspend_account', 'bar_deposits')
           order by l.account_id, l.id desc) l
    join hill.accounts a on a.id = l.account_id
   where num_nonnulls(a.suspended_at, a.barred_at) > 0
   order by greatest(a.suspended_at, a.barred_at) desc, a.id
   limit 1000
$$;

comment on function api_staff.stopped_accounts is
'Accounts that may not deposit, the latest first, at most 1000: suspended by staff, or barred by a dispute or a '
'refund, with who stopped them last and why, as the audit log has it. Rules 3.11, 5.8.';

create or replace function api_staff.search_audit(
  staff_name text default null,
  action text default null,
  account text default null,
  first_date date default null,
  last_date date default null)
returns setof hill.audit_log
language plpgsql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff   text := engine.enter_looking();
  v_account uuid := case when account is not null then engine.account_meant(account) end;
begin
  return query
  select l.*
    from hill.audit_log l
   where (search_audit.staff_name is null or lower(l.staff_name) = lower(btrim(search_audit.staff_name)))
     and (search_audit.action is null or l.action = search_audit.action)
     and (v_account is null or l.account_id = v_account)
     and (first_date is null or l.at >= first_date::timestamp at time zone 'UTC')
     and (last_date is null or l.at < (last_date + 1)::timestamp at time zone 'UTC')
   order by l.id desc
   limit 1000;
end
$$;

comment on function api_staff.search_audit is
'What staff did, the latest first, at most 1000: by name, action (such as suspend_account), account (its id or slug) '
'and from a date to a date (UTC, both included); each may be left out. Read backwards from the latest. Errors: '
'INVALID_TOKEN, NOT_FOUND. Rules 18.1.';

create type api_staff.job as (
  id bigint,
  task text,
  state text,
  attempts integer,
  max_attempts integer,
  run_at timestamptz,
  created_at timestamptz,
  last_error text);

comment on type api_staff.job is
'A job of the worker''s queue. state: failed (for good), retrying, running, due or waiting. last_error: what the '
'worker '
'may say of a failure, which is never what a row held.';

create or replace function api_staff.enter_queue()
returns void
language plpgsql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.enter_looking();
  if current_setting('transaction_read_only') <> 'on' then
    perform engine.refuse('NOT_ALLOWED', 'The queue is read in a transaction that reads only.');
  end if;
end
$$;

comment on function api_staff.enter_queue is
'For api_staff.jobs: lets staff by, in a transaction that cannot write. Errors: INVALID_TOKEN, NOT_ALLOWED. '
'Decisions 231.';

create or replace function api_staff.jobs()
returns setof api_staff.job
-- Runs as hill_staff: what else runs here than the tables of the queue is up to whoever owns them. Decisions 231.
language plpgsql stable parallel restricted security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  perform api_staff.enter_queue();
  return query
  select j.id,
         t.identifier,
         case when j.locked_at is not null then 'running'
              when j.attempts >= j.max_attempts then 'failed'
              when j.attempts > 0 then 'retrying'
              when j.run_at <= clock_timestamp() then 'due'
              else 'waiting' end as state,
         j.attempts::integer,
         j.max_attempts::integer,
         j.run_at,
         j.created_at,
         left(j.last_error, 300)
    from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id
   order by j.attempts >= j.max_attempts desc, j.attempts > 0 desc, j.run_at, j.id
   limit 1000;
end
$$;

comment on function api_staff.jobs is
'The jobs of the worker''s queue, what failed first, at most 1000. Not what they carry. Errors: INVALID_TOKEN; '
'NOT_ALLOWED in a transaction that may write. Decisions 231.';

create type api_staff.webhook as (
  id uuid,
  account_id uuid,
  host text,
  events text[],
  state text,
  waiting bigint,
  failing_since timestamptz,
  delivered_at timestamptz,
  ended_at timestamptz,
  ended_because text,
  last_event text,
  last_outcome text,
  last_status smallint,
  last_tried_at timestamptz,
  next_try_at timestamptz);

comment on type api_staff.webhook is
'A subscription of an account''s agent: the host that it is posted to, never the path, which can be a secret. state: '
'ok, failing or ended. waiting: deliveries that have not arrived. last_…: its latest delivery that was tried. Instants '
'are of the real clock.';

create or replace function api_staff.webhooks(account text default null, failing boolean default null)
returns setof api_staff.webhook
language plpgsql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff   text := engine.enter_looking();
  v_account uuid := case when account is not null then engine.account_meant(account) end;
begin
  return query
  select s.id,
         s.account_id,
         substring(s.url from '^https?://([^/?#]*)'),
         s.events,
         case when s.ended_at is not null then 'ended' when s.failing_since is not null then 'failing' else 'ok' end,
         (select count(*) from hill.deliveries w where w.subscription_id = s.id and w.ended_at is null),
         s.failing_since,
         s.delivered_at,
         s.ended_at,
         s.ended_because,
         d.body ->> 'type',
         d.outcome,
         d.status,
         d.tried_at,
         case when d.ended_at is null then d.due_at end
    from (select s.id,
                 s.account_id,
                 s.url,
                 s.events,
                 s.failing_since,
                 s.delivered_at,
                 s.ended_at,
                 s.ended_because
            from hill.subscriptions s
           where s.account_id = coalesce(v_account, s.account_id)
             and (not coalesce(failing, false) or s.failing_since is not null)
           order by s.failing_since is null or s.ended_at is not null, s.failing_since, s.id desc
           limit 500) s
    left join lateral (select d.*
                         from hill.deliveries d
                        where d.subscription_id = s.id and d.tried_at is not null
                        order by d.id desc limit 1) d on true
   order by s.failing_since is null or s.ended_at is not null, s.failing_since, s.id desc;
end
$$;

comment on function api_staff.webhooks is
'Where the events of accounts are posted, and whether they arrive; what has been failing longest first, at most '
'500. Of '
'one account (its id or slug; null: of all), or with failing only those at which nothing arrives. Errors: '
'INVALID_TOKEN, NOT_FOUND. Rules 15.3.';

create type api_staff.webhook_delivery as (
  id uuid,
  webhook_id uuid,
  account_id uuid,
  event text,
  state text,
  attempts smallint,
  due_at timestamptz,
  tried_at timestamptz,
  outcome text,
  status smallint,
  ended_at timestamptz);

comment on type api_staff.webhook_delivery is
'An event on its way to a webhook. event: its type, and nothing of its body. state: waiting, delivered, given_up or '
'dropped. outcome and status (HTTP): of the last attempt.';

create or replace function api_staff.webhook_deliveries(account text default null)
returns setof api_staff.webhook_delivery
language plpgsql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff   text := engine.enter_looking();
  v_account uuid := case when account is not null then engine.account_meant(account) end;
begin
  return query
  select d.id,
         d.subscription_id,
         d.account_id,
         d.body ->> 'type',
         coalesce(d.ended_as, 'waiting'),
         d.attempts,
         d.due_at,
         d.tried_at,
         d.outcome,
         d.status,
         d.ended_at
    from hill.deliveries d
   where v_account is null or d.account_id = v_account
   order by d.id desc
   limit 1000;
end
$$;

comment on function api_staff.webhook_deliveries is
'The latest 1000 events that were to be posted, to one account''s webhooks (its id or slug) or to all (null): '
'what kind '
'of event, whether it arrived, and the last attempt. Errors: INVALID_TOKEN, NOT_FOUND. Rules 15.3.';

create type api_staff.credit_holder as (
  account_id uuid,
  credits_cents bigint,
  granted_cents bigint,
  paid_cents bigint);

comment on type api_staff.credit_holder is 'Settled credits of an account, in cents.';

create or replace function api_staff.most_credits()
returns setof api_staff.credit_holder
language sql stable parallel restricted security invoker  -- reads what its caller may read
set search_path to pg_catalog, pg_temp
as $$
  select w.account_id, w.granted_cents + w.paid_cents, w.granted_cents, w.paid_cents
    from hill.wallets w
    join hill.accounts a on a.id = w.account_id
   where not a.house and w.granted_cents + w.paid_cents > 0
   order by w.granted_cents + w.paid_cents desc, w.account_id
   limit 100
$$;

comment on function api_staff.most_credits is
'The 100 accounts with the most credits, settled, the house left out. It reads each wallet once. Rules 5.5.';

create type api_staff.expiring_lot as (
  account_id uuid,
  lot_id bigint,
  cents bigint,
  remaining_cents bigint,
  expires_at timestamptz);

comment on type api_staff.expiring_lot is 'A lot of granted credits of which something is left. Cents.';

create or replace function api_staff.expiring_lots(days integer default 7)
returns setof api_staff.expiring_lot
language plpgsql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff text := engine.enter_looking();
  v_now   timestamptz := engine.now();
begin
  if days is null or days not between 1 and 90 then
    perform engine.refuse('INVALID_ARGUMENT', 'days is from 1 to 90.', '{"argument": "days"}');
  end if;
  return query
  select l.account_id, l.id, l.cents, r.remaining_cents, l.expires_at
    from hill.lots l
   cross join lateral (select a.remaining_cents from engine.account_lots(l.account_id) a where a.lot_id = l.id) r
   where l.expires_at > v_now
     and l.expires_at <= v_now + make_interval(hours => 24 * days)
     and r.remaining_cents > 0
   order by l.expires_at, l.id
   limit 1000;
end
$$;

comment on function api_staff.expiring_lots is
'Granted credits that expire within so many days of the hill''s clock (1 to 90), the next first, at most 1000, '
'with what '
'is left of each lot. Errors: INVALID_TOKEN, INVALID_ARGUMENT. Rules 5.3.';

create type api_staff.tonight as (
  day integer,
  now timestamptz,
  next_bell_at timestamptz,
  last_night integer,
  moves_counted integer,
  counted_at timestamptz);

comment on type api_staff.tonight is
'The day under way. moves_counted: the public count of sealed moves at the last quarter hour (counted_at), not '
'the present one.';

create or replace function api_staff.tonight()
returns api_staff.tonight
language plpgsql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff   text := engine.enter_looking();
  v_day     integer := engine.today();
  v_tonight api_staff.tonight;
begin
  select v_day, engine.now(), engine.bell_at(greatest(1, v_day)), engine.last_night(),
         -- between midnight and publication the count is still that of the day before
         case when c.day = v_day then c.moves else 0 end,
         case when c.day = v_day then c.counted_at end
    into v_tonight
    from hill.sealed_counts c;
  return v_tonight;
end
$$;

comment on function api_staff.tonight is
'The day, the next bell, and how many moves are sealed as everyone is told: as of the last quarter hour. Errors: '
'INVALID_TOKEN. Rules 9.3.';

create type api_staff.bell_check as (
  name text,
  compared bigint,
  wrong bigint,
  example text,
  checked_at timestamptz);

comment on type api_staff.bell_check is
'One thing that must hold of the books: how many were compared, how many are wrong, and the first wrong one.';

create or replace function api_staff.bell_checks()
returns setof api_staff.bell_check
language plpgsql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff text := engine.enter_looking();
begin
  return query
  select c.value ->> 'name',
         (c.value ->> 'compared')::bigint,
         (c.value ->> 'wrong')::bigint,
         c.value ->> 'example',
         b.checked_at
    from hill.watch b
   cross join lateral jsonb_array_elements(b.checks) with ordinality c (value, n)
   order by (c.value ->> 'wrong')::bigint > 0 desc, c.n;
end
$$;

comment on function api_staff.bell_checks is
'What the worker compared when it last looked whether the books balance, what is wrong first. Empty before the first '
'look. Errors: INVALID_TOKEN. Decisions 118.';

create or replace function api_staff.open_reports()
returns setof hill.reports
language sql stable parallel restricted security invoker  -- reads what its caller may read
set search_path to pg_catalog, pg_temp
as $$
  select r.* from hill.reports r where r.answer is null order by r.at, r.id limit 1000
$$;

comment on function api_staff.open_reports is
'What agents reported and nobody has answered, the oldest first, at most 1000. Rules 18.3.';

create type api_staff.disputed_payment as (
  account_id uuid,
  top_up_id uuid,
  kind text,
  status text,
  cents bigint,
  live boolean,
  at timestamptz,
  taken_cents bigint,
  written_off_cents bigint,
  released_at timestamptz,
  payment text);

comment on type api_staff.disputed_payment is
'A dispute or a refund (kind) of a top-up, as Stripe has it (status, payment). taken_cents: what was taken back '
'from the '
'account; written_off_cents: what had been spent by then. Cents.';

create or replace function api_staff.disputed_payments()
returns setof api_staff.disputed_payment
language sql stable parallel restricted security invoker  -- reads what its caller may read
set search_path to pg_catalog, pg_temp
as $$
  select t.account_id,
         t.id,
         c.kind,
         c.status,
         c.cents,
         c.live,
         c.at,
         c.taken_cents,
         c.written_off_cents,
         c.released_at,
         c.payment
    from hill.payment_claims c
    left join hill.top_ups t on t.payment = c.payment
   order by c.at desc, c.id
   limit 1000
$$;

comment on function api_staff.disputed_payments is
'Disputes and refunds of top-ups with the account, the latest first, at most 1000. Rules 5.8.';

create or replace function api_staff.refused_payments()
returns setof hill.payment_events
language sql stable parallel restricted security invoker  -- reads what its caller may read
set search_path to pg_catalog, pg_temp
as $$
  select e.* from hill.payment_events e where e.outcome ~ '^refused' order by e.taken_at desc, e.id limit 1000
$$;

comment on function api_staff.refused_payments is
'What Stripe told and the hill did not credit, the latest first, at most 1000: money to refund at Stripe. Rules 5.7.';

create type api_staff.example as (account text, day integer, slot integer, staff_name text, text text);

comment on type api_staff.example is 'Values that exist, to try questions with.';

create or replace function api_staff.example()
returns api_staff.example
language sql stable parallel restricted security invoker  -- reads what its caller may read
set search_path to pg_catalog, pg_temp
as $$
  -- an account that lost its place last night, or else somebody who has one
  select coalesce(a.slug, 'somebody'), n.day, coalesce(p.slot, 4)::integer, api_staff.staff_name(),
         coalesce(split_part(a.name, ' ', 1), 'somebody')
    from (select coalesce(max(n.day), 1) as day from hill.nights n) n
    left join lateral (
      select s.slot, s.account_id
        from hill.seats s
       where s.day in (n.day - 1, n.day)
       order by s.day = n.day
                or exists (select from hill.seats k
                            where k.day = n.day and k.slot = s.slot and k.account_id = s.account_id),
                (select h.house from hill.accounts h where h.id = s.account_id),
                s.slot, s.seat
       limit 1) p on true
    left join hill.accounts a on a.id = p.account_id
$$;

comment on function api_staff.example is
'Values that exist, to try questions with: the last night and, of it, an account with the place that it lost (or '
'holds, '
'if nobody lost one), your name, and the first word of that account''s name. For the console, not for its schema.';

grant execute on function
  api_staff.open_reports,
  api_staff.disputed_payments,
  api_staff.refused_payments,
  api_staff.example,
  api_staff.stopped_accounts,
  api_staff.search_audit,
  api_staff.enter_queue,
  api_staff.jobs,
  api_staff.webhooks,
  api_staff.webhook_deliveries,
  api_staff.most_credits,
  api_staff.expiring_lots,
  api_staff.tonight,
  api_staff.bell_checks
  to hill_staff;
