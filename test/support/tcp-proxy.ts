import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands between the service and its store, and takes the store away. */
export interface TcpProxy {
  /** The connection string of the store by way of the proxy. */
  readonly connectionString: string;
  /** Breaks every connection and refuses new ones, as a server that is down does. */
  cut(): Promise<void>;
  /** Keeps every connection and passes nothing on, as a network that loses everything does. */
  freeze(): void;
  restore(): Promise<void>;
  close(): Promise<void>;
}

export async function startTcpProxy(connectionString: string): Promise<TcpProxy> {
  const target = new URL(connectionString);
  const sockets = new Set<Socket>();
  const frozen = { is: false };
  const server = createServer((socket) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(from);
      if (frozen.is) from.pause();
      from.on('data', (chunk) => to.write(chunk));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const cut = async (): Promise<void> => {
    const closed = server.listening ? once(server, 'close') : undefined;
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const url = new URL(connectionString);
  url.hostname = '127.0.0.1';
  url.port = String(await listen(0));
  return {
    connectionString: url.href,
    cut,
    freeze: () => {
      frozen.is = true;
      for (const socket of sockets) socket.pause();
    },
    restore: async () => {
      frozen.is = false;
      for (const socket of sockets) socket.resume();
      if (!server.listening) await listen(Number(url.port));
    },
    close: async () => {
      frozen.is = false;
      if (server.listening) await cut();
    },
  };
}
