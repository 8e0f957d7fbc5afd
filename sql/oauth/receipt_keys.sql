-- The keys that have signed receipts: published for ever, and in the log. Rules 20.17, 20.18.

-- Keeps a public key that is going to sign receipts, and writes its name (RFC 7638) to the log; false if it is kept.
-- Rules 20.18.
create or replace function engine.keep_receipt_key(kid text, public_jwk jsonb)
returns boolean
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  insert into oauth.receipt_keys (kid, public_jwk, kept_at)
  values (keep_receipt_key.kid, keep_receipt_key.public_jwk, engine.now())
  on conflict do nothing;
  if not found then
    return false;
  end if;
  -- In the next batch, whatever that is: never in one after that of a receipt.
  insert into hill.log_waiting (at, entry)
  values ('-infinity', engine.receipt_key_entry(keep_receipt_key.kid));
  return true;
end
$$;

-- All public keys that have signed receipts, as a JSON Web Key Set (RFC 7517), the first one first. Rules 20.18.
create or replace function engine.receipt_keys()
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select jsonb_build_object('keys', coalesce(jsonb_agg(k.public_jwk order by k.kept_at, k.kid), '[]'))
    from oauth.receipt_keys k;
end;

create policy server_keeps on oauth.receipt_keys for insert to hill_api_oauth with check (true);
create policy owner_checks on oauth.receipt_keys for select to hill_owner using (true);
create policy server_reads on oauth.receipt_keys for select to hill_api_oauth using (true);
grant select, insert on oauth.receipt_keys to hill_api_oauth;
create policy receipt_keys_wait on hill.log_waiting for insert to hill_api_oauth
  with check (substr(entry, 1, 12) = 'receipt-key '::bytea and octet_length(entry) <= 255);
grant insert on hill.log_waiting to hill_api_oauth;

revoke update, delete, truncate on oauth.receipt_keys from hill_owner;
create or replace trigger written_once before update or delete or truncate on oauth.receipt_keys
  for each statement execute function engine.guard_log();

comment on table oauth.receipt_keys is
'The public keys that have signed receipts, by their name. Never changed. Rules 20.18.';
comment on column oauth.receipt_keys.kid is 'Its name: the thumbprint of RFC 7638.';
comment on column oauth.receipt_keys.public_jwk is 'The key, published at /log/receipt-keys.';
comment on column oauth.receipt_keys.kept_at is 'When it was kept, before it signed. Hill''s clock.';
