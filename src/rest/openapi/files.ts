// Nights and moves as files.
import type { LineForm } from '../resources/forms.ts';
import { archive, identityMoves, nightFile, nightList } from '../resources/index.ts';
import { headersOf, ref, refusedFor } from './components.ts';
import { example } from './examples.ts';
import { idOf, linesContent } from './lines.ts';
import { component, parametersOf } from './schemas.ts';

/** The answers of an address of files: one of them, or what `unknown` says. */
const fileOr = (unknown: string, description: string, content: object) => ({
  200: {
    description,
    headers: headersOf(
      'ETag',
      'Cache-Control',
      'Vary',
      'Content-Digest',
      'Content-Location',
      'RateLimit',
      'RateLimit-Policy',
    ),
    content,
  },
  304: ref('responses', 'NotModified'),
  ...refusedFor(unknown),
});

const nightFileOf = (baseUrl: string) => ({
  'application/json': { schema: { $ref: component('NightFile') }, ...example('nightFile', baseUrl) },
});

/** One complete list of a night. */
export const listOperation = (form: LineForm, baseUrl: string) => ({
  operationId: `day${idOf[form]}`,
  summary: `A list of a night, whole, as ${form.toUpperCase()}`,
  description: `One of the lists of /api/day/{n} in one answer. This is its canonical address; ?format=${form}&list= there gives the same file.`,
  tags: ['nights'],
  parameters: [...parametersOf(nightList.path(form), nightList.args), ref('parameters', 'IfNoneMatch')],
  responses: fileOr('DayNotResolved', 'The list.', linesContent(form, 'day', baseUrl)),
});

export const movesOperation = (baseUrl: string) => ({
  operationId: 'identityMoves',
  summary: 'All moves of an identity on nights that are published',
  description:
    'A move a line, the latest night first: day, slot, move, stake_cents, cost_cents, message, at, seq, agentId, the outcome of the place, and the seat that the move came to (slot, via, daysHeld, points) or null. Streamed, without an ETag.',
  tags: ['identities'],
  parameters: parametersOf(identityMoves.path, identityMoves.args),
  responses: {
    200: {
      description: 'The moves.',
      headers: headersOf('Cache-Control', 'Vary', 'RateLimit', 'RateLimit-Policy'),
      content: linesContent('ndjson', 'identityMoves', baseUrl),
    },
    ...refusedFor('NotFound'),
  },
});

export const nightFileOperation = (baseUrl: string) => ({
  operationId: 'nightFile',
  summary: 'The night as a night file',
  description:
    'The whole input of a night on one line. `npm run -s resolve`, the public engine, makes the published night of it again. It never changes.',
  tags: ['nights'],
  parameters: [...parametersOf(nightFile.path, nightFile.args), ref('parameters', 'IfNoneMatch')],
  responses: fileOr('DayNotResolved', 'The night file.', nightFileOf(baseUrl)),
});

export const archiveOperation = (baseUrl: string) => ({
  operationId: 'archive',
  summary: 'A file of a night, by its hash',
  description:
    'Its bytes never change, so it may be kept for a week without asking again. /api/days has the hashes. Not found once the night was told anew, because something in it was taken away: then the night has another file.',
  tags: ['nights'],
  parameters: [...parametersOf(archive.path, archive.args), ref('parameters', 'IfNoneMatch')],
  responses: fileOr('NotFound', 'The file.', {
    ...nightFileOf(baseUrl),
    ...linesContent('ndjson', 'day', baseUrl),
    ...linesContent('csv', 'day', baseUrl),
  }),
});
