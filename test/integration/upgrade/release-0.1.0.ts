import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { Type } from '@sinclair/typebox';
import pg from 'pg';
import Postgrator from 'postgrator';

import { readFixture } from '../../support/read-fixture.js';

/**
 * The released 0.1.0: its program, and a database that it filled through its own API, table by table.
 *
 * The rows of a table are one JSON text, so that what is stored as json keeps its letters.
 */
export interface Release {
  readonly directory: string;
  /** Such as `…/dist/server.js`. */
  readonly program: string;
  remove(): Promise<void>;
}

/** Unpacks the program where it finds the packages that it needs. */
export async function unpackRelease(): Promise<Release> {
  const cache = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url));
  await mkdir(cache, { recursive: true });
  const directory = await mkdtemp(join(cache, 'continuity-gate-0.1.0-'));
  const archive = fileURLToPath(new URL('../../fixtures/release-0.1.0/program.tgz', import.meta.url));
  await promisify(execFile)('tar', ['-xzf', archive, '-C', directory]);
  return {
    directory,
    program: join(directory, 'dist/server.js'),
    remove: () => rm(directory, { recursive: true }),
  };
}

/** Makes an empty database what 0.1.0 left: its schema, and the rows that it wrote. */
export async function fillAsRelease(connectionString: string, release: Release): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await new Postgrator({
      driver: 'pg',
      migrationPattern: join(release.directory, 'migrations/*.sql'),
      schemaTable: 'schema_migrations',
      execQuery: (query) => client.query(query),
    }).migrate();
    // The rows are of the month in which they were written, for which later databases have no partition.
    await client.query(`
      create table trace_events_of_release partition of trace_events default`);
    // Checked when they were written; in which order they come back says nothing.
    await client.query('set session_replication_role = replica');
    for (const [table, rows] of Object.entries(readFixture('release-0.1.0/rows.json', Rows))) {
      await client.query(
        `insert into ${table} overriding system value
         select * from json_populate_recordset(null::${table}, $1::json)`,
        [rows],
      );
    }
  } finally {
    await client.end();
  }
}

const Rows = Type.Record(Type.String(), Type.String());

/** What was asked of that database in the end, in this order, and what 0.1.0 answered. */
export function requestsOfRelease() {
  return readFixture('release-0.1.0/requests.json', Asked);
}

const Asked = Type.Array(
  Type.Object({
    title: Type.String(),
    body: Type.Object({ tenant_id: Type.String(), envelope_id: Type.String(), session_id: Type.String() }),
    wanted: Type.Object({
      http: Type.Integer(),
      status: Type.String(),
      reason: Type.String(),
      findings: Type.Optional(Type.Array(Type.Object({ reason: Type.String() }))),
    }),
  }),
);
