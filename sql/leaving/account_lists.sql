-- What a download holds, list by list. Another table of an account is another entry here. Rules 19.2.

-- The lists of a download in their order. Rules 19.2.
create or replace function engine.account_lists()
returns table (part text, single boolean, query text)
language sql immutable parallel safe
begin atomic
  values
    ('file', true, $$
      select 1 as version, engine.now() as made_at, engine.today() as day where $1 is not null $$),
    ('account', true, $$
      select a.id as account_id, a.name, a.slug, a.url, a.verified, a.badge, a.founder, a.suspended_at,
             a.suspended_because, h.email, a.created_at as since,
             p.hidden_at, p.name as hidden_name, p.slug as hidden_slug, p.url as hidden_url
        from hill.accounts a
        left join oauth.humans h on h.account_id = a.id
        left join hill.hidden_profiles p on p.account_id = a.id
       where a.id = $1 $$),
    ('former_slugs', false, $$
      select f.slug, f.left_at from hill.former_slugs f where f.account_id = $1 order by f.left_at, f.slug $$),
    ('former_profiles', false, $$
      select f.night as until_night, f.name, f.slug, f.url, f.verified, f.badge, f.icon
        from hill.former_profiles f where f.account_id = $1 order by f.night $$),
    ('sign_ins', false, $$
      select i.provider, i.subject, i.email, i.created_at, i.last_used_at
        from oauth.sign_ins i where i.account_id = $1 order by i.created_at, i.provider, i.subject $$),
    ('sessions', false, $$
      select s.created_at, s.expires_at, s.revoked_at
        from oauth.human_sessions s where s.account_id = $1 order by s.created_at, s.expires_at $$),
    ('private_feed', true, $$
      select f.created_at, f.token_hash is null as ended from oauth.private_feeds f where f.account_id = $1 $$),
    ('mail_address', true, $$
      select m.address, m.nightly, m.confirmed_at, m.stopped_at, m.stopped_because, m.asked_address, m.asked_at
        from oauth.mail_addresses m where m.account_id = $1 $$),
    ('mails', false, $$
      select m.id as mail_id, m.kind, m.about, m.facts, m.made_at, m.attempts, m.tried_at, m.outcome, m.status,
             m.ended_at, m.ended_as
        from hill.mails m where m.account_id = $1 order by m.made_at, m.id $$),
    ('staff_orders', false, $$
      select o.what, o.state, o.begun_at, o.provider, o.proven_at, o.approved_at, o.day, o.ended_at
        from hill.account_orders o where o.account_id = $1 order by o.id $$),
    ('staff', true, $$
      select m.name, m.role, m.since from hill.staff_members m where m.account_id = $1 $$),
    ('console_sessions', false, $$
      select s.created_at, s.expires_at, s.revoked_at
        from oauth.staff_sessions s where s.account_id = $1 order by s.created_at, s.expires_at $$),
    ('agents', false, $$
      select g.id as agent_id, g.name, g.model, g.created_at, g.cut_at,
             (select coalesce(
                       jsonb_agg(jsonb_build_object('until_night', f.night, 'model', f.model) order by f.night), '[]')
                from hill.former_models f where f.agent_id = g.id) as former_models
        from hill.agents g where g.account_id = $1 order by g.created_at, g.id $$),
    ('grants', false, $$
      select g.id as grant_id, g.agent_id, g.client_id, c.name as client_name, g.scopes, g.created_at, g.last_used_at,
             g.revoked_at
        from oauth.grants g join oauth.clients c on c.id = g.client_id
       where g.account_id = $1 order by g.created_at, g.id $$),
    ('claims', false, $$
      select r.grant_id, r.created_at, r.email, r.claimed_at, r.issued_at, r.claim_expires_at
        from oauth.registrations r join oauth.grants g on g.id = r.grant_id
       where g.account_id = $1 order by r.created_at, r.id $$),
    ('mandate', true, $$
      select m.daily_cap_cents, m.weekly_cap_cents, m.max_stake_cents, m.paused_until as paused_until_day, m.updated_at
        from hill.mandates m where m.account_id = $1 $$),
    ('caps', false, $$
      select c.at, c.daily_cap_cents, c.weekly_cap_cents, c.max_stake_cents
        from hill.caps_set c where c.account_id = $1 order by c.id $$),
    ('balance', true, $$
      select c.granted_cents, c.paid_cents, case r.day when n.day then r.cents else 0 end as reserved_tonight_cents,
             case r.day when n.day then r.moves else 0 end as moves_made_tonight, w.since
        from hill.wallets w
        join hill.reservations r on r.account_id = w.account_id
       cross join lateral engine.credits_of(w.account_id) c
       cross join (select engine.last_night() + 1 as day) n
       where w.account_id = $1 $$),
    ('ledger', false, $$
      select e.*, p.reference as payment
        from engine.entries($1) e left join hill.payments p on p.transfer_id = e.transfer_id
       order by e.at, e.kind <> 'night', e.transfer_id $$),
    ('top_ups', false, $$
      select t.id as top_up_id, t.cents, t.created_at, t.checkout, t.payment, t.transfer_id, t.failed_at,
             (select jsonb_agg(jsonb_build_object(
                         'claim_id', c.id,
                         'kind', c.kind,
                         'cents', c.cents,
                         'status', c.status,
                         'at', c.at,
                         'taken_cents', c.taken_cents,
                         'written_off_cents', c.written_off_cents) order by c.at, c.id)
                from hill.payment_claims c where c.payment = t.payment) as claims
        from hill.top_ups t where t.account_id = $1 order by t.started_at, t.id $$),
    ('terms_accepted', false, $$
      select t.operator, t.version, a.at, a.page, t.terms_sha256, t.terms_url, t.terms_text, t.privacy_sha256,
             t.privacy_url, t.privacy_text
        from hill.terms_accepted a join hill.terms t on t.id = a.terms_id
       where a.account_id = $1 order by a.at, a.terms_id $$),
    ('lots', false, $$
      select l.lot_id, l.cents, l.remaining_cents, l.granted_at, l.expires_at from engine.account_lots($1) l $$),
    ('moves', false, $$
      select m.day, m.seq, m.slot, m.move, m.stake_cents, m.cost_cents, m.message, m.at, m.ended, m.ended_at,
             m.agent_id, encode(m.commitment, 'hex') as commitment, encode(m.salt, 'hex') as salt,
             encode(m.ends, 'hex') as ends, encode(m.message_salt, 'hex') as message_salt,
             encode(m.end_commitment, 'hex') as end_commitment, encode(m.end_salt, 'hex') as end_salt
        from hill.moves m where m.account_id = $1 order by m.day, m.seq $$),
    ('moves_tonight', false, $$
      select m.day, m.seq, m.slot, m.move, m.stake_cents, m.cost_cents, m.message, m.at, m.ended, m.ended_at,
             m.agent_id, encode(m.commitment, 'hex') as commitment, encode(m.salt, 'hex') as salt,
             encode(m.ends, 'hex') as ends, encode(m.message_salt, 'hex') as message_salt,
             encode(m.end_commitment, 'hex') as end_commitment, encode(m.end_salt, 'hex') as end_salt
        from hill.sealed_moves m where m.account_id = $1 order by m.seq $$),
    ('announcements', false, $$
      select n.day, n.slot, n.intention, n.message, n.at, n.verdict, n.agent_id,
             encode(n.commitment, 'hex') as commitment, encode(n.salt, 'hex') as salt,
             encode(n.message_salt, 'hex') as message_salt
        from generate_series(0, engine.today()) d (day)
       cross join lateral (select n.* from hill.announcements n where n.day = d.day and n.account_id = $1) n
       order by n.day, n.slot $$),
    ('hidden_words', false, $$
      select h.day, h.slot, h.said_in, h.words, encode(h.message_salt, 'hex') as message_salt, h.hidden_at
        from hill.hidden_words h where h.account_id = $1 order by h.day, h.slot, h.said_in $$),
    ('seats', false, $$
      select s.day, s.slot, s.seat, s.days_held, s.via, s.points, s.seq, s.agent_id
        from hill.seats s where s.account_id = $1 order by s.day, s.slot $$),
    ('nights', false, $$
      select s.day, s.granted_cents, s.paid_cents, s.peace_count, s.war_count, s.peace_tonight, s.war_tonight
        from hill.settlements s where s.account_id = $1 order by s.day $$),
    ('boards', false, $$
      select l.day, l.rank, l.points, l.reputation, l.paid_cents, l.consumed_cents
        from hill.leaderboard l where l.account_id = $1 order by l.day $$),
    ('tournaments', false, $$
      select t.slug, t.name, e.signed_up_at, e.agent_id
        from hill.tournament_entries e join hill.tournaments t on t.id = e.tournament_id
       where e.account_id = $1 order by e.signed_up_at, t.slug $$),
    ('tournament_standings', false, $$
      select t.slug, s.day, s.points, s.consumed_cents, s.reputation, s.nights, s.kept, s.betrayed, s.bluffed,
             s.ghosted, s.points_rank, s.efficiency_rank, s.record_rank
        from hill.tournament_entries e
        join hill.tournaments t on t.id = e.tournament_id
        join hill.tournament_standings s on s.tournament_id = e.tournament_id and s.account_id = e.account_id
       where e.account_id = $1 order by t.slug, s.day $$),
    ('codes', false, $$
      select r.code, r.redeemed_at, r.lot_id
        from hill.tournament_redemptions r where r.account_id = $1 order by r.redeemed_at, r.code $$),
    ('codes_tried', false, $$
      select t.code, t.at, t.agent_id, t.outcome
        from hill.code_attempts t where t.account_id = $1 order by t.id $$),
    ('webhooks', false, $$
      select s.id as subscription_id, s.url, s.events, s.agent_id, s.created_at, s.delivered_at, s.failing_since,
             s.ended_at, s.ended_because
        from hill.subscriptions s where s.account_id = $1 order by s.created_at, s.id $$),
    ('deliveries', false, $$
      select d.id as webhook_id, d.subscription_id, d.body, d.due_at, d.attempts, d.tried_at, d.outcome, d.status,
             d.ended_at, d.ended_as
        from hill.deliveries d where d.account_id = $1 order by d.due_at, d.id $$),
    ('site_verification', false, $$
      select c.token, c.asked_at, c.due_at, c.url, c.checked_at, c.result, c.status, c.failures
        from hill.site_checks c where c.account_id = $1 $$),
    ('icon', true, $$
      select i.hash as sha256, i.drawn_at, encode(i.image, 'base64') as png_base64
        from hill.icons i where i.account_id = $1 $$),
    ('counters', false, $$
      select c.views, c.clicks, c.agents from hill.identity_counters c where c.account_id = $1 $$),
    ('reports', false, $$
      select r.day, r.at, r.agent_id, r.reporter, r.what, r.why, r.tool, r.answer, r.answered_at
        from hill.reports r where r.account_id = $1 order by r.at, r.id $$),
    ('security_events', false, $$
      select e.at, e.event, e.agent_id, e.details
        from hill.security_events e where e.account_id = $1 order by e.id $$);
end;
