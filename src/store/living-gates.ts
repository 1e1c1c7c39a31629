import type { SqlTransaction } from './sql.js';

/** The keys of a gate's receipts, as thumbprints. */
export interface GateKeys {
  readonly signs_with: string;
  /** All keys of its set, the one that it signs with among them. */
  readonly publishes: readonly string[];
}

/** How long after its last word a gate still counts as one that lives, in seconds: several words may be lost. */
export const lifeOfWordSeconds = 30;

/** The other gates that live. Whoever is about to join holds the table meanwhile, so that no two join unseen. */
export async function otherGates(
  transaction: SqlTransaction,
  gateId: string,
  isJoining: boolean,
): Promise<GateKeys[]> {
  const [, others] = await Promise.all([
    isJoining ? transaction.query(lockTable) : undefined,
    transaction.query<{ signs_with: string; publishes: string[] }>({
      name: 'other_gates',
      text: `
        select signs_with, publishes
        from living_gates
        where gate_id <> $1 and seen_at > clock_timestamp() - make_interval(secs => $2)`,
      values: [gateId, lifeOfWordSeconds],
    }),
  ]);
  return others;
}

const lockTable = {
  name: 'lock_living_gates',
  text: 'lock table living_gates in share row exclusive mode',
  values: [],
};

/** Says that a gate lives. Those that have not said so for a day are forgotten. */
export async function sayAlive(
  transaction: SqlTransaction,
  gateId: string,
  { signs_with, publishes }: GateKeys,
): Promise<void> {
  await transaction.query({
    name: 'say_alive',
    text: `
      with forgotten as (
        delete from living_gates where seen_at < clock_timestamp() - interval '1 day' and gate_id <> $1
      )
      insert into living_gates (gate_id, signs_with, publishes)
      values ($1, $2, $3)
      on conflict (gate_id) do update set seen_at = clock_timestamp()`,
    values: [gateId, signs_with, publishes],
  });
}

/** Says that a gate is about to end. */
export async function sayGoodbye(transaction: SqlTransaction, gateId: string): Promise<void> {
  await transaction.query({
    name: 'say_goodbye',
    text: 'delete from living_gates where gate_id = $1',
    values: [gateId],
  });
}
