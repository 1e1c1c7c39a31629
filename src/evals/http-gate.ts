import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

/** One call of the public API. */
export interface GateCall {
  readonly method: 'GET' | 'PUT' | 'POST';
  /** With its query. */
  readonly path: string;
  readonly body?: unknown;
  /** What the caller's token has to allow. */
  readonly scope: string;
}

export interface GateAnswer {
  readonly http: number;
  readonly body: unknown;
}

/** A gate, wherever it is: the only thing that the evals know of it. */
export type Gate = (call: GateCall) => Promise<GateAnswer>;

/** The gate could not be asked at all, in words for the person who runs the evals. */
export class GateUnreachableError extends Error {}

/** The bearer token for a scope; undefined where the gate is open. */
export type Tokens = (scope: string) => string | undefined;

const patience = 15_000;
/** How often a gate that is busy is asked again, and how long after, unless it says so itself. */
const busyRetries = 5;
const busyDelay = 500;

/** A gate behind a URL. */
export function httpGate(url: string, tokens: Tokens = () => undefined): Gate {
  const base = url.replace(/\/+$/, '');
  return async (call) => {
    for (let tries = 0; ; tries += 1) {
      const response = await send(base, call, tokens(call.scope));
      const busy = response.status === 429 || response.status === 503;
      if (!busy || tries >= busyRetries) return { http: response.status, body: await jsonOf(response) };
      await response.body?.cancel();
      await sleep(Number(response.headers.get('retry-after') ?? 0) * 1_000 || busyDelay);
    }
  };
}

/**
 * Reads tokens from a file: one token with every scope, or a JSON object from scope to token, whose `default` serves
 * the scopes that it doesn't name.
 */
export async function readTokens(file: string): Promise<Tokens> {
  const content = (await readFile(file, 'utf8')).trim();
  if (content !== '' && !content.startsWith('{')) return () => content;
  const tokens = tokensIn(content);
  if (!Value.Check(TokensByScope, tokens)) {
    throw new GateUnreachableError(`${file} is neither one token nor a JSON object from scope to token`);
  }
  return (scope) => tokens[scope] ?? tokens['default'];
}

const TokensByScope = Type.Record(Type.String(), Type.String());

function tokensIn(text: string): unknown {
  try {
    const tokens: unknown = JSON.parse(text);
    return tokens;
  } catch {
    return undefined;
  }
}

async function send(
  base: string,
  { method, path, body }: GateCall,
  token: string | undefined,
): Promise<Response> {
  try {
    return await fetch(`${base}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(patience),
    });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new GateUnreachableError(
      `${base} did not answer ${method} ${path}: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause: error },
    );
  }
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    const body: unknown = JSON.parse(text);
    return body;
  } catch {
    return text;
  }
}
