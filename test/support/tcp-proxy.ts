import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands between the service and its store, and takes the store away. */
export interface TcpProxy {
  /** The connection string of the store by way of the proxy. */
  readonly connectionString: string;
  /** Breaks every connection and refuses new ones, as a server that is down does. */
  cut(): Promise<void>;
  /** Breaks every connection, and takes new ones. */
  drop(): void;
  /** Keeps every connection and passes nothing on, as a network that loses everything does. */
  freeze(): void;
  /** Passes everything on, each way, so many milliseconds later. */
  slow(delayMs: number): void;
  restore(): Promise<void>;
  /** From now on new connections lead to another store. */
  lead(connectionString: string): void;
  close(): Promise<void>;
}

export async function startTcpProxy(connectionString: string): Promise<TcpProxy> {
  let target = new URL(connectionString);
  const sockets = new Set<Socket>();
  const state = { frozen: false, delayMs: 0 };
  const server = createServer((socket) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(from);
      if (state.frozen) from.pause();
      // Timers of one length fire in their order, and one that a change has made shorter must not overtake.
      let last = Promise.resolve();
      from.on('data', (chunk) => {
        const { delayMs } = state;
        const due = delayMs > 0 ? new Promise<void>((resolve) => setTimeout(resolve, delayMs)) : undefined;
        last = due ? last.then(() => due) : last;
        void last.then(() => to.write(chunk));
      });
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
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const cut = async (): Promise<void> => {
    const closed = server.listening ? once(server, 'close') : undefined;
    server.close();
    drop();
    await closed;
  };
  const url = new URL(connectionString);
  url.hostname = '127.0.0.1';
  url.port = String(await listen(0));
  return {
    connectionString: url.href,
    cut,
    drop,
    freeze: () => {
      state.frozen = true;
      for (const socket of sockets) socket.pause();
    },
    slow: (delayMs) => {
      state.delayMs = delayMs;
    },
    restore: async () => {
      Object.assign(state, { frozen: false, delayMs: 0 });
      for (const socket of sockets) socket.resume();
      if (!server.listening) await listen(Number(url.port));
    },
    lead: (elsewhere) => {
      target = new URL(elsewhere);
    },
    close: async () => {
      state.frozen = false;
      if (server.listening) await cut();
    },
  };
}
