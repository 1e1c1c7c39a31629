import type { FastifyInstance, FastifyPluginCallback, InjectOptions } from 'fastify';
import { Client, type QueryResultRow } from 'pg';
import type { Logger } from 'pino';

import type { Access } from '../../src/http/auth/scopes.js';
import { buildApp } from '../../src/http/build-app.js';
import type { AccessOptions } from '../../src/http/plugins/access.js';
import type { RateLimits } from '../../src/http/plugins/rate-limits.js';
import { Database, type DatabaseOptions } from '../../src/store/database.js';
import { knownSchemaVersion } from '../../src/store/migrate.js';
import { Answer } from './answer.js';
import { createTestDatabase } from './database.js';
import { contractOf, type OpenApiContract } from './openapi-contract.js';
import { testReceipts } from './test-receipts.js';

/** The real application on a database of its own. Every answer is held to the application's own API document. */
export interface TestApp {
  readonly app: FastifyInstance;
  readonly database: Database;
  readonly connectionString: string;
  readonly contract: OpenApiContract;
  inject(request: InjectOptions & { readonly url: string }): Promise<Answer>;
  get(path: string, parameters?: Readonly<Record<string, string>>): Promise<Answer>;
  seal(body: unknown): Promise<Answer>;
  rehydrate(body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Asks the store directly, as its owner. */
  query<Row extends QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** The session's events as they are stored, in the order of their chain. */
  storedEvents(session: SessionKey): Promise<StoredEvent[]>;
  close(): Promise<void>;
}

export interface TestAppOptions {
  /** Open to everyone, with attested state, unless said otherwise. */
  readonly access?: AccessOptions;
  readonly database?: Partial<DatabaseOptions>;
  readonly limits?: RateLimits;
  readonly logger?: Logger;
  readonly metricsAccess?: Access;
  readonly tracing?: FastifyPluginCallback;
  /** A database that is there already, and that stays when the app closes. */
  readonly connectionString?: string;
}

interface SessionKey {
  readonly tenant_id: string;
  readonly session_id: string;
}

/** What the tests look at of a stored event. */
export interface StoredEvent extends QueryResultRow {
  readonly event_id: string;
  readonly event_type: string;
  readonly tenant_id: string;
  readonly session_id: string;
  readonly principal_id: string;
  readonly actor: string;
  readonly trace_id: string;
  readonly envelope_id: string;
  readonly decision_id: string | null;
  readonly status: string | null;
  readonly reason: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly sequence: number;
}

export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const store = await databaseFor(options);
  const { connectionString } = store;
  const database = new Database({ connectionString, ...options.database });
  const app = await buildApp({
    database,
    schemaVersion: await knownSchemaVersion(),
    access: options.access ?? { mode: 'open', attestedState: true, hostNames: undefined },
    receipts: await testReceipts(),
    ...(options.limits && { limits: options.limits }),
    ...(options.logger && { logger: options.logger }),
    ...(options.tracing && { tracing: options.tracing }),
    ...(options.metricsAccess && { metricsAccess: options.metricsAccess }),
  });
  await app.ready();
  const contract = contractOf(app.swagger());
  const owner = new Client({ connectionString });
  await owner.connect();

  const inject: TestApp['inject'] = async (request) => {
    const { statusCode: status, headers, payload: text } = await app.inject(request);
    const answer = new Answer(status, headers, text);
    contract.check(request.method ?? 'GET', request.url, answer);
    return answer;
  };
  const post = (url: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...headers },
      payload: JSON.stringify(body),
    });
  const query = async <Row extends QueryResultRow>(sql: string, values: readonly unknown[] = []) =>
    (await owner.query<Row>(sql, [...values])).rows;

  return {
    app,
    database,
    connectionString,
    contract,
    inject,
    get: (path, parameters = {}) => inject({ method: 'GET', url: withQuery(path, parameters) }),
    seal: (body) => post('/envelopes', body),
    rehydrate: (body, headers) => post('/rehydrate', body, headers),
    query,
    storedEvents: ({ tenant_id, session_id }) =>
      query<StoredEvent>(
        `select *, trace_events.sequence::integer as sequence from trace_events
         where tenant_id = $1 and session_id = $2 order by trace_events.sequence`,
        [tenant_id, session_id],
      ),
    close: async () => {
      await app.close();
      await database.close();
      await owner.end();
      await store.drop();
    },
  };
}

async function databaseFor({ connectionString }: TestAppOptions) {
  if (connectionString === undefined) return createTestDatabase();
  return { connectionString, drop: () => Promise.resolve() };
}

function withQuery(path: string, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(parameters).toString();
  return query === '' ? path : `${path}?${query}`;
}
