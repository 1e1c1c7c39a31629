import type { ControlStateFacts, EnvelopeFacts, SealingFacts } from './facts.js';

/**
 * The constraints that an envelope must name: the active ones, and the previous envelope's unless a record says
 * withdrawn or they were released.
 */
export function constraintsToCarry({ previous, released, current }: SealingFacts): string[] {
  const free = [...released, ...constraintsOf(current, 'withdrawn')];
  return [...constraintsOf(current, 'active'), ...without(previous?.constraint_refs, free)];
}

/**
 * The obligations that an envelope must name: the open ones, and the previous envelope's unless a record says
 * discharged or they were released.
 */
export function obligationsToCarry({ previous, released, current }: SealingFacts): string[] {
  const free = [...released, ...obligationsOf(current, 'discharged')];
  return [...obligationsOf(current, 'open'), ...without(previous?.pending_obligations, free)];
}

/** What was sealed as owed and what has joined it since, and what of the sealed has been done since. */
export function obligationsNow(
  { pending_obligations: sealed }: Pick<EnvelopeFacts, 'pending_obligations'>,
  current: ControlStateFacts | null,
) {
  const discharged = obligationsOf(current, 'discharged');
  const pending = without([...new Set([...sealed, ...obligationsOf(current, 'open')])], discharged);
  return { pending, discharged: sealed.filter((obligation) => discharged.includes(obligation)) };
}

/** The recorded obligations of one status. */
export function obligationsOf(current: ControlStateFacts | null, status: 'open' | 'discharged'): string[] {
  const recorded = current?.obligations?.filter(({ obligation_status }) => obligation_status === status);
  return recorded?.map(({ obligation_id }) => obligation_id) ?? [];
}

/** The recorded constraints of one status, by their references. */
export function constraintsOf(current: ControlStateFacts | null, status: 'active' | 'withdrawn'): string[] {
  const recorded = current?.constraints?.filter(({ constraint_status }) => constraint_status === status);
  return recorded?.map(({ ref }) => ref) ?? [];
}

function without(items: readonly string[] = [], excluded: readonly string[]): string[] {
  const set = new Set(excluded);
  return items.filter((item) => !set.has(item));
}
