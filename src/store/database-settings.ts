import type pg from 'pg';

/** The role that the service works as, whoever logs in: it owns nothing and is held to one tenant a transaction. */
export const serviceRole = 'continuity_gate_service';

/**
 * What makes a database unfit for the store, as the connected role sees it: one sentence that says how to mend it, or
 * undefined. An encoding can't hold every text that callers send, or what was answered may be lost in a crash.
 */
export async function unfitness(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<Settings>(`
    select
      current_database() as database,
      session_user as role,
      current_setting('server_encoding') as encoding,
      current_setting('synchronous_commit') as synchronous_commit`);
  const [settings] = rows;
  if (!settings) throw new Error("The query for the database's settings gave no row");
  const { database, role, encoding, synchronous_commit } = settings;
  if (encoding !== 'UTF8') {
    return (
      `The database "${database}" is encoded in ${encoding}, and the store needs UTF8: create another one with ` +
      "`encoding 'UTF8' template template0`."
    );
  }
  if (synchronous_commit === 'off') {
    return (
      `\`synchronous_commit\` is off for the role "${role}" in the database "${database}", so that a crash would lose ` +
      'what has been answered: turn it on for the server, the database and the role, and in DATABASE_URL.'
    );
  }
  return undefined;
}

interface Settings {
  readonly database: string;
  readonly role: string;
  readonly encoding: string;
  readonly synchronous_commit: string;
}

/**
 * The connection string of sessions that work as the service role. What a connection string says goes before what its
 * user says beside it: one that has `options` of its own would leave the session the rights of whoever logs in.
 */
export function asServiceRole(connectionString: string): { connectionString: string; options: string } {
  const asRole = `-c role=${serviceRole}`;
  const start = connectionString.indexOf('?');
  const parameters = new URLSearchParams(start < 0 ? '' : connectionString.slice(start));
  const own = parameters.getAll('options').at(-1);
  if (own === undefined) return { connectionString, options: asRole };
  const options = `${own} ${asRole}`;
  parameters.set('options', options);
  return { connectionString: `${connectionString.slice(0, start)}?${parameters.toString()}`, options };
}
