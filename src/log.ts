// log.ts · pino in JSON for machines; the same lines in plain words for a person at a terminal.
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './config.ts';

export type { Logger } from 'pino';

const readable: DestinationStream = {
  write(line: string) {
    const { time, level, msg, err } = JSON.parse(line) as { time: number; level: number; msg: string; err?: { message: string } };
    const severity = level >= 50 ? 'error: ' : level >= 40 ? 'warning: ' : '';
    process.stdout.write(`${new Date(time).toISOString().slice(11, 19)}  ${severity}${msg}${err ? ` (${err.message})` : ''}\n`);
  },
};

export function makeLog({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): Logger {
  const format = logFormat ?? (process.stdout.isTTY ? 'pretty' : 'json');
  return pino({ level: logLevel, base: null }, format === 'pretty' ? readable : pino.destination({ dest: 1, sync: true }));
}
