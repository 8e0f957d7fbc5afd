-- Deletes rows that can no longer matter, in batches, so that the tables do not grow for ever. Protocol 6.3.

-- Deletes what ended more than a day ago and can no longer matter. Security events, agents, and what a human
-- approved are never deleted.
create or replace function trusted.forget_ended(at_most integer)
returns jsonb
language plpgsql volatile parallel unsafe security definer  -- hill_owner: nobody else may delete anything
set search_path to pg_catalog, pg_temp
as $$
declare
  -- A day after its end, nobody is still being answered about it.
  v_ended   timestamptz := engine.door_now() - interval '24 hours';
  -- sessions run in real time, whatever the hill's clock shows
  v_offline timestamptz := clock_timestamp() - interval '24 hours';
  v_tried   timestamptz := engine.now() - make_interval(hours => 24 * engine.attempt_days());
  v_lapsed  timestamptz := v_ended - make_interval(hours => 24 * engine.grant_lapse_days());
  v_counts  jsonb;
begin
  perform trusted.lock_one('forgetting');   -- two workers take turns
  -- All in one snapshot: a row goes in a later batch than the rows that point to it.
  with rates as (
    delete from oauth.rates d
     where (d.what, d.who) in (
             select r.what, r.who from oauth.rates r where r.ends_at <= engine.door_now() limit at_most)
    returning 1
  ), access_tokens as (
    delete from oauth.access_tokens d
     where d.token_hash = any (array(
             select t.token_hash from oauth.access_tokens t where t.expires_at <= v_ended limit at_most)) returning 1
  ), authorization_codes as (
    -- A used code stays as long as its chain may live: a second use has to end that chain.
    delete from oauth.authorization_codes d
     where d.code_hash = any (array(
             select c.code_hash from oauth.authorization_codes c
              where c.expires_at <= v_ended
                and not exists (select from oauth.refresh_tokens t join oauth.refresh_chains h on h.id = t.chain_id
                                 where t.chain_id = c.chain_id and h.revoked_at is null and t.expires_at > v_ended)
              limit at_most)) returning 1
  ), device_codes as (
    delete from oauth.device_codes d
     where d.device_hash = any (array(
             select c.device_hash from oauth.device_codes c where c.expires_at <= v_ended limit at_most)) returning 1
  ), refresh_tokens as (
    -- Used tokens stay until they would have expired: a second use before that has to end their chain.
    delete from oauth.refresh_tokens d
     where d.token_hash = any (array(
             select t.token_hash from oauth.refresh_tokens t where t.expires_at <= v_ended limit at_most)) returning 1
  ), refresh_chains as (
    delete from oauth.refresh_chains d
     where d.id = any (array(
             select h.id from oauth.refresh_chains h
              where h.created_at <= v_ended
                and not exists (select from oauth.refresh_tokens t where t.chain_id = h.id)
                and not exists (select from oauth.access_tokens t where t.chain_id = h.id)
                and not exists (select from oauth.authorization_codes c where c.chain_id = h.id)
              limit at_most)) returning 1
  ), assertions as (
    -- A superseded one is refused because it is revoked, and after its 24 hours because of its own signed date.
    delete from oauth.assertions d
     where d.token_hash = any (array(
             select a.token_hash from oauth.assertions a where a.expires_at <= v_ended limit at_most)) returning 1
  ), claim_attempts as (
    -- By then the registration's 24 hours are over too, so no poll asks what the human decided.
    delete from oauth.claim_attempts d
     where d.id = any (array(
             select c.id from oauth.claim_attempts c where c.expires_at <= v_ended limit at_most)) returning 1
  ), registrations as (
    -- After its 24 hours a registration answers claim_expired until its grant lapses, and then is unknown. Either way
    -- its agent registers again.
    delete from oauth.registrations d
     where d.id = any (array(
             select r.id from oauth.registrations r join oauth.grants g on g.id = r.grant_id
              where (g.revoked_at <= v_ended or g.last_used_at <= v_lapsed)
                and not exists (select from oauth.assertions a where a.registration_id = r.id)
                and not exists (select from oauth.claim_attempts c where c.registration_id = r.id)
              limit at_most)) returning 1
  ), grants as (
    -- Grants of an account stay, ended or not, like their agents: the human sees them on the account page, and the
    -- audit log names them.
    delete from oauth.grants d
     where d.id = any (array(
             select g.id from oauth.grants g
              where g.account_id is null and (g.revoked_at <= v_ended or g.last_used_at <= v_lapsed)
                and not exists (select from oauth.registrations r where r.grant_id = g.id)
                and not exists (select from oauth.access_tokens t where t.grant_id = g.id)
              limit at_most)) returning 1
  ), clients as (
    -- Anonymous clients go with their grant; registered ones when no human has approved them for as long.
    delete from oauth.clients d
     where d.id = any (array(
             select c.id from oauth.clients c
              where c.created_at <= v_lapsed
                and not exists (select from oauth.grants g where g.client_id = c.id)
                and not exists (select from oauth.device_codes e where e.client_id = c.id)
              limit at_most)) returning 1
  ), human_sessions as (
    delete from oauth.human_sessions d
     where d.token_hash = any (array(
             select s.token_hash from oauth.human_sessions s where s.expires_at <= v_offline limit at_most)) returning 1
  ), staff_sessions as (
    -- what was done in them is in the audit log, with the name of who did it
    delete from oauth.staff_sessions d
     where d.token_hash = any (array(
             select s.token_hash from oauth.staff_sessions s where s.expires_at <= v_offline limit at_most)) returning 1
  ), console_codes as (
    delete from oauth.console_codes d
     where d.code_hash = any (array(
             select c.code_hash from oauth.console_codes c where c.expires_at <= v_offline limit at_most)) returning 1
  ), signing_keys as (
    -- retired: everything they signed has expired
    delete from oauth.signing_keys d
     where d.kid = any (array(
             select k.kid from oauth.signing_keys k where k.retires_at <= v_ended limit at_most)) returning 1
  ), code_attempts as (
    delete from hill.code_attempts d
     where d.id = any (array(select t.id from hill.code_attempts t where t.at <= v_tried limit at_most)) returning 1
  )
  select jsonb_build_object(
      'rates', (select count(*) from rates),
      'access_tokens', (select count(*) from access_tokens),
      'authorization_codes', (select count(*) from authorization_codes),
      'device_codes', (select count(*) from device_codes),
      'refresh_tokens', (select count(*) from refresh_tokens),
      'refresh_chains', (select count(*) from refresh_chains),
      'assertions', (select count(*) from assertions),
      'claim_attempts', (select count(*) from claim_attempts),
      'registrations', (select count(*) from registrations),
      'grants', (select count(*) from grants),
      'clients', (select count(*) from clients),
      'human_sessions', (select count(*) from human_sessions),
      'staff_sessions', (select count(*) from staff_sessions),
      'console_codes', (select count(*) from console_codes),
      'signing_keys', (select count(*) from signing_keys),
      'code_attempts', (select count(*) from code_attempts)) into v_counts;
  return v_counts;
end
$$;

grant execute on function trusted.forget_ended to hill_api_worker;

create policy owner_looks on oauth.rates for select to hill_owner using (true);
create policy owner_forgets on oauth.rates for delete to hill_owner using (true);
create policy owner_looks on oauth.access_tokens for select to hill_owner using (true);
create policy owner_forgets on oauth.access_tokens for delete to hill_owner using (true);
create policy owner_looks on oauth.authorization_codes for select to hill_owner using (true);
create policy owner_forgets on oauth.authorization_codes for delete to hill_owner using (true);
create policy owner_looks on oauth.device_codes for select to hill_owner using (true);
create policy owner_forgets on oauth.device_codes for delete to hill_owner using (true);
create policy owner_looks on oauth.refresh_tokens for select to hill_owner using (true);
create policy owner_forgets on oauth.refresh_tokens for delete to hill_owner using (true);
create policy owner_looks on oauth.refresh_chains for select to hill_owner using (true);
create policy owner_forgets on oauth.refresh_chains for delete to hill_owner using (true);
create policy owner_looks on oauth.assertions for select to hill_owner using (true);
create policy owner_forgets on oauth.assertions for delete to hill_owner using (true);
create policy owner_looks on oauth.claim_attempts for select to hill_owner using (true);
create policy owner_forgets on oauth.claim_attempts for delete to hill_owner using (true);
create policy owner_looks on oauth.registrations for select to hill_owner using (true);
create policy owner_forgets on oauth.registrations for delete to hill_owner using (true);
create policy owner_looks on oauth.grants for select to hill_owner using (true);
create policy owner_forgets on oauth.grants for delete to hill_owner using (true);
create policy owner_looks on oauth.clients for select to hill_owner using (true);
create policy owner_forgets on oauth.clients for delete to hill_owner using (true);
create policy owner_looks on oauth.human_sessions for select to hill_owner using (true);
create policy owner_forgets on oauth.human_sessions for delete to hill_owner using (true);
create policy owner_looks on oauth.staff_sessions for select to hill_owner using (true);
create policy owner_forgets on oauth.staff_sessions for delete to hill_owner using (true);
create policy owner_looks on oauth.signing_keys for select to hill_owner using (true);
create policy owner_forgets on oauth.signing_keys for delete to hill_owner using (true);
