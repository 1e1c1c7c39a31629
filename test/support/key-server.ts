import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { JSONWebKeySet } from 'jose';

/** An identity provider's end of a JWKS URL, over real HTTP. */
export interface KeyServer {
  readonly url: URL;
  /** How often it was asked. */
  asked: number;
  /** What it answers from now on. */
  answer: (response: ServerResponse) => void;
  close(): Promise<void>;
}

/** Answers with the keys, until it is told otherwise. */
export async function startKeyServer(jwks: JSONWebKeySet): Promise<KeyServer> {
  const keyServer: KeyServer = {
    url: new URL('http://127.0.0.1'),
    asked: 0,
    answer: serving(jwks),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const server = createServer((_request, response) => {
    keyServer.asked += 1;
    keyServer.answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  keyServer.url.port = String((server.address() as AddressInfo).port);
  return keyServer;
}

export function serving(jwks: unknown): KeyServer['answer'] {
  return (response) => response.setHeader('content-type', 'application/json').end(JSON.stringify(jwks));
}

/** The ways in which an identity provider is away. */
export const outages: Readonly<Record<string, KeyServer['answer']>> = {
  'answers 500': (response) => response.writeHead(500).end(),
  'answers what is not JSON': (response) => response.end('<html>Down for maintenance</html>'),
  'answers what is no key set': (response) => response.end('{"error":"down"}'),
  'redirects elsewhere': (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/keys' }).end(),
  'breaks the connection': (response) => response.destroy(),
  'says nothing': () => undefined,
  'stops in the middle': (response) => response.write('{"keys":['),
};
