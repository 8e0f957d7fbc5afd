-- Staff make and edit tournaments. What entrants relied on when they signed up stays. Rules 8.3, 8.7.

create or replace function api_staff.create_tournament(
  slug text,
  name text,
  opens_day integer,
  sign_ups_close_day integer,
  starts_day integer,
  ends_day integer,
  target_agents integer,
  reason text,
  tagline text default null,
  recommended_daily_cap_cents bigint default null,
  sponsor_name text default null,
  sponsor_url text default null,
  sponsor_cents bigint default null,
  open_questions text[] default null)
returns hill.tournaments
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff      text := engine.enter_staff('create_tournament', reason);
  v_tournament hill.tournaments;
begin
  perform engine.lock_tournaments(false);
  v_tournament.slug := engine.trimmed(slug);
  v_tournament.name := engine.trimmed(name);
  v_tournament.tagline := engine.trimmed(coalesce(tagline, ''));
  v_tournament.sponsor_name := nullif(engine.trimmed(sponsor_name), '');
  v_tournament.sponsor_url := nullif(engine.trimmed(sponsor_url), '');
  v_tournament.sponsor_cents := coalesce(sponsor_cents, 0);
  v_tournament.open_questions := coalesce(open_questions, '{}');
  v_tournament.opens_day := opens_day;
  v_tournament.sign_ups_close_day := sign_ups_close_day;
  v_tournament.starts_day := starts_day;
  v_tournament.ends_day := ends_day;
  v_tournament.target_agents := target_agents;
  v_tournament.recommended_daily_cap_cents := coalesce(recommended_daily_cap_cents, engine.default_daily_cap_cents());
  perform engine.check_tournament(v_tournament, null);
  insert into hill.tournaments (
    slug,
    name,
    tagline,
    sponsor_name,
    sponsor_url,
    sponsor_cents,
    open_questions,
    opens_day,
    sign_ups_close_day,
    starts_day,
    ends_day,
    target_agents,
    recommended_daily_cap_cents,
    created_at)
  values (
    v_tournament.slug,
    v_tournament.name,
    v_tournament.tagline,
    v_tournament.sponsor_name,
    v_tournament.sponsor_url,
    v_tournament.sponsor_cents,
    v_tournament.open_questions,
    v_tournament.opens_day,
    v_tournament.sign_ups_close_day,
    v_tournament.starts_day,
    v_tournament.ends_day,
    v_tournament.target_agents,
    v_tournament.recommended_daily_cap_cents,
    engine.now())
  returning * into v_tournament;
  perform engine.write_audit(v_staff, 'create_tournament', null, null, to_jsonb(v_tournament), reason);
  return v_tournament;
end
$$;

comment on function api_staff.create_tournament is
'Makes a tournament: its days (numbers; opens_day from today on, opens_day <= sign_ups_close_day < starts_day <= '
'ends_day), target_agents and, all optional, tagline, recommended_daily_cap_cents (default: that of a new mandate), '
'the sponsor with its prize (sponsor_cents, cents) and open_questions. Returns the tournament. Errors: INVALID_TOKEN, '
'ROLE_TOO_LOW, REASON_REQUIRED, INVALID_ARGUMENT, NOT_ALLOWED. Rules 8.7.';

create or replace function api_staff.edit_tournament(
  slug text,
  reason text,
  new_slug text default null,
  name text default null,
  tagline text default null,
  opens_day integer default null,
  sign_ups_close_day integer default null,
  starts_day integer default null,
  ends_day integer default null,
  target_agents integer default null,
  recommended_daily_cap_cents bigint default null,
  sponsor_name text default null,
  sponsor_url text default null,
  sponsor_cents bigint default null,
  open_questions text[] default null)
returns hill.tournaments
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff  text := engine.enter_staff('edit_tournament', reason);
  v_before hill.tournaments;
  v_after  hill.tournaments;
begin
  perform engine.lock_tournaments(false);   -- waits for sign-ups under way, and they for this
  v_before := engine.find_tournament(slug);
  v_after := v_before;
  v_after.slug := coalesce(engine.trimmed(new_slug), v_before.slug);
  v_after.name := coalesce(engine.trimmed(name), v_before.name);
  v_after.tagline := coalesce(engine.trimmed(tagline), v_before.tagline);
  v_after.sponsor_name := nullif(coalesce(engine.trimmed(sponsor_name), v_before.sponsor_name), '');
  v_after.sponsor_url := nullif(coalesce(engine.trimmed(sponsor_url), v_before.sponsor_url), '');
  v_after.sponsor_cents := coalesce(sponsor_cents, v_before.sponsor_cents);
  v_after.open_questions := coalesce(open_questions, v_before.open_questions);
  v_after.opens_day := coalesce(opens_day, v_before.opens_day);
  v_after.sign_ups_close_day := coalesce(sign_ups_close_day, v_before.sign_ups_close_day);
  v_after.starts_day := coalesce(starts_day, v_before.starts_day);
  v_after.ends_day := coalesce(ends_day, v_before.ends_day);
  v_after.target_agents := coalesce(target_agents, v_before.target_agents);
  v_after.recommended_daily_cap_cents := coalesce(recommended_daily_cap_cents, v_before.recommended_daily_cap_cents);
  perform engine.check_tournament(v_after, v_before);
  update hill.tournaments t
     set slug = v_after.slug,
         name = v_after.name,
         tagline = v_after.tagline,
         sponsor_name = v_after.sponsor_name,
         sponsor_url = v_after.sponsor_url,
         sponsor_cents = v_after.sponsor_cents,
         open_questions = v_after.open_questions,
         opens_day = v_after.opens_day,
         sign_ups_close_day = v_after.sign_ups_close_day,
         starts_day = v_after.starts_day,
         ends_day = v_after.ends_day,
         target_agents = v_after.target_agents,
         recommended_daily_cap_cents = v_after.recommended_daily_cap_cents
   where t.id = v_before.id returning t.* into v_after;
  perform engine.write_audit(v_staff, 'edit_tournament', null, null, jsonb_build_object(
    'tournament', v_before.slug,
    'is', (select coalesce(jsonb_object_agg(n.key, n.value), '{}')
             from jsonb_each(to_jsonb(v_after)) n
            where n.value <> to_jsonb(v_before) -> n.key),
    'was', (select coalesce(jsonb_object_agg(o.key, o.value), '{}')
              from jsonb_each(to_jsonb(v_before)) o
             where o.value <> to_jsonb(v_after) -> o.key)), reason);
  return v_after;
end
$$;

comment on function api_staff.edit_tournament is
'Changes the given fields of a tournament. null leaves a field as it is; an empty text removes the sponsor or the '
'tagline. While it is announced, its slug and its days can change, to days from today on. Once sign-ups have opened, '
'its nights stand: sign_ups_close_day can still move between today and the start until sign-ups close, and the prize '
'can only rise, until the tournament has ended. Words, target and recommended cap can always change. Returns the '
'tournament. Errors: INVALID_TOKEN, ROLE_TOO_LOW, REASON_REQUIRED, NOT_FOUND, INVALID_ARGUMENT, NOT_ALLOWED. Rules '
'8.3, 8.7.
- slug: the tournament, by the slug that it has.
- new_slug: the slug that it gets; null for the one that it has.';

create or replace function api_staff.cancel_tournament(slug text, reason text, cancelled boolean default true)
returns hill.tournaments
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff      text := engine.enter_staff('cancel_tournament', reason);
  v_today      integer;
  v_tournament hill.tournaments;
begin
  if cancelled is null then
    perform engine.refuse('INVALID_ARGUMENT', 'cancelled is true or false.', '{"argument": "cancelled"}');
  end if;
  perform engine.lock_tournaments(false);   -- waits for sign-ups under way, and they for this
  v_today := engine.today();
  v_tournament := engine.find_tournament(slug);
  if v_today >= v_tournament.starts_day then
    perform engine.refuse('NOT_ALLOWED', 'The tournament has started, or would have: its nights stand.',
      jsonb_build_object('starts_day', v_tournament.starts_day, 'today', v_today));
  end if;
  update hill.tournaments t
     set cancelled_on = case when cancelled then coalesce(t.cancelled_on, v_today) end
   where t.id = v_tournament.id;
  perform engine.write_audit(v_staff, 'cancel_tournament', null, null,
    engine.reverses(case when cancelled then 'create_tournament' else 'cancel_tournament' end,
                    jsonb_build_object('id', v_tournament.id))
      || jsonb_build_object('slug', v_tournament.slug, 'cancelled', cancelled,
                            'was_cancelled', v_tournament.cancelled_on is not null),
    reason);
  return engine.find_tournament(slug);
end
$$;

comment on function api_staff.cancel_tournament is
'Cancels a tournament before its first night: nobody enters it, no code of it is redeemed, it gets no boards, and its '
'page says so; what codes have granted stays. With cancelled: false it takes place after all, if its first day has not '
'begun. Returns the tournament. Errors: INVALID_TOKEN, ROLE_TOO_LOW, REASON_REQUIRED, INVALID_ARGUMENT, NOT_FOUND, '
'NOT_ALLOWED. Rules 8.7.
- cancelled: false lets it take place after all.';

grant execute on function
  api_staff.create_tournament, api_staff.edit_tournament, api_staff.cancel_tournament to hill_staff;
