// A balancer of connections, the plainest there is: in turn to each server, on to the next one if a connect is refused,
// nothing else.
import net from 'node:net';

export interface Balancer {
  readonly port: number;
  stop(): Promise<void>;
}

export async function balance(ports: readonly number[]): Promise<Balancer> {
  const open = new Set<net.Socket>();
  const keep = (socket: net.Socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    return socket;
  };
  let turn = 0;
  const server = net.createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    keep(client);
    const attempt = (left: number) => {
      const upstream = net.connect({
        port: ports[turn++ % ports.length] as number,
        host: '127.0.0.1',
        allowHalfOpen: true,
      });
      const refused = (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED' && left > 1) attempt(left - 1);
        else client.destroy();
      };
      upstream.once('error', refused).once('connect', () => {
        upstream.off('error', refused);
        keep(upstream);
        // what one side says last, the other hears; a reset stays a reset
        upstream.on('error', () => client.resetAndDestroy());
        client.on('error', () => upstream.resetAndDestroy());
        client.on('close', () => upstream.destroy());
        client.pipe(upstream).pipe(client);
      });
    };
    attempt(ports.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
