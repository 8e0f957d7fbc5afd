// Debian's Firefox without a screen, by WebDriver BiDi (W3C): Playwright drives a Firefox of its own alone.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Where it is; undefined where it is not installed. */
export const firefoxPath: string | undefined = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) =>
  fs.existsSync(path),
);

type Answer = { id: number; result: Record<string, unknown> } | { id: number; error: string; message: string };
interface Entry {
  readonly method: 'log.entryAdded';
  readonly params: { level: string; text: string };
}

/** One page. */
export async function openFirefox() {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-firefox-'));
  const process = spawn(firefoxPath as string, ['--headless', '--remote-debugging-port=0', '--profile', profile], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const address = await new Promise<string>((resolve, reject) => {
    let said = '';
    process.stderr.on('data', (chunk: Buffer) => {
      said += chunk;
      const [, found] = /WebDriver BiDi listening on (ws:\S+)/.exec(said) ?? [];
      if (found) resolve(found);
    });
    process.once('exit', () => reject(new Error(`Firefox ended: ${said}`)));
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error('Firefox does not listen.'));
  });
  const asked = new Map<number, (answer: Answer) => void>();
  const wrong: string[] = [];
  socket.onmessage = ({ data }) => {
    const told = JSON.parse(String(data)) as Answer | Entry;
    if ('id' in told) {
      asked.get(told.id)?.(told);
      asked.delete(told.id);
    } else if (told.params.level === 'error') wrong.push(told.params.text);
  };
  let last = 0;
  const send = async (method: string, params: object): Promise<Record<string, unknown>> => {
    const id = ++last;
    const answer = await new Promise<Answer>((resolve) => {
      asked.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
    if ('error' in answer) throw new Error(`${method}: ${answer.message}`);
    return answer.result;
  };

  await send('session.new', { capabilities: {} });
  await send('session.subscribe', { events: ['log.entryAdded'] });
  const { context } = await send('browsingContext.create', { type: 'tab' });
  const evaluate = async (expression: string) =>
    (await send('script.evaluate', { expression, target: { context }, awaitPromise: true })) as {
      result: { value?: unknown; sharedId?: string };
      exceptionDetails?: { text: string };
    };
  return {
    /** What goes wrong in it. */
    wrong: wrong as readonly string[],
    goto: async (url: string) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    /** The value of an expression, or of its promise: whatever JSON can have. */
    async evaluate<T>(expression: string): Promise<T> {
      const { result, exceptionDetails } = await evaluate(`Promise.resolve(${expression}).then(JSON.stringify)`);
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return result.value === undefined ? (undefined as T) : JSON.parse(result.value as string);
    },
    async setFile(selector: string, file: string): Promise<void> {
      const { result } = await evaluate(`document.querySelector(${JSON.stringify(selector)})`);
      await send('input.setFiles', { context, element: { sharedId: result.sharedId }, files: [file] });
    },
    async close(): Promise<void> {
      if (process.exitCode !== null) return;
      await send('browser.close', {});
      await new Promise((resolve) => process.once('exit', resolve));
      fs.rmSync(profile, { recursive: true, force: true });
    },
  };
}
