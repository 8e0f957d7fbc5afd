-- Instants and texts as the interface writes them. Rules 10.1; decisions 360.

-- An instant in ISO 8601, UTC, to the microsecond.
create or replace function engine.iso(instant timestamptz)
returns text language sql stable parallel safe
return to_char(instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

-- A text, or null, as JSON has it.
create or replace function engine.json_text(value text)
returns text language sql stable parallel safe
return coalesce(to_json(value)::text, 'null');
