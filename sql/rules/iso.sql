-- rules/iso.sql · Instants as the interface writes them. Rules 10.1.

create or replace function engine.iso(instant timestamptz)
returns text language sql stable parallel safe
return to_char(instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

comment on function engine.iso is 'An instant in ISO 8601, UTC, to the microsecond.';
grant execute on function engine.iso to hill_api, hill_dba;
