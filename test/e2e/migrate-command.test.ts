import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { knownSchemaVersion } from '../../src/store/migrate.js';
import { createEmptyDatabase, query, type TestDatabase } from '../support/database.js';
import { runCli } from '../support/run-cli.js';

describe('continuity-gate migrate', () => {
  let database: TestDatabase;
  let migrated: string;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    migrated = `The database is at schema version ${await knownSchemaVersion()}.\n`;
  });

  afterAll(() => database.drop());

  it('makes the schema, and finds nothing left to do when it runs again', async () => {
    const first = await migrateAt(database.connectionString);
    const second = await migrateAt(database.connectionString);

    expect(first).toEqual({ exitCode: 0, stdout: migrated, stderr: '' });
    expect(second).toEqual(first);
    const tables = await query(database.connectionString, "select to_regclass('trace_events') as made");
    expect(tables).toEqual([{ made: 'trace_events' }]);
  });

  it('asks for no other setting: those of the service may be absent, or wrong for it', async () => {
    const settings = { DATABASE_URL: database.connectionString, HOST: '0.0.0.0', AUTH_NONSENSE: 'x' };

    expect(await runCli(['migrate'], settings)).toMatchObject({ exitCode: 0, stdout: migrated });
  });

  it("leaves a role of the service's own nothing to do", async () => {
    const role = `service_${randomUUID().replaceAll('-', '')}`;
    await query(
      database.connectionString,
      `create role ${role} login password 'service' in role continuity_gate_service`,
    );
    try {
      const url = new URL(database.connectionString);
      Object.assign(url, { username: role, password: 'service' });
      expect(await migrateAt(url.href)).toMatchObject({ exitCode: 0, stdout: migrated });
    } finally {
      await query(database.connectionString, `drop role ${role}`);
    }
  });

  it('refuses a database that newer code has migrated', async () => {
    await query(
      database.connectionString,
      'insert into schema_versions (version, oldest_program) values (9999, 9999)',
    );
    try {
      const { exitCode, stdout, stderr } = await migrateAt(database.connectionString);
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
      expect(stderr).toMatch(
        /^The migrations were not applied: The database is at schema version 9999, [^\n]*\n$/,
      );
    } finally {
      await query(database.connectionString, 'delete from schema_versions where version = 9999');
    }
  });

  it.each([
    [undefined, 'is not set'],
    ['', 'is not set'],
    ['mysql://user:secret@host/db', 'is malformed'],
  ])('refuses %j as DATABASE_URL, and says what it should be', async (url, fault) => {
    expect(await runCli(['migrate'], { DATABASE_URL: url })).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `The settings are not usable:\n  DATABASE_URL ${fault}: postgres://user:password@host:port/database\n`,
    });
  });

  it('says in a sentence that the database does not answer, and keeps its password to itself', async () => {
    const { exitCode, stdout, stderr } = await migrateAt('postgres://user:secret@localhost:1/db');

    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^The migrations were not applied: [^\n]*ECONNREFUSED[^\n]*\n$/);
    expect(stderr).not.toContain('secret');
  });
});

function migrateAt(connectionString: string) {
  return runCli(['migrate'], { DATABASE_URL: connectionString });
}
