// Stands in for psql on machines without it, as far as the pages use it:
//   PGSERVICEFILE=<file> node psql-stand-in.js service=<name> -c <statement>
// Prints the rows as psql does, but for the width of the columns.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import pg from 'pg';

const [service, flag, statement] = process.argv.slice(2);
if (!service?.startsWith('service=') || flag !== '-c') throw new Error('psql service=<name> -c <statement>');

const client = new pg.Client(connectionOf(service.slice('service='.length)));
await client.connect();
const { fields, rows } = await client.query({ text: statement, rowMode: 'array' });
await client.end();
const lines = [
  fields.map(({ name }) => name).join(' | '),
  fields.map(() => '--').join('-+-'),
  ...rows.map((row) => row.map((value) => value ?? '').join(' | ')),
  `(${rows.length} ${rows.length === 1 ? 'row' : 'rows'})`,
];
process.stdout.write(`${lines.join('\n')}\n`);

function connectionOf(name) {
  const lines = readFileSync(process.env.PGSERVICEFILE, 'utf8').trim().split('\n');
  if (lines[0] !== `[${name}]`) throw new Error(`definition of service "${name}" not found`);
  const { dbname: database, ...rest } = Object.fromEntries(lines.slice(1).map((line) => line.split(/=(.*)/)));
  return { database, ...rest };
}
