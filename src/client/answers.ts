import { GateFailureError, GateProblemError, type Failure } from './failures.js';
import type { GoDecision, Schemas, SealedEnvelope, StopDecision } from './wire.js';

/** A decision without the members that repeat the kind, or that could be taken for a permission. */
type Told<Decision> = Omit<Decision, 'status' | 'authorized'>;

/**
 * Continuity holds, and nothing is permitted by it: rebuild the context from `context_view`, and send
 * `authorization_request` to the policy decision point before the next call.
 */
export interface Go extends Readonly<Told<GoDecision>> {
  readonly kind: 'go';
}

/** An effect may already have happened: settle what `reconciliation` names, then ask again. */
export interface Blocked extends Readonly<Told<StopDecision>> {
  readonly kind: 'blocked';
}

/** Something that the run relied on no longer holds, or the caller may not ask. */
export interface Stopped {
  readonly kind: 'stopped';
  readonly reason: StopDecision['reason'] | Schemas['ProblemDetails']['code'];
  /** What the gate says of it; for a malformed request, what is wrong. */
  readonly detail: string;
  /** The decision, where the rules were asked. */
  readonly decision?: Readonly<Told<StopDecision>>;
  /** With `stale_epoch` at sealing: who holds the session. */
  readonly held_by?: string | null;
}

/** The gate was not heard, or not understood. That is a stop: nothing may go on. */
export interface CouldNotAsk {
  readonly kind: 'could_not_ask';
  readonly failure: Failure;
  readonly detail: string;
}

/** The envelope is sealed: the context may be given up now. */
export interface Sealed extends Readonly<SealedEnvelope> {
  readonly kind: 'sealed';
}

export type ResumeAnswer = Go | Blocked | Stopped | CouldNotAsk;
export type SealAnswer = Sealed | Blocked | Stopped | CouldNotAsk;

/** The answer, or why there is none as an answer of its own. Anything else that is thrown is a bug. */
export async function asAnswer<Answer>(
  ask: () => Promise<Answer>,
): Promise<Answer | Blocked | Stopped | CouldNotAsk> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof GateProblemError) return stopOf(error.problem);
    if (!(error instanceof GateFailureError)) throw error;
    return { kind: 'could_not_ask', failure: error.failure, detail: error.message };
  }
}

export function goOf({ status: _, authorized: __, ...decision }: GoDecision): Go {
  return { kind: 'go', ...decision };
}

/** A stop of the gate, whichever form it has. */
export function stopOf(
  stop: StopDecision | Schemas['StopProblem'] | Schemas['ProblemDetails'],
): Blocked | Stopped {
  if ('decision_id' in stop) return stopByDecision(stop);
  const { code, detail } = stop;
  const held_by = 'held_by' in stop ? stop.held_by : undefined;
  return { kind: 'stopped', reason: code, detail, ...(held_by !== undefined && { held_by }) };
}

function stopByDecision({ status, authorized: _, ...decision }: StopDecision): Blocked | Stopped {
  if (status === 'blocked_on_reconciliation') return { kind: 'blocked', ...decision };
  const detail = `Found: ${decision.findings.map(({ reason }) => reason).join(', ')}`;
  return { kind: 'stopped', reason: decision.reason, detail, decision };
}
