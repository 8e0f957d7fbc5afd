-- api/staff/resend_delivery.sql · An event is posted once more. Rules 15.3, 18.1.

create type api_staff.resent_delivery as (webhook_id uuid, account_id uuid, attempts integer, due_at timestamptz);

comment on type api_staff.resent_delivery is
'A delivery that is tried again: the webhook-id that its receiver sees, how often it was tried since it last began, '
'and from when on it is due (real time).';

create or replace function api_staff.resend_delivery(webhook_id uuid, reason text)
returns api_staff.resent_delivery
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_delivery hill.deliveries := engine.resend_delivery(webhook_id, reason);
begin
  return row(v_delivery.id, v_delivery.account_id, v_delivery.attempts, v_delivery.due_at)::api_staff.resent_delivery;
end
$$;

comment on function api_staff.resend_delivery is
'Posts an event to its subscription once more, whether it arrived, was given up or waits. webhook_id is what its '
'receiver was sent, or would have been. Errors: INVALID_TOKEN, REASON_REQUIRED, NOT_FOUND, NOT_ALLOWED. '
'Rules 15.3, 18.1.';

grant execute on function api_staff.resend_delivery to hill_staff;
