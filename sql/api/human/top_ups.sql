-- api/human/top_ups.sql · Top-ups that are paid for at Stripe: begun on the account page, credited by a signed event.
-- Rules 5.7; protocol 5.4.

create or replace function api_human.begin_top_up(session text, cents bigint)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.begin_top_up(engine.enter_human(session), cents);
end
$$;

create or replace function api_human.pending_top_up(session text, top_up_id uuid)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.show_checkout(engine.enter_human(session), top_up_id);
end
$$;

create or replace function api_human.note_checkout(session text, top_up_id uuid, checkout text)
returns void
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.enter_human(session);
  update hill.top_ups t
     set checkout = note_checkout.checkout
   where t.id = note_checkout.top_up_id and t.checkout is null;
end
$$;

create or replace function api_human.take_stripe_event(body bytea, signature text)
returns jsonb
language sql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$ select engine.take_signed_event(body, signature) $$;

create or replace function api_human.stripe_key_set()
returns boolean
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$ select engine.stripe_key_set() $$;

comment on function api_human.begin_top_up is
'Begins a top-up of the human''s account (cents): see engine.begin_top_up. Errors: INVALID_TOKEN, and those of '
'engine.begin_top_up.';
comment on function api_human.pending_top_up is
'A pending top-up of the human''s account, to be paid for: see engine.show_checkout. null for any other. Errors: '
'INVALID_TOKEN.';
comment on function api_human.note_checkout is
'Notes the session that Stripe has made for a top-up of the human''s account; the first one stays. Errors: '
'INVALID_TOKEN.';
comment on function api_human.take_stripe_event is
'Takes an event that Stripe has signed, and needs no session: see engine.take_signed_event. Code: SIGNATURE_REFUSED '
'(returned).';
comment on function api_human.stripe_key_set is 'Whether events of Stripe can be taken: see engine.stripe_key_set.';

grant execute on function
  api_human.begin_top_up,
  api_human.pending_top_up,
  api_human.note_checkout,
  api_human.take_stripe_event,
  api_human.stripe_key_set
  to hill_human;
