-- Files of nights as readers get them. Rules 10.12.

-- What a web process must know of a file to send it.
create or replace function engine.archive_json(archive hill.archives)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select jsonb_build_object(
    'id', (archive).id,
    'day', (archive).day,
    'form', (archive).form,
    'bytes', (archive).bytes,
    'sha256', encode((archive).sha256, 'hex'),
    'coded_bytes', (archive).coded_bytes,
    'coded_sha256', encode((archive).coded_sha256, 'hex'),
    'pieces', (archive).pieces,
    'stored', exists (select from hill.archive_pieces p where p.archive_id = (archive).id and p.piece = 1));
end;

-- A published night in figures: accounts and moves, announcements, how many places had which outcome, PEACE and WAR
-- moves, what was paid and burned (cents), seats after it and how many of them changed hands. Rules 10.12, 20.44.
create or replace function engine.show_night_figures(day integer)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select jsonb_build_object(
      'day', n.day,
      'resolvedAt', engine.iso(n.resolved_at),
      'accounts', n.accounts,
      'moves', n.moves,
      'announcements', (select count(*) from hill.announcements a where a.day = n.day),
      'outcomes', p.outcomes,
      'peaceCount', p.peace_count,
      'warCount', p.war_count,
      'rent_cents', n.rent_cents,
      'stakes_cents', n.stakes_cents,
      'rentCents', n.rent_cents,      -- as they were first called: docs/compatibility.md
      'stakesCents', n.stakes_cents,
      'burnedCents', n.burned_cents,
      'seats', s.seats,
      'seatsChanged', s.changed,
      'archives', (
        select coalesce(jsonb_agg(jsonb_build_object(
                   'form', a.form,
                   'sha256', encode(a.sha256, 'hex'),
                   'bytes', a.bytes,
                   'gzipBytes', a.coded_bytes) order by a.form), '[]')
          from hill.archives a where a.day = n.day)) || trusted.night_seal(n.day)
    from hill.nights n
   cross join lateral (
     select jsonb_build_object(
              'VACANT', count(*) filter (where r.outcome = 'VACANT'),
              'PEACE', count(*) filter (where r.outcome = 'PEACE'),
              'WAR', count(*) filter (where r.outcome = 'WAR'),
              'BURN', count(*) filter (where r.outcome = 'BURN')) as outcomes,
            coalesce(sum(r.peace_count), 0) as peace_count,
            coalesce(sum(r.war_count), 0) as war_count
       from hill.place_results r where r.day = n.day) p
   cross join lateral (
     select count(*) as seats, count(*) filter (where t.via <> 'holder') as changed
       from hill.seats t where t.day = n.day) s
   where n.day = show_night_figures.day;
end;
