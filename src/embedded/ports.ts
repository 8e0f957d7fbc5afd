// Finds free ports on the loopback address.
import net from 'node:net';

const open = (port: number) =>
  new Promise<number | undefined>((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** A port that was free a moment ago: the wanted one, if it was. Another process may still take it first. */
export async function freePort(wanted?: number): Promise<number> {
  const port = (wanted && (await open(wanted))) || (await open(0));
  if (port === undefined) throw new Error('no port is free on 127.0.0.1');
  return port;
}
