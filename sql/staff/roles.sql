-- What each role of the staff may do. Rules 18.1, 18.4.

-- The roles of the staff, each of which may also do what those before it may.
create or replace function engine.staff_roles()
returns text[]
language sql immutable parallel safe
return array['viewer', 'support', 'manager', 'owner'];

-- The least role that may do something, by the name that the audit log has for it. null: there is no such action. Rules
-- 18.1.
create or replace function engine.least_role(action text)
returns text
language sql immutable parallel safe
return case
  when action in (
    'suspend_account', 'restore_account', 'cut_agent', 'uncut_agent', 'sign_out_human',
    'hide_icon', 'hide_profile', 'hide_message', 'hide_announcement',
    'answer_report', 'resend_delivery', 'grant_credits', 'revoke_grant', 'decline_credits',
    'move_sign_in', 'close_account_for', 'stop_account_order') then 'support'
  when action in (
    'lift_bar', 'mark_founder', 'open_place', 'let_bell_ring',
    'create_tournament', 'edit_tournament', 'cancel_tournament', 'create_tournament_code', 'revoke_tournament_code',
    'restore_tournament_code', 'create_tournament_codes', 'revoke_tournament_codes', 'approve_credits',
    'approve_account_order') then 'manager'
  when action in ('set_staff', 'remove_staff') then 'owner' end;
