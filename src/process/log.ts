// pino in JSON for machines; the same lines in plain words for a person at a terminal.
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './config.ts';
import { answered } from './request.ts';

export type { Logger } from 'pino';

const readable: DestinationStream = {
  write(line: string) {
    process.stdout.write(`${inWords(line)}\n`);
  },
};

interface Line {
  readonly time: number;
  readonly level: number;
  readonly msg: string;
  /** Which one, of several that write to one log. */
  readonly process?: string;
  readonly err?: { readonly message: string; readonly code?: string };
  readonly [field: string]: unknown;
}

/** A log line for a person. Warnings and errors show their other fields as well, since those are the cause. */
export function inWords(line: string): string {
  const { time, level, msg, process: from, err, ...fields } = JSON.parse(line) as Line;
  const severity = level >= 50 ? 'error: ' : level >= 40 ? 'warning: ' : '';
  const causes = [
    ...(err ? [[err.code, err.message].filter(Boolean).join(' ')] : []),
    ...(level >= 40 ? Object.entries(fields).filter(([, value]) => !msg.includes(asText(value))) : []).map(
      ([name, value]) => `${name}: ${asText(value)}`,
    ),
  ];
  return `${new Date(time).toISOString().slice(11, 19)}  ${from ? `${from}: ` : ''}${severity}${msg}${causes.length > 0 ? ` (${causes.join(', ')})` : ''}`;
}

/** On every line that is logged on behalf of a request, wherever in the code. */
function requestId(): { request?: string } {
  const request = answered();
  return request && !request.sealed ? { request: request.id } : {};
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** `name`: of this process, where several write to one log. */
export function makeLog({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>, name?: string): Logger {
  const format = logFormat ?? (process.stdout.isTTY ? 'pretty' : 'json');
  return pino(
    { level: logLevel, base: name ? { process: name } : null, mixin: requestId },
    format === 'pretty' ? readable : pino.destination({ dest: 1, sync: true }),
  );
}
