-- Whether an event comes from Stripe: its own signature, verified here. Decisions 99.
--
-- The secret of the webhook is kept by the owner when the hill starts, as the key of proofs is. No serving role reads
-- it, and no serving process needs it: whoever runs SQL as the web's login cannot make an event.

-- How many seconds of real time a signature of Stripe is valid, before its instant and after it. Rules 5.7.
create or replace function engine.stripe_tolerance_seconds()
returns integer language sql immutable parallel safe return 300;

-- Called by the owner at each start that has STRIPE_WEBHOOK_SECRET, with the two blocks of that key (engine.hmac).
create or replace function trusted.set_stripe_key(inner_block bytea, outer_block bytea)
returns void
language sql volatile parallel unsafe security definer  -- hill_owner: nobody else may change the key
set search_path to pg_catalog, pg_temp
as $$
  insert into oauth.stripe_keys as k (inner_block, outer_block, set_at)
  values (set_stripe_key.inner_block, set_stripe_key.outer_block, clock_timestamp())
  on conflict (singleton) do update
     set inner_block = excluded.inner_block, outer_block = excluded.outer_block, set_at = excluded.set_at
   where k.inner_block <> excluded.inner_block
$$;

-- Called by the owner at each start: whether this hill takes real money (live), as one in production does, or test
-- cards alone.
create or replace function trusted.set_stripe_mode(live boolean)
returns void
language sql volatile parallel unsafe security definer  -- hill_owner: nobody else may change it
set search_path to pg_catalog, pg_temp
as $$
  insert into oauth.stripe_modes as m (live, set_at) values (set_stripe_mode.live, clock_timestamp())
  on conflict (singleton) do update set live = excluded.live, set_at = excluded.set_at where m.live <> excluded.live
$$;

-- Whether this hill takes real money; null while the owner has not said so.
create or replace function engine.stripe_live()
returns boolean
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$ select m.live from oauth.stripe_modes m $$;

-- Whether the owner has left the secret of Stripe's webhook.
create or replace function trusted.stripe_key_set()
returns boolean
language sql stable parallel safe security definer  -- hill_owner: nobody else may read the key
set search_path to pg_catalog, pg_temp
as $$ select exists (select from oauth.stripe_keys) $$;

-- Whether the header Stripe-Signature holds for the bytes of a body.
create or replace function engine.stripe_signed(body bytea, signature text)
returns boolean
language sql volatile parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  with part as (
    select split_part(p, '=', 1) as name, split_part(p, '=', 2) as value
      from string_to_table(stripe_signed.signature, ',') p
  ), signed_at as (
    -- one instant, which the message that is signed begins with
    select min(p.value) as text from part p where p.name = 't' having count(*) = 1 and min(p.value) ~ '^\d{1,12}$'
  )
  select exists (
    select from signed_at t
     cross join oauth.stripe_keys k
     cross join lateral (
       select encode(engine.hmac(k.inner_block, k.outer_block, convert_to(t.text || '.', 'UTF8') || stripe_signed.body),
                     'hex') as hmac) h
      -- one for each secret while the secret is being exchanged
      join part p on p.name = 'v1'
     where abs(extract(epoch from clock_timestamp()) - t.text::bigint) <= engine.stripe_tolerance_seconds()
       -- hashed under the key once more, so that the time this takes says nothing about the right one
       and engine.hmac(k.inner_block, k.outer_block, convert_to(h.hmac, 'UTF8'))
         = engine.hmac(k.inner_block, k.outer_block, convert_to(p.value, 'UTF8')))
$$;

grant execute on function trusted.stripe_key_set to hill_api_human;
