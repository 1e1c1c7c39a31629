import createClient, { type Client } from 'openapi-fetch';

import { checkAnswer } from './check-answer.js';
import { GateFailureError } from './failures.js';
import type { paths } from './generated/api.js';

/** How the gate is reached. */
export interface TransportOptions {
  /** Where the gate is: https, unless it is on this machine. */
  readonly url: string | URL;
  /** The bearer token, or what fetches a fresh one; none for an open gate. */
  readonly token?: string | (() => string | Promise<string>);
  /** How long one try may take, its answer read to the end. */
  readonly timeoutMs?: number;
  /** How often a call is tried that can safely be repeated. */
  readonly tries?: number;
  /** In place of the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** The gate's API, call by call. Each answer that comes back is one that the API document promises. */
export type GateApi = Client<paths>;

/** Makes the calls. They reject with `GateFailureError` when there is no answer to rely on. */
export function gateApi(options: TransportOptions): GateApi {
  const { url, token } = options;
  const api = createClient<paths>({
    baseUrl: new URL(url).href.replace(/\/$/, ''),
    // Another place must neither see the token nor answer for the gate.
    redirect: 'manual',
    fetch: (request) => answerTo(request, options),
  });
  api.use({
    onRequest: async ({ request }) => {
      if (token === undefined) return;
      request.headers.set('authorization', `Bearer ${typeof token === 'string' ? token : await token()}`);
    },
    onResponse: async ({ request, schemaPath, response }) => {
      const text = await response.clone().text();
      checkAnswer(schemaPath, request.method, {
        status: response.status,
        mediaType: mediaType(response),
        text,
      });
    },
  });
  return api;
}

async function answerTo(request: Request, options: TransportOptions): Promise<Response> {
  const tries = isRepeatable(request) ? (options.tries ?? 3) : 1;
  for (let tried = 1; ; tried += 1) {
    try {
      return await oneTry(request.clone(), options);
    } catch (error) {
      if (tried >= tries || request.signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100 * 2 ** tried * (0.5 + Math.random())));
    }
  }
}

/**
 * A `PUT` could write over what someone else has written in between, and a rehydration without a key would be another
 * one. All other calls are answered like the first time when they come again.
 */
function isRepeatable({ method, url, headers }: Request): boolean {
  if (method === 'PUT') return false;
  return !new URL(url).pathname.endsWith('/rehydrate') || headers.has('idempotency-key');
}

async function oneTry(request: Request, options: TransportOptions): Promise<Response> {
  const { timeoutMs = 10_000, fetch = globalThis.fetch } = options;
  const late = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  // A timer of its own ends the waiting, whatever becomes of the signal: Node may collect AbortSignal.timeout() once it
  // is combined with another signal or followed by a request, and the call would wait for ever.
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new GateFailureError('timeout', `No whole answer came within ${timeoutMs} ms`));
      late.abort();
    }, timeoutMs);
  });
  try {
    const signal = AbortSignal.any([late.signal, request.signal]);
    return await Promise.race([wholeAnswer(fetch(new Request(request, { signal }))), timeout]);
  } catch (cause) {
    if (cause instanceof GateFailureError) throw cause;
    throw new GateFailureError('unreachable', 'The gate did not answer', cause);
  } finally {
    clearTimeout(timer);
  }
}

async function wholeAnswer(answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  const text = await response.text();
  if (response.status === 429 || response.status >= 500) {
    throw new GateFailureError('unavailable', `The gate decided nothing: ${response.status}`);
  }
  return new Response(text, { status: response.status, headers: response.headers });
}

function mediaType({ headers }: Response): string {
  return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
}
