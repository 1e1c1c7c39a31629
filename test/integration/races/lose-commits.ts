import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

/** Stands between a gate and its store, and breaks a connection when the store says that it has committed. */
export interface CommitLoser {
  readonly connectionString: string;
  /** The commit of this number from now on, counted from 1, happens, and nobody hears of it. */
  loseCommit(number: number): void;
  close(): void;
}

/** How Postgres completes a commit: a message of type C with the command's name. */
const commitTag = Buffer.from('COMMIT\0');

export async function startCommitLoser(connectionString: string): Promise<CommitLoser> {
  const url = new URL(connectionString);
  const { port, hostname } = url;
  let countdown = 0;
  const server = createServer((client) => {
    const store = connect(Number(port), hostname);
    client.on('data', (chunk) => store.write(chunk));
    store.on('data', (chunk) => {
      if (chunk.includes(commitTag)) countdown -= 1;
      if (countdown === 0 && chunk.includes(commitTag)) client.destroy();
      else client.write(chunk);
    });
    client.on('close', () => store.destroy()).on('error', () => store.destroy());
    store.on('close', () => client.destroy()).on('error', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    connectionString: url.href,
    loseCommit: (number) => {
      countdown = number;
    },
    close: () => server.close(),
  };
}
