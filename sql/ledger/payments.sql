-- Each payment is credited once. Rules 5.2, 5.5.

-- Records which payment, by its reference, a transfer credited. Errors: PROOF_REFUSED for one that was credited before;
-- 23514 for a reference that is empty or longer than 200 characters.
create or replace function engine.record_payment(reference text, transfer_id bigint)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  -- of two at one instant the second waits here for the first; what it has credited is undone with it
  insert into hill.payments (reference, transfer_id, at)
  values (record_payment.reference, record_payment.transfer_id, engine.now())
  on conflict on constraint payments_pkey do nothing;
  if not found then
    perform engine.refuse('PROOF_REFUSED', 'This payment has already been credited.');
  end if;
end
$$;

alter table hill.payments enable row level security, force row level security;
create policy human_records on hill.payments for insert to hill_api_human
  with check (exists (select from hill.transfers t
                       where t.id = transfer_id and t.kind = 'topup' and t.credit_account_id = engine.actor_account()));
create policy human_finds on hill.payments for select to hill_api_human using (true);
create policy dba_read on hill.payments for select to hill_dba using (true);
grant insert, select (reference) on hill.payments to hill_api_human;
grant select on hill.payments to hill_dba;
create or replace trigger written_once before update or delete or truncate on hill.payments
  for each statement execute function trusted.guard_balances();

comment on table hill.payments is
'Payments that were credited, by the reference that the payment provider gave them: each once. Never changed.';
comment on column hill.payments.reference is
'Made by the sandbox for play money; payments at Stripe are in hill.top_ups.';
comment on column hill.payments.transfer_id is 'The transfer that credited it.';
comment on column hill.payments.at is 'When it was credited. Hill''s clock.';
