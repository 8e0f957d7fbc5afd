-- What the account page shows, except its agents. Protocol 5.4.

-- What the account page shows: engine.own_state (cents), name, slug, address, top-ups, sign-ins, sessions, limits.
create or replace function engine.account_state(account_id uuid)
returns jsonb
language sql volatile parallel unsafe security invoker
begin atomic
  select engine.own_state(a.id) || jsonb_build_object(
      'name', a.name,
      'slug', a.slug,
      'has_agents', exists (select from hill.agents g where g.account_id = a.id),
      'suspended', a.suspended_at is not null,
      'suspended_because', a.suspended_because,
      'terms', engine.show_terms(a.id),
      'barred', a.barred_at is not null,
      'top_ups', engine.show_top_ups(a.id),
      'email', engine.human_email(a.id),
      'sign_ins', (select coalesce(
                            jsonb_agg(
                              jsonb_build_object(
                                'provider', i.provider,
                                'subject', i.subject,
                                'email', i.email,
                                'created_at', engine.iso(i.created_at),
                                'last_used_at', engine.iso(i.last_used_at),
                                'removable_from', engine.iso(engine.removable_from(i)))
                              order by i.provider, i.created_at, i.subject),
                            '[]')
                     from oauth.sign_ins i where i.account_id = a.id),
      'sessions', (select count(*)
                     from oauth.human_sessions s
                    where s.account_id = a.id and s.revoked_at is null and s.expires_at > clock_timestamp()),
      'feed_since', (select engine.iso(f.created_at) from oauth.private_feeds f
                      where f.account_id = a.id and f.token_hash is not null),
      'mail', engine.account_mail(a.id),
      'session_days', engine.human_session_days(),
      'next_bell_at', engine.iso(engine.bell_at(engine.last_night() + 1)),
      'topup_minimum_cents', engine.topup_minimum_cents(),
      'topup_maximum_cents', engine.topup_maximum_cents())
    from hill.accounts a
   where a.id = account_state.account_id;
end;
