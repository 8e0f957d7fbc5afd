-- All that an account deposited on a day, with what opens each in the log. Rules 20.15, 20.21.

-- What shows that the log has an entry of a deposit (trusted.show_proof). In a body of its own: a plan that is made for
-- any argument asks for the right to call, also where no proof is wanted.
create or replace function engine.deposit_proof(day integer, commitment bytea, at timestamptz)
returns text
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  return trusted.show_proof(engine.deposit_entry(day, commitment), at);
end
$$;

-- Deposits in order, also what was replaced, withdrawn or a PASS, and withdrawals by the human of the account
-- (by_human). With proofs also what shows that the log has each.
create or replace function engine.tell_deposits(moves hill.moves[], proofs boolean)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select coalesce(
           jsonb_agg(jsonb_build_object(
               'slot', d.slot,
               'move', d.move,
               'stake_cents', nullif(d.stake_cents, 0),
               'message', d.message,
               'deposited_at', engine.iso(d.at),
               'ended', d.ended,
               'by_human', d.seq is null,
               'salt', encode(d.salt, 'hex'),
               'ends', encode(d.ends, 'hex'),
               'message_salt', encode(d.message_salt, 'hex'),
               'message_hash', encode(d.message_hash, 'hex'),
               'commitment', encode(d.commitment, 'hex'))
             || case when tell_deposits.proofs then jsonb_build_object(
                  'proof', engine.deposit_proof(d.day, d.commitment, d.at)) else '{}' end
             order by d.at, d.slot),
           '[]')
    from (select m.day, m.seq, m.slot, m.move, m.stake_cents, m.message, m.at, m.ended,
                 m.salt, m.ends, m.message_salt, m.message_hash, m.commitment
            from unnest(moves) m
           where m.commitment is not null
          union all
          select m.day, null, m.slot, 'PASS', 0, null, m.ended_at, 'pass',
                 m.end_salt, engine.ending(m.salt, m.commitment), null, null, m.end_commitment
            from unnest(moves) m
           where m.end_commitment is not null) d;
end;

-- Those of a night that is over. Rules 20.21.
create or replace function engine.own_deposits(account_id uuid, day integer, slot integer, proofs boolean)
returns jsonb
language sql stable parallel safe security invoker
return engine.tell_deposits(array(
  select m from hill.moves m
   where m.day = own_deposits.day
     and m.account_id = own_deposits.account_id
     and m.slot = coalesce(own_deposits.slot, m.slot)), own_deposits.proofs);
