-- An event is posted once more. Rules 15.3, 18.1.

create type api_staff.resent_delivery as (webhook_id uuid, account_id uuid, attempts integer, due_at timestamptz);

comment on type api_staff.resent_delivery is
'A delivery that is tried again: the webhook-id that its receiver sees, how often it was tried since it last began, '
'and from when on it is due (real time).';
comment on column api_staff.resent_delivery.webhook_id is 'The webhook-id that its receiver sees.';
comment on column api_staff.resent_delivery.account_id is 'Whose subscription.';
comment on column api_staff.resent_delivery.attempts is 'How often it was tried since it last began.';
comment on column api_staff.resent_delivery.due_at is 'From when on it is due. Real time.';

create or replace function api_staff.resend_delivery(webhook_id uuid, reason text)
returns api_staff.resent_delivery
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff    text := engine.enter_staff('resend_delivery', reason);
  v_before   record;
  v_delivery api_staff.resent_delivery;
begin
  select d.account_id, d.subscription_id, d.ended_as into v_before
    from hill.deliveries d where d.id = resend_delivery.webhook_id for no key update;
  if not found then
    perform engine.refuse('NOT_FOUND', format('There is no such delivery; one is kept for %s days after its end.',
                                              engine.delivery_days()), '{"argument": "delivery_id"}');
  end if;
  if not exists (select from hill.subscriptions s join hill.agents g on g.id = s.agent_id
                  where s.id = v_before.subscription_id and s.ended_at is null and g.cut_at is null) then
    perform engine.refuse('NOT_ALLOWED', 'Its subscription has ended: nothing is posted there any more.',
      '{"argument": "delivery_id"}');
  end if;
  -- one that waits is tried now; one that has ended begins anew
  update hill.deliveries d
     set due_at = clock_timestamp(),
         attempts = case when d.ended_at is null then d.attempts else 0 end,
         ended_at = null,
         ended_as = null
   where d.id = resend_delivery.webhook_id
  returning d.id, d.account_id, d.attempts, d.due_at
       into v_delivery.webhook_id, v_delivery.account_id, v_delivery.attempts, v_delivery.due_at;
  perform engine.write_audit(v_staff, 'resend_delivery', v_before.account_id, null,
    jsonb_build_object('webhook_id', webhook_id, 'had_ended_as', v_before.ended_as), reason);
  perform trusted.note_change('work:deliver');
  return v_delivery;
end
$$;

comment on function api_staff.resend_delivery is
'Posts an event to its subscription once more, whether it arrived, was given up or waits. webhook_id is what its '
'receiver was sent, or would have been. Errors: INVALID_TOKEN, ROLE_TOO_LOW, REASON_REQUIRED, NOT_FOUND, NOT_ALLOWED. '
'Rules 15.3, 18.1.
- webhook_id: what the receiver was sent as webhook-id.';

grant execute on function api_staff.resend_delivery to hill_staff;
