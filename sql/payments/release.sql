-- Staff end the bar of an account. Rules 5.8.

-- Releases the claims that bar an account: they bar it no longer, whatever becomes of them. Rules 5.8.
create or replace function trusted.release_claims(account_id uuid, now timestamptz)
returns jsonb
language plpgsql volatile parallel unsafe security definer  -- hill_owner: staff change no claim themselves
set search_path to pg_catalog, pg_temp
as $$
declare
  v_claims jsonb;
begin
  with released as (
    update hill.payment_claims c
       set released_at = release_claims.now
      from hill.top_ups t
     where t.payment = c.payment and t.account_id = release_claims.account_id and c.live and c.released_at is null
    returning c.id
  )
  select coalesce(jsonb_agg(r.id order by r.id), '[]') into v_claims from released r;
  update hill.accounts a set barred_at = null where a.id = release_claims.account_id;
  return v_claims;
end
$$;

grant execute on function trusted.release_claims to hill_api_staff;
