import { copyFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { drive, type Machine, type Work } from './drive.js';
import { trackStatements, withClient } from './postgres.js';

/** Where each side's time went, the biggest part first. */
export interface Share {
  readonly what: string;
  readonly ms: number;
  readonly calls?: number;
}

/** Lets clients do the work while Postgres keeps the time of its statements, and tells the ten that took most. */
export async function profilePostgres(
  work: Work,
  clients: number,
  seconds: number,
  machine: Machine,
  connectionString: string,
): Promise<Share[]> {
  return withClient(connectionString, async (client) => {
    await trackStatements(client, 'all');
    await client.query('select pg_stat_statements_reset()');
    await drive(work, clients, seconds, machine);
    const { rows } = await client.query<Share>(`
      select left(regexp_replace(query, '\\s+', ' ', 'g'), 70) as what, total_exec_time as ms, calls::float as calls
      from pg_stat_statements
      order by total_exec_time desc
      limit 10`);
    await trackStatements(client, 'none');
    return rows;
  });
}

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** The ten functions that took most time themselves, of the profile that Node left in the folder; keeps the profile. */
export async function readCpuProfile(directory: string, keepAs: string): Promise<Share[]> {
  const [name] = (await readdir(directory)).filter((file) => file.endsWith('.cpuprofile'));
  if (name === undefined) throw new Error('The gate has left no profile');
  await copyFile(join(directory, name), keepAs);
  return selfTimes(JSON.parse(await readFile(join(directory, name), 'utf8')) as CpuProfile).slice(0, 10);
}

/** Own time of every function, the biggest first; what was idle is left out. */
export function selfTimes({ nodes, samples, timeDeltas }: CpuProfile): Share[] {
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
      id,
      url === ''
        ? functionName
        : `${functionName || '(anonymous)'} ${url.split('/').slice(-3).join('/')}:${lineNumber + 1}`,
    ]),
  );
  const times = new Map<string, number>();
  for (const [index, sample] of samples.entries()) {
    const name = names.get(sample) ?? '';
    times.set(name, (times.get(name) ?? 0) + (timeDeltas[index] ?? 0) / 1_000);
  }
  times.delete('(idle)');
  return [...times].map(([what, ms]) => ({ what, ms })).sort((one, other) => other.ms - one.ms);
}
