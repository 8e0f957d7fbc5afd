-- staff/resend_delivery.sql · Staff have an event posted to its subscription once more. Rules 15.3, 18.1.

create or replace function engine.resend_delivery(delivery_id uuid, reason text)
returns hill.deliveries
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff    text := engine.enter_staff(reason);
  v_before   record;
  v_delivery hill.deliveries;
begin
  select d.account_id, d.subscription_id, d.ended_as into v_before
    from hill.deliveries d where d.id = resend_delivery.delivery_id for no key update;
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
   where d.id = resend_delivery.delivery_id
  returning d.id, d.account_id, d.attempts, d.due_at
       into v_delivery.id, v_delivery.account_id, v_delivery.attempts, v_delivery.due_at;
  perform engine.write_audit(v_staff, 'resend_delivery', v_before.account_id, null,
    jsonb_build_object('webhook_id', delivery_id, 'had_ended_as', v_before.ended_as), reason);
  perform engine.note_change('work:deliver');
  return v_delivery;
end
$$;

comment on function engine.resend_delivery is
'Has an event posted once more, at once, for the member of staff who calls, and writes that to the audit log with its '
'reason. It has the same webhook-id, by which a receiver knows it again. Returns id, account_id, attempts and due_at '
'of the delivery. Errors: INVALID_TOKEN, REASON_REQUIRED, NOT_FOUND, NOT_ALLOWED. Rules 15.3, 18.1.';

grant execute on function engine.resend_delivery to hill_api_staff;
grant execute on function engine.delivery_days to hill_api_staff;

create policy staff_resends on hill.deliveries for select to hill_api_staff
  using ((select api_staff.staff_name()) is not null);
create policy staff_resends_now on hill.deliveries for update to hill_api_staff
  using ((select api_staff.staff_name()) is not null) with check (ended_at is null);
grant select (id, account_id, subscription_id, attempts, due_at, ended_at, ended_as),
      update (due_at, attempts, ended_at, ended_as) on hill.deliveries to hill_api_staff;
