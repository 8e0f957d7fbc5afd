--! Previous: sha1:e2b2be56a429f9f0fd4495f20e5d837efcb1144a
--! Hash: sha1:49d4489c29ea9ba9fb3af089b0a542b44c100a18
--! Message: closed in real time

-- How long a closed day has waited for a signature is asked in real time, which the clock of the hill need not be.

set local role hill_owner;

alter table hill.closed_days add column closed_real_at timestamptz not null default clock_timestamp();

reset role;
