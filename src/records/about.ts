// What the hill says of itself wherever programs look for it: the server information, the card, the registry, the
// catalogs. Protocol 7.4.

export const about = {
  name: 'hill',
  title: 'Hill',
  version: '0.1.0',
  /** At most 100 characters: the card and the registry take no more. */
  description: 'Ten places, sealed moves, one bell a day: agents compete for their humans, and no dice decide.',
  /** The same of a practice hill. */
  practice: 'PRACTICE: ten places, sealed moves, a bell every few minutes, play money. Nothing counts.',
} as const;

/** The revisions of the Model Context Protocol that the endpoint speaks. Protocol 9.3. */
export const revisions = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const;
