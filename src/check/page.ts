// The page /check and check.html: loads what checks when it is asked to, shows what the worker says, and keeps what was
// seen. What differs between the two is in the page: where the parts are.
import { usual } from '../verify/engine.ts';
import type { FromWorker, Parts, Task } from './messages.ts';
import { startWorker } from './start.ts';

const find = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E;
const form = find<HTMLFormElement>('check-form');
const [button, stop] = [find<HTMLButtonElement>('check-go'), find<HTMLButtonElement>('check-stop')];
const [list, status] = [find<HTMLOListElement>('check-list'), find<HTMLParagraphElement>('check-status')];
const bar = find<HTMLProgressElement>('check-bar');
const [night, hill] = [find<HTMLInputElement>('check-night'), find<HTMLInputElement>('check-hill')];
const [archive, receipts] = [find<HTMLInputElement>('check-archive'), find<HTMLTextAreaElement>('check-receipts')];
const [files, keys] = [find<HTMLInputElement>('check-files'), find<HTMLTextAreaElement>('check-keys')];
const seconds = find<HTMLInputElement>('check-seconds');

const key = 'hill.seen';
/** A browser that keeps nothing sees each hill for the first time. */
function seenBefore(): Task['seen'] {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}');
  } catch {
    return {};
  }
}
function keep(url: string, seen: Task['seen'][string]): boolean {
  try {
    localStorage.setItem(key, JSON.stringify({ ...seenBefore(), [url]: seen }));
    return true;
  } catch {
    return false;
  }
}

type Part = 'worker' | keyof Parts;
/** In one file the parts stand in the page: scripts as they are, what PGlite is made of as base64 of gzip. */
const inside = (part: Part) => document.getElementById(`part-${part}`);

/** In a file it is the script itself. */
function scriptOf(part: Part): string | Blob {
  const script = inside(part);
  return script
    ? new Blob([script.textContent ?? ''], { type: 'text/javascript' })
    : new URL(form.dataset[part] as string, location.href).href;
}

async function bytesOf(part: Part, read: (bytes: number) => void): Promise<Blob> {
  const base64 = inside(part)?.textContent;
  const answer = base64
    ? new Response(
        (await fetch(`data:application/octet-stream;base64,${base64}`)).body?.pipeThrough(
          new DecompressionStream('gzip'),
        ),
      )
    : await fetch(form.dataset[part] as string);
  if (!answer.ok) throw new Error(`${answer.url} answers with ${answer.status}.`);
  const reader = answer.body?.getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    pieces.push(piece.value);
    read(piece.value.length);
  }
  return new Blob(pieces);
}

let parts: Promise<Parts> | undefined;
let worker: Worker | undefined;

async function load(): Promise<Parts> {
  const all = Number(form.dataset.bytes);
  let loaded = 0;
  const read = (bytes: number) => {
    loaded += bytes;
    bar.max = all;
    bar.value = loaded;
  };
  status.textContent = 'Loading what checks.';
  const [pglite, initdb, data, release] = await Promise.all([
    bytesOf('pglite', read),
    bytesOf('initdb', read),
    bytesOf('data', read),
    bytesOf('release', read),
  ]);
  return { database: scriptOf('database'), pglite, initdb, data, release };
}

/** With what was loaded; the worker is new after it was stopped. */
async function ready(): Promise<[Worker, Parts]> {
  parts ??= load().then((loaded) => {
    find('check-offline').hidden = false;
    void keepPage();
    return loaded;
  });
  const loaded = await parts.catch((error: unknown) => {
    parts = undefined;
    throw error;
  });
  worker ??= startWorker(scriptOf('worker'));
  return [worker, loaded];
}

/** The page and its parts, so that it opens without a network. Not every browser does that, nor every window of it. */
async function keepPage(): Promise<void> {
  const { offline, bytes, ...addresses } = form.dataset;
  if (!offline || !('serviceWorker' in navigator)) return;
  try {
    const cache = await caches.open('check');
    const kept = [location.pathname, ...Object.values(addresses)].map((path) => new URL(`${path}`, location.href).href);
    await cache.addAll(kept);
    for (const { url } of await cache.keys()) if (!kept.includes(url)) await cache.delete(url);
    await navigator.serviceWorker.register(offline, { scope: location.pathname });
    await navigator.serviceWorker.ready;
    find('check-opens').hidden = false;
  } catch {}
}

function line(said: string, holds: boolean | null): void {
  const item = document.createElement('li');
  const mark = document.createElement('span');
  mark.textContent = holds === null ? 'note' : holds ? 'ok' : 'WRONG';
  item.className = holds === null ? 'noted' : holds ? 'right' : 'wrong';
  item.append(mark, ` ${said}`);
  list.append(item);
}

/** Ends with what it came to. */
function conclude(sentence: string, state: 'right' | 'wrong' | ''): void {
  status.textContent = sentence;
  status.className = state;
  bar.hidden = true;
  button.disabled = false;
  button.textContent = 'Check again';
  stop.hidden = true;
}

function hear(data: FromWorker): void {
  if ('said' in data) line(data.said, data.holds);
  else if ('doing' in data) {
    status.textContent = data.of > 0 ? `${data.doing}, ${data.done + 1} of ${data.of}.` : `${data.doing}.`;
    if (data.of > 1) [bar.max, bar.value] = [data.of, data.done];
    else bar.removeAttribute('value');
  } else if ('ended' in data) {
    const kept = data.seen !== null && keep(data.url, data.seen);
    conclude(
      `${data.ended}${kept ? ' This browser keeps what it saw, and compares it next time.' : ''}`,
      data.wrong === 0 ? 'right' : 'wrong',
    );
  } else if ('failed' in data) conclude(data.failed, 'wrong');
}

async function task(loaded: Parts): Promise<Task> {
  const [file] = archive.files ?? [];
  const address = hill.value || location.origin;
  if (!file && !URL.canParse(address)) throw new Error('Give the address of a hill, or an archive of one.');
  return {
    parts: loaded,
    of: file ?? new URL(address).origin,
    days: night.value === '' ? [] : [Number(night.value)],
    held: [receipts.value, ...(await Promise.all([...(files.files ?? [])].map((one) => one.text())))],
    keys: keys.value,
    limits: { ...usual, ...(seconds.value === '' ? {} : { night: 1_000 * Number(seconds.value) }) },
    seen: seenBefore(),
  };
}

/** How many checks were begun or stopped: one that was stopped does not go on. */
let turn = 0;

async function check(): Promise<void> {
  const mine = ++turn;
  list.replaceChildren();
  Object.assign(bar, { hidden: false, value: 0 });
  [button.disabled, button.textContent, stop.hidden, status.className] = [true, 'Checking', false, ''];
  try {
    const [checks, loaded] = await ready();
    const asked = await task(loaded);
    if (mine !== turn) return;
    checks.onmessage = ({ data }: MessageEvent<FromWorker>) => hear(data);
    checks.onerror = (event) => fail(event.message || 'What checks could not be started.');
    status.textContent = 'Asking the hill.';
    checks.postMessage(asked);
  } catch (error) {
    if (mine === turn) conclude(error instanceof Error ? error.message : String(error), 'wrong');
  }
}

/** With it all engines end. */
function endWorker(): void {
  worker?.terminate();
  worker = undefined;
}
function fail(sentence: string): void {
  endWorker();
  conclude(sentence, 'wrong');
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void check();
});
stop.addEventListener('click', () => {
  turn += 1;
  endWorker();
  conclude('Stopped.', '');
});
// an archive or receipts may be dropped anywhere
document.addEventListener('dragover', (event) => event.preventDefault());
document.addEventListener('drop', (event) => {
  event.preventDefault();
  const dropped = event.dataTransfer?.files;
  const [first] = dropped ?? [];
  if (dropped && first) (/\.(tar|tgz|gz)$/.test(first.name) ? archive : files).files = dropped;
});

const named = new URLSearchParams(location.search).get('night');
if (named && /^[1-9]\d{0,8}$/.test(named)) night.value = named;
if (typeof WebAssembly === 'object' && typeof Worker === 'function') form.hidden = false;
else find('check-without').hidden = false;
