// Instants of the night file: ISO 8601 with their offset from UTC, to the microsecond.

/** Microseconds since 1970, or null for what is not an instant. A Date would drop the last three digits. */
export function microseconds(text: unknown): bigint | null {
  if (typeof text !== 'string') return null;
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(Z|[+-]\d\d:\d\d)$/.exec(text);
  if (!parts) return null;
  const [, seconds = '', fraction = '', offset = ''] = parts;
  const local = Date.parse(`${seconds}.000Z`);
  // Date.parse takes 30 February for 1 March, so only what it gives back unchanged was a day of the calendar.
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(seconds)) return null;
  const instant = Date.parse(`${seconds}.000${offset}`);
  return Number.isNaN(instant) ? null : BigInt(instant) * 1000n + BigInt(fraction.padEnd(6, '0'));
}
