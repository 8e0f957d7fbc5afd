-- Top-ups that are paid for at Stripe: begun on the account page, credited by a signed event. Rules 5.7; protocol 5.4.

create or replace function api_human.begin_top_up(session text, cents bigint)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human(session);
  v_now        timestamptz;
  v_wait       integer;
  v_id         uuid := gen_random_uuid();
begin
  perform engine.check_topup(begin_top_up.cents);
  perform engine.require_terms(v_account_id);
  v_wait := engine.admit('top-up', v_account_id::text, engine.topups_per_hour(), 3600);
  if v_wait > 0 then
    perform engine.refuse('rate_limited', 'Too many top-ups were begun.',
      jsonb_build_object('retry_after_seconds', v_wait));
  end if;
  v_now := trusted.take_instant(v_account_id);
  perform engine.enter_human(session);   -- it may have been ended while this waited
  if (select a.barred_at from hill.accounts a where a.id = v_account_id) is not null then
    perform engine.unless_refused(engine.payment_disputed());
  end if;
  insert into hill.top_ups (id, account_id, cents, created_at, started_at, look_at)
  select v_id, v_account_id, begin_top_up.cents, v_now, c.now, c.now + interval '300 seconds'
    from (select clock_timestamp() as now) c;
  return engine.show_checkout(v_account_id, v_id);
end
$$;

create or replace function api_human.pending_top_up(session text, top_up_id uuid)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human(session);
  v_shown      jsonb := engine.show_checkout(v_account_id, top_up_id);
begin
  if v_shown is not null then
    perform engine.require_terms(v_account_id);
  end if;
  return v_shown;
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
as $$ select trusted.take_signed_event(body, signature) $$;

create or replace function api_human.stripe_key_set()
returns boolean
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$ select trusted.stripe_key_set() $$;

comment on function api_human.begin_top_up is
'Begins a top-up of an account (cents): nothing is credited before Stripe says that it was paid. Returns '
'engine.show_checkout. Errors: INVALID_TOKEN, INVALID_AMOUNT, TERMS_CHANGED, TERMS_MISSING, rate_limited, '
'ACCOUNT_CLOSED, PAYMENT_DISPUTED. Rules 5.2, 5.7, 5.10.';
comment on function api_human.pending_top_up is
'A pending top-up of the human''s account, to be paid for: see engine.show_checkout. null for any other. Errors: '
'INVALID_TOKEN, TERMS_CHANGED, TERMS_MISSING. Rules 5.10.';
comment on function api_human.note_checkout is
'Notes the session that Stripe has made for a top-up of the human''s account; the first one stays. Errors: '
'INVALID_TOKEN.';
comment on function api_human.take_stripe_event is
'Takes an event that Stripe has signed, and needs no session: see trusted.take_signed_event. Code: SIGNATURE_REFUSED '
'(returned).';
comment on function api_human.stripe_key_set is 'Whether events of Stripe can be taken: see trusted.stripe_key_set.';

grant execute on function
  api_human.begin_top_up,
  api_human.pending_top_up,
  api_human.note_checkout,
  api_human.take_stripe_event,
  api_human.stripe_key_set
  to hill_human;
