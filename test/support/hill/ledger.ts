// What must hold of the money at every commit, asked in one query of one snapshot. Rules 5.5.
import type pg from 'pg';

export interface Books {
  /** Of all balances, the wallets' and the service's. */
  readonly sum: number;
  /** Wallets below 0, or below what tonight's live moves have reserved. */
  readonly overdrawn: number;
  /** Accounts whose lots do not hold what their wallet says is granted. */
  readonly lots: number;
  /** Accounts whose entries do not add up to their wallet. */
  readonly entries: number;
  /** Accounts whose reservation is not what their live moves of tonight cost. */
  readonly reservations: number;
  /** Balances of the service that are not the sum of what was transferred and charged. */
  readonly service: number;
}

export const balanced: Books = { sum: 0, overdrawn: 0, lots: 0, entries: 0, reservations: 0, service: 0 };

/**
 * `superuser` because no role of the hill sees all of it. Written from the tables alone: nothing here is asked of the
 * functions under test.
 */
export async function books(superuser: pg.Pool | pg.ClientBase): Promise<Books> {
  const { rows } = await superuser.query<Books>({
    name: 'books', // planned once a session: planning takes longer than running
    text: `
    with wallets as (
      select w.account_id, w.granted_cents - coalesce(p.granted_cents, 0) as granted_cents, w.paid_cents - coalesce(p.paid_cents, 0) as paid_cents
        from hill.wallets w left join engine.pending_settlements() p on p.account_id = w.account_id),
    tonight as (select coalesce(max(day), 0) + 1 as day from hill.nights),
    live as (
      select m.account_id, sum(m.cost_cents) as cents, count(*) filter (where m.move = 'PEACE') as peace, count(*) filter (where m.move = 'WAR') as war
        from hill.sealed_moves m where m.ended is null group by 1),
    moved as (
      select account_id, sum(granted) as granted, sum(paid) as paid
        from (select coalesce(credit_account_id, debit_account_id) as account_id,
                     case when kind = 'grant' then cents when kind in ('expiry', 'revocation') then -cents else 0 end as granted,
                     case when kind in ('topup', 'restored') then cents when kind in ('reversal', 'lapse') then -cents else 0 end as paid
                from hill.transfers where kind not in ('writeoff', 'recovery')
              union all
              select account_id, -granted_cents, -paid_cents from hill.settlements) e
       group by 1),
    charged as (
      select sum(m.cost_cents) filter (where m.move = 'PEACE') as rent,
             sum(m.cost_cents) filter (where m.move = 'WAR' and p.outcome = 'WAR') as stakes,
             sum(m.cost_cents) filter (where m.move = 'WAR' and p.outcome = 'BURN') as burned
        from hill.moves m join hill.place_results p on p.day = m.day and p.slot = m.slot where m.ended is null),
    transferred as (
      select code, sum(cents) as cents
        from (select debit_code as code, -cents as cents from hill.transfers union all select credit_code, cents from hill.transfers) t
       where code is not null group by 1)
    select ((select coalesce(sum(paid_cents + granted_cents), 0) from wallets) + (select sum(balance_cents) from hill.ledger_accounts))::int as sum,
           (select count(*) from wallets w left join live l using (account_id)
             where w.paid_cents < 0 or w.granted_cents < 0 or w.paid_cents + w.granted_cents < coalesce(l.cents, 0))::int as overdrawn,
           -- what was granted, less what the line has lost from its front, whole lots and parts
           (select count(*) from wallets w
             left join (select account_id, max(from_cents + cents) as cents, sum(cents) as sum, count(*) as lots from hill.lots group by 1) l using (account_id)
             where w.granted_cents > coalesce(l.cents, 0) or l.cents <> l.sum
                or w.granted_cents <> coalesce(l.cents, 0) - coalesce((select sum(s.granted_cents) from hill.settlements s where s.account_id = w.account_id), 0)
                     - coalesce((select sum(t.cents) from hill.transfers t where t.debit_account_id = w.account_id and t.kind in ('expiry', 'revocation')), 0))::int as lots,
           (select count(*) from wallets w left join moved m using (account_id)
             where w.granted_cents <> coalesce(m.granted, 0) or w.paid_cents <> coalesce(m.paid, 0))::int as entries,
           (select count(*) from hill.reservations r cross join tonight t left join live l using (account_id)
             where (case r.day when t.day then r.cents else 0 end) <> coalesce(l.cents, 0)
                or (case r.day when t.day then r.peace else 0 end) <> coalesce(l.peace, 0)
                or (case r.day when t.day then r.war else 0 end) <> coalesce(l.war, 0))::int as reservations,
           (select count(*) from hill.ledger_accounts a cross join charged c left join transferred t using (code)
             where a.balance_cents <> coalesce(case a.code when 'rent' then c.rent when 'stakes' then c.stakes when 'burned' then c.burned else t.cents end, 0)
           )::int as service`,
  });
  return rows[0] as Books;
}
