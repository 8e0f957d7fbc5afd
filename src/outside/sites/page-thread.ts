// Reads one page in a thread of its own: a page can be written so that a parser needs minutes for it.
import { parentPort, workerData } from 'node:worker_threads';
import { readPage, type Sought } from './page.ts';

const { html, sought } = workerData as { html: string; sought: Sought };
parentPort?.postMessage(readPage(html, sought));
