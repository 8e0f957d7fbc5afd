-- Where events are posted, and whether they arrive. Rules 15.3.

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
comment on column api_staff.webhook.id is 'The subscription.';
comment on column api_staff.webhook.account_id is 'Whose.';
comment on column api_staff.webhook.host is 'The host to which is posted; never the path.';
comment on column api_staff.webhook.events is 'Which events it gets; null for all.';
comment on column api_staff.webhook.state is 'ok, failing or ended.';
comment on column api_staff.webhook.waiting is 'How many deliveries have not arrived.';
comment on column api_staff.webhook.failing_since is 'Since when none arrives; null if they do. Real time.';
comment on column api_staff.webhook.delivered_at is 'When one last arrived. Real time.';
comment on column api_staff.webhook.ended_at is 'When it ended; null if it has not. Real time.';
comment on column api_staff.webhook.ended_because is 'Why it ended.';
comment on column api_staff.webhook.last_event is 'The event that was tried last.';
comment on column api_staff.webhook.last_outcome is 'What became of that attempt.';
comment on column api_staff.webhook.last_status is 'The HTTP status of that attempt.';
comment on column api_staff.webhook.last_tried_at is 'When that was. Real time.';
comment on column api_staff.webhook.next_try_at is 'When the next attempt is due. Real time.';

create or replace function api_staff.webhooks(account text default null, failing boolean default null)
returns setof api_staff.webhook
language plpgsql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff   text := engine.enter_looking();
  v_account uuid := engine.account_meant(account);
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
'Where the events of accounts are posted, and whether they arrive; what has been failing longest first, at most 500. '
'Of one account (its id or slug; null: of all), or with failing only those at which nothing arrives. Errors: '
'INVALID_TOKEN, NOT_FOUND. Rules 15.3.
- account: its id or slug; null for all.
- failing: true for those only at which nothing arrives.';

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
comment on column api_staff.webhook_delivery.id is 'The subscription to which it goes.';
comment on column api_staff.webhook_delivery.webhook_id is 'The webhook-id that its receiver sees.';
comment on column api_staff.webhook_delivery.account_id is 'Whose subscription.';
comment on column api_staff.webhook_delivery.event is 'The type of the event.';
comment on column api_staff.webhook_delivery.state is 'waiting, delivered, given_up or dropped.';
comment on column api_staff.webhook_delivery.attempts is 'How often it was tried.';
comment on column api_staff.webhook_delivery.due_at is 'When the next attempt is due, or was. Real time.';
comment on column api_staff.webhook_delivery.tried_at is 'When it was tried last. Real time.';
comment on column api_staff.webhook_delivery.outcome is 'What became of the last attempt.';
comment on column api_staff.webhook_delivery.status is 'The HTTP status of the last attempt.';
comment on column api_staff.webhook_delivery.ended_at is 'When it ended; null if it has not. Real time.';

create or replace function api_staff.webhook_deliveries(account text default null)
returns setof api_staff.webhook_delivery
language plpgsql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff   text := engine.enter_looking();
  v_account uuid := engine.account_meant(account);
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
'The latest 1000 events that were to be posted, to one account''s webhooks (its id or slug) or to all (null): what '
'kind of event, whether it arrived, and the last attempt. Errors: INVALID_TOKEN, NOT_FOUND. Rules 15.3.
- account: its id or slug; null for all.';

grant execute on function api_staff.webhooks, api_staff.webhook_deliveries to hill_staff;
