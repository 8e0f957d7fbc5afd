-- What the worker calls to do what staff ordered for humans who cannot sign in. Rules 18.8.

create or replace function api_worker.due_account_orders()
returns bigint[] language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select api_human.due_account_orders() $$;

create or replace function api_worker.carry_out_account_order(account_order_id bigint)
returns boolean language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select api_human.carry_out_account_order(account_order_id) $$;

comment on function api_worker.due_account_orders is 'See api_human.due_account_orders.';
comment on function api_worker.carry_out_account_order is 'See api_human.carry_out_account_order.';

grant execute on function api_worker.due_account_orders, api_worker.carry_out_account_order to hill_worker;
