-- What staff may set when they make or change a tournament. Rules 8.7.

-- Refuses a tournament that is not well formed. Errors: INVALID_ARGUMENT, with the argument.
create or replace function engine.check_tournament_form(tournament hill.tournaments)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_wrong record;
begin
  select w.* into v_wrong
    from (values
      ('slug', coalesce(tournament.slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'
                        and char_length(tournament.slug) <= engine.tournament_slug_length(), false),
       format('slug is of lower case letters, digits and single dashes, at most %s.',
              engine.tournament_slug_length())),
      ('name', coalesce(char_length(tournament.name) between 1 and 80, false), 'name has 1 to 80 characters.'),
      ('tagline', char_length(tournament.tagline) <= 200, 'tagline has at most 200 characters.'),
      ('sponsor_name',
       coalesce(char_length(tournament.sponsor_name) <= 80, true),
       'sponsor_name has at most 80 characters.'),
      ('sponsor_name',
       tournament.sponsor_name is not null or (tournament.sponsor_url is null and tournament.sponsor_cents = 0),
       'An address or a prize needs a sponsor_name.'),
      ('sponsor_url',
       coalesce(tournament.sponsor_url ~ '^https?://[^\s]+$' and char_length(tournament.sponsor_url) <= 300, true),
       'sponsor_url is an address of http or https of at most 300 characters.'),
      ('sponsor_cents', tournament.sponsor_cents between 0 and 2147483647, 'sponsor_cents is from 0 to 2147483647.'),
      ('open_questions', cardinality(tournament.open_questions) <= 20
         and not exists (select from unnest(tournament.open_questions) q
                          where q is null or char_length(q) not between 1 and 300),
       'open_questions are at most 20, of 1 to 300 characters each.'),
      ('target_agents', coalesce(tournament.target_agents >= 1, false), 'target_agents is 1 or more.'),
      ('recommended_daily_cap_cents',
       tournament.recommended_daily_cap_cents between 0 and 2147483647,
       'recommended_daily_cap_cents is from 0 to 2147483647.'),
      ('opens_day', coalesce(tournament.opens_day >= 1 and tournament.opens_day <= tournament.sign_ups_close_day
         and tournament.sign_ups_close_day < tournament.starts_day
         and tournament.starts_day <= tournament.ends_day
         and tournament.ends_day <= 1000000, false),
       'Days are in order: opens_day <= sign_ups_close_day < starts_day <= ends_day.')) w (argument, right_so, message)
   where not w.right_so limit 1;
  if found then
    perform engine.refuse('INVALID_ARGUMENT', v_wrong.message, jsonb_build_object('argument', v_wrong.argument));
  end if;
end
$$;

-- Refuses a tournament that staff may not make, or make of an existing one (was; null for a new one). Errors:
-- INVALID_ARGUMENT, NOT_ALLOWED. Rules 8.7.
create or replace function engine.check_tournament(tournament hill.tournaments, was hill.tournaments)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_today integer := engine.today();
  v_phase text;
begin
  perform engine.check_tournament_form(tournament);
  if exists (select from hill.tournaments t where t.slug = tournament.slug and t.id is distinct from was.id) then
    perform engine.refuse('NOT_ALLOWED', 'Another tournament has that slug.', '{"argument": "slug"}');
  end if;
  -- A new tournament, and one that nobody could sign up for yet, may have any days from today on.
  v_phase := case
    when was.id is null then 'announced'
    else engine.tournament_phase(was, v_today, engine.last_night())
  end;
  if v_phase = 'announced' then
    if tournament.opens_day < v_today and tournament.opens_day is distinct from was.opens_day then
      perform engine.refuse('NOT_ALLOWED', 'Sign-ups open today or later.',
        jsonb_build_object('argument', 'opens_day', 'today', v_today));
    end if;
    return;
  end if;
  if (tournament.slug, tournament.opens_day, tournament.starts_day, tournament.ends_day)
     is distinct from (was.slug, was.opens_day, was.starts_day, was.ends_day) then
    perform engine.refuse('NOT_ALLOWED', 'Sign-ups have opened: slug, opens_day, starts_day and ends_day stay.',
      jsonb_build_object('phase', v_phase));
  end if;
  if tournament.sign_ups_close_day <> was.sign_ups_close_day
     and (v_phase <> 'open' or tournament.sign_ups_close_day < v_today) then
    perform engine.refuse('NOT_ALLOWED', 'sign_ups_close_day moves while sign-ups are open, to today or later.',
      jsonb_build_object('argument', 'sign_ups_close_day', 'phase', v_phase, 'today', v_today));
  end if;
  if tournament.sponsor_cents < was.sponsor_cents
     or (v_phase = 'ended' and tournament.sponsor_cents <> was.sponsor_cents) then
    perform engine.refuse('NOT_ALLOWED',
      'A prize that was promised can only rise, and not once the tournament has ended.',
      jsonb_build_object('argument', 'sponsor_cents', 'phase', v_phase));
  end if;
end
$$;
