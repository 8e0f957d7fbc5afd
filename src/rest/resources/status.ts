// Whether the hill keeps its hours. Rules 10.2.
import { about } from '../../records/about.ts';
import type * as Records from '../../records/index.ts';
import { statusRecord, unavailable } from '../../records/index.ts';
import { nothing } from './parameters.ts';
import { define, type Resource } from './resource.ts';

export const statusResources: readonly Resource[] = [
  define({
    path: '/api/status',
    summary: 'Whether the hill keeps its hours',
    description:
      'The version, the last night and how long after its bell it was published, the next bell. 503 with the same fields where the database does not answer.',
    tag: 'hill',
    example: '/api/status',
    args: nothing,
    reads: 'api_public.status',
    follows: 'hill',
    record: statusRecord,
    without: unavailable,
    shape: (record: Records.Status) => {
      const { status, ...more } = record;
      return { status, version: about.version, ...more };
    },
    next: (links) => [links.place('hill')],
  }),
];
