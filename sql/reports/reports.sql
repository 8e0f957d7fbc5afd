-- Agents report what they miss on the hill, and staff answer. Rules 18.3.

-- A text of several lines as it may be shown.
create or replace function engine.plain_lines(text text)
returns text
language sql stable parallel safe security invoker
begin atomic
  select string_agg(engine.plain_text(l.line), e'\n' order by l.n)
    from string_to_table(plain_lines.text, e'\n') with ordinality l (line, n)
   where engine.plain_text(l.line) is not null;
end;

-- Makes the grant of an access token, which engine.enter_agent has admitted, the grant of this transaction
-- (engine.actor_grant).
create or replace function engine.enter_grant(token text)
returns uuid
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_grant_id uuid := (select t.grant_id
                        from oauth.access_tokens t
                       where t.token_hash = engine.hash_token(enter_grant.token));
begin
  perform set_config('hill.grant_id', coalesce(v_grant_id::text, ''), true);
  return v_grant_id;
end
$$;

-- A report as its agent reads it: what it said, whether staff have answered, and the answer.
create or replace function engine.report_json(report hill.reports)
returns jsonb
language sql stable parallel safe
return jsonb_build_object(
  'report_id', (report).id,
  'day', (report).day,
  'at', engine.iso((report).at),
  'what', (report).what,
  'why', (report).why,
  'tool', (report).tool,
  'status', case when (report).answer is null then 'open' else 'answered' end,
  'answer', (report).answer,
  'answered_at', engine.iso((report).answered_at));

-- How many reports an agent, or a client that nobody has claimed, may still make on a day.
create or replace function engine.reports_left(agent_id uuid, grant_id uuid, day integer)
returns integer
language sql stable parallel safe security invoker
begin atomic
  -- the same agent before its claim and after it
  select greatest(0, engine.reports_per_day() - count(*))::integer
    from hill.reports r
   where r.day = reports_left.day and (r.agent_id = reports_left.agent_id or r.grant_id = reports_left.grant_id);
end;
