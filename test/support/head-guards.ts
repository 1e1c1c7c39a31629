import { query } from './database.js';

/** The guards of heads refuse most of what a faulty program would write: without them a test shows that its checks notice. */
export async function setHeadGuards(connectionString: string, state: 'enable' | 'disable'): Promise<void> {
  for (const guard of ['session_heads_no_rewind', 'session_heads_newest_envelope']) {
    await query(connectionString, `alter table session_heads ${state} trigger ${guard}`);
  }
}
