// Ports for servers that a test starts, which nothing else takes between the look and the start.
import net from 'node:net';

/**
 * Below the ports that the kernel gives to outgoing connections and to the embedded PostgreSQL. Each worker of a run
 * has a part of its own.
 */
const first = 12_000;
const each = 4000;
const from = first + (Number(process.env.VITEST_POOL_ID ?? 1) % 5) * each;
/** Begins at a different place in each run, since two runs on one machine share these ports. */
let last = Math.floor(Math.random() * each);

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < each; tries++) {
    last = (last + 1) % each;
    const port = from + last; // another caller may go on meanwhile
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${from} to ${from + each} is free on 127.0.0.1`);
}
