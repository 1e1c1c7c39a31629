import { afterAll, beforeAll, expect, it } from 'vitest';

import { createEmptyDatabase, createTestDatabase, query, type TestDatabase } from '../support/database.js';
import { runCli } from '../support/run-cli.js';
import { failToStart } from '../support/service-process.js';

let latin: TestDatabase;
let careless: TestDatabase;
let fit: TestDatabase;

beforeAll(async () => {
  latin = await createEmptyDatabase("encoding 'LATIN1' locale_provider libc locale 'C'");
  [careless, fit] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await query(careless.connectionString, `alter database ${nameOf(careless)} set synchronous_commit = off`);
});

afterAll(() => Promise.all([latin, careless, fit].map((database) => database.drop())));

const unfit: readonly { fault: string; url: () => string; says: () => string }[] = [
  {
    fault: 'is not encoded in UTF-8',
    url: () => latin.connectionString,
    says: () =>
      `The database "${nameOf(latin)}" is encoded in LATIN1, and the store needs UTF8: create another one with ` +
      "`encoding 'UTF8' template template0`.",
  },
  {
    fault: 'does not wait for the disk',
    url: () => careless.connectionString,
    says: () =>
      `\`synchronous_commit\` is off for the role "${new URL(careless.connectionString).username}" in the database ` +
      `"${nameOf(careless)}", so that a crash would lose what has been answered: turn it on for the server, the ` +
      'database and the role, and in DATABASE_URL.',
  },
  {
    fault: 'is told by its URL not to wait for the disk',
    url: () => `${fit.connectionString.replace(/\?.*/, '')}?options=-c%20synchronous_commit%3Doff`,
    says: () =>
      `\`synchronous_commit\` is off for the role "${new URL(fit.connectionString).username}" in the database ` +
      `"${nameOf(fit)}", so that a crash would lose what has been answered: turn it on for the server, the ` +
      'database and the role, and in DATABASE_URL.',
  },
];

it.each(unfit)('a database that $fault is refused at start, in a sentence', async ({ url, says }) => {
  expect(await failToStart({ PORT: '0', DATABASE_URL: url() })).toEqual({
    exitCode: 1,
    output: `${says()}\n`,
  });
  expect(await runCli(['migrate'], { DATABASE_URL: url() })).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `The migrations were not applied: ${says()}\n`,
  });
});

function nameOf({ connectionString }: TestDatabase): string {
  return new URL(connectionString).pathname.slice(1);
}
