-- Ends sessions: one, or all of an account.

-- Revokes every session of an account's human and returns how many there were. One that has expired is over already.
create or replace function engine.sign_out_everywhere(account_id uuid)
returns integer
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_sessions integer;
begin
  perform engine.hold_sign_ins();   -- or a session that takes the place of another at this moment would stay
  update oauth.human_sessions s set revoked_at = clock_timestamp()
   where s.account_id = sign_out_everywhere.account_id and s.revoked_at is null and s.expires_at > clock_timestamp();
  get diagnostics v_sessions = row_count;
  perform trusted.end_console(account_id);
  perform engine.note_event('signed_out_everywhere', account_id, null, jsonb_build_object('sessions', v_sessions));
  return v_sessions;
end
$$;
