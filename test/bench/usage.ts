import { readdir, readFile } from 'node:fs/promises';

/** Milliseconds in the unit in which Linux tells CPU time to programs: USER_HZ is 100 everywhere. */
const tickMs = 10;

interface ProcessTimes {
  readonly parent: number;
  /** CPU time of the process itself, in milliseconds. */
  readonly own: number;
  /** CPU time of its children that have ended. */
  readonly ended: number;
}

export async function parentOf(pid: number): Promise<number> {
  return (await timesOf(pid))?.parent ?? NaN;
}

/** CPU time of a process so far, in milliseconds. */
export async function cpuOf(pid: number): Promise<number> {
  return (await timesOf(pid))?.own ?? NaN;
}

/** CPU time of a process and all its children so far, those that have ended as well: a Postgres server is many. */
export async function cpuOfFamily(pid: number): Promise<number> {
  const family = [pid, ...(await childrenOf(pid))];
  const times = await Promise.all(family.map(timesOf));
  return times.reduce((sum, one) => sum + (one ? one.own + one.ended : 0), 0);
}

/** Memory of a process in MiB; what it shares with others is counted in part, so that a family's parts add up. */
export async function memoryOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? NaN) / 1024;
}

export async function memoryOfFamily(pid: number): Promise<number> {
  const parts = await Promise.all([pid, ...(await childrenOf(pid))].map(memoryOf));
  return parts.reduce((sum, part) => sum + (Number.isNaN(part) ? 0 : part), 0);
}

async function childrenOf(pid: number): Promise<number[]> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(all.map(async (one) => ({ one, parent: (await timesOf(one))?.parent })));
  return parents.filter(({ parent }) => parent === pid).map(({ one }) => one);
}

/** Undefined for a process that has ended. */
async function timesOf(pid: number): Promise<ProcessTimes | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  // The name in parentheses may hold anything; what follows it are numbers, beginning with the third field.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = (field: number) => Number(fields[field - 3]) * tickMs;
  return { parent: Number(fields[1]), own: ticks(14) + ticks(15), ended: ticks(16) + ticks(17) };
}
