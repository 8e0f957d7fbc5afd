-- What each kind of transfer does to a wallet. Rules 5.5.

-- By how much (cents) a transfer of this kind changes the granted and the paid credits of the wallet that it names.
-- Rules 5.5.
create or replace function engine.wallet_effect(kind text, cents bigint)
returns table (granted_cents bigint, paid_cents bigint)
language sql immutable parallel safe
begin atomic
  select case when wallet_effect.kind = 'grant' then wallet_effect.cents
              when wallet_effect.kind in ('expiry', 'revocation') then -wallet_effect.cents
              else 0 end,
         case when wallet_effect.kind in ('topup', 'restored') then wallet_effect.cents
              when wallet_effect.kind in ('reversal', 'lapse') then -wallet_effect.cents
              else 0 end;
end;
