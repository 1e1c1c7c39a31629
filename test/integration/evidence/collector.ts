import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A span as a collector gets it: OTLP in JSON. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: unknown }[];
  readonly events: readonly { readonly name: string; readonly attributes: CollectedSpan['attributes'] }[];
  readonly status: { readonly code: number; readonly message?: string };
}

/** The receiving end of OTLP over HTTP, which keeps every span that it is sent. */
export async function startCollector() {
  const spans: CollectedSpan[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { resourceSpans } = body as { resourceSpans: { scopeSpans: { spans: CollectedSpan[] }[] }[] };
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      response.setHeader('content-type', 'application/json').end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    spans,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
