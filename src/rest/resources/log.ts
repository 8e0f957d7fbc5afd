// The public log, its head and its keys, and the engines that it names. The log itself is served as C2SP tlog-tiles
// says: see ../log.ts. Rules 10.2, 20.9, 20.12.
import type * as Records from '../../records/index.ts';
import { enginesRecord, logRecord } from '../../records/index.ts';
import { nothing } from './parameters.ts';
import { define, type Resource } from './resource.ts';

export const logResources: readonly Resource[] = [
  define({
    path: '/api/log',
    summary: 'The public log: where it is, its head, its keys',
    description:
      'An append-only log (C2SP tlog-tiles) of each deposit and each announcement, as a hash, what resolved each night and what came of it. /log/deposit/{day}/{commitment} proves that a deposit is in it, /log/announcement/{day}/{commitment} an announcement. It grows on the quarter hour, and when a day is closed. Pin a key, keep checkpoints, and nothing that was in the log can change unseen.',
    tag: 'nights',
    example: '/api/log',
    args: nothing,
    reads: 'api_public.log',
    follows: 'log',
    record: logRecord,
    shape: ({ logs, ...record }: Records.Log, links) => ({
      ...record,
      logs: logs.map(({ number, ...log }) => ({ ...log, ...links.log(number) })),
    }),
    next: (links) => [links.place('days')],
  }),
  define({
    path: '/api/engines',
    summary: 'The engines that resolved the nights, by their hashes',
    description:
      'An engine is the sources of the rules, named in the public log by the SHA-256 of their tar file. /source/{sha256} is that file, /source/{sha256}..{sha256}.diff the difference of any two as a unified diff, and the same without .diff a page.',
    tag: 'nights',
    example: '/api/engines',
    args: nothing,
    reads: 'api_public.engines',
    follows: 'log',
    record: enginesRecord,
    shape: ({ engines, ...record }: Records.Engines, links) => ({
      ...record,
      engines: engines.map((engine, n) => {
        const before = engines[n + 1];
        return {
          ...engine,
          source: links.source(engine.sha256),
          changes: before ? links.sourceChanges(before.sha256, engine.sha256) : null,
        };
      }),
    }),
    next: (links) => [links.place('days')],
  }),
];
