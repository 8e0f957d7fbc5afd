// What a long command is doing, on one line of a terminal (nothing where nobody watches), and whether it was told to
// stop.
import { stripVTControlCharacters } from 'node:util';

export interface Progress {
  /** Replaces the line, ten times a second at most. */
  show(text: string): void;
  /** Removes the line: what comes next is there to stay. */
  clear(): void;
  /** Aborted by the first signal, such as Ctrl-C; a second one ends the process. */
  readonly stopping: AbortSignal;
}

const everyMs = 100;

export function progressOn(terminal: NodeJS.WriteStream = process.stderr): Progress {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => controller.abort());
  const stopping = controller.signal;
  if (!terminal.isTTY) return { show() {}, clear() {}, stopping };
  let last = 0;
  return {
    stopping,
    show(text) {
      if (performance.now() - last < everyMs) return;
      last = performance.now();
      const line = stripVTControlCharacters(text).slice(0, terminal.columns - 1);
      terminal.write(`\r\x1b[2K${line}`);
    },
    clear() {
      last = 0;
      terminal.write('\r\x1b[2K');
    },
  };
}

/** 1234567 as "1.2 MB". */
export function inBytes(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}

/** 1234567 as "1,234,567". */
export const inThousands = (n: number): string => n.toLocaleString('en-US');
