import { goOf, asAnswer, stopOf, type Blocked, type CouldNotAsk, type Go, type Stopped } from './answers.js';
import { sha256Hex, summaryDigest } from './digest.js';
import type { EpochStore, KeptSession } from './epochs.js';
import { GateFailureError, GateProblemError } from './failures.js';
import type { GateApi } from './transport.js';
import { ReceiptRefusedError, verifyReceipt, type ReceiptRules } from './verify-receipt.js';
import type { GoDecision, Schemas, SessionRef } from './wire.js';

/** Who resumes what, and the summary that it resumes from. */
export interface ResumeRequest extends Readonly<Omit<Schemas['RehydrateRequestBody'], 'session_epoch'>> {
  /** Take the session over from whoever holds it now, also where an epoch of one's own is kept. */
  readonly take_over?: boolean;
}

/** What asking needs. */
export interface Asker {
  readonly api: GateApi;
  readonly epochs: EpochStore;
  readonly receipts: Pick<ReceiptRules, 'keys' | 'issuer'>;
}

/** A go, and the question that it answered. */
export interface Granted {
  readonly go: Go;
  readonly question: Question;
}

/**
 * Asks whether the run may resume. Every answer but a `go` is a stop, and a go permits nothing.
 *
 * The question always names the epoch that it builds on, so that two runtimes which ask at once can't both get a go, and
 * it has an `Idempotency-Key`, so that an answer that got lost can be had again.
 */
export function resume(asker: Asker, request: ResumeRequest): Promise<Stop | Granted> {
  return asAnswer(async () => {
    const kept = await asker.epochs.read(request);
    const question = await questionOf(asker, request, kept);
    const held = heldAt(question.body.session_epoch, kept);
    await asker.epochs.write(request, { ...held, unanswered: question.unanswered });
    const answer = await ask(asker, question);
    await asker.epochs.write(request, 'go' in answer ? heldBy(answer.go) : held);
    return answer;
  });
}

/**
 * Asks the question of a go once more, for a fresh receipt. Rejects unless the same go still holds; it can't become
 * another one, because the question names the epoch before it.
 */
export async function renew(asker: Asker, { go, question }: Granted): Promise<Go> {
  const answer = await ask(asker, question);
  if ('go' in answer && answer.go.decision_id === go.decision_id) return answer.go;
  throw new ReceiptRefusedError('stale_epoch');
}

/** Every answer that lets nothing go on. */
export type Stop = Blocked | Stopped | CouldNotAsk;

interface Question {
  readonly body: Schemas['RehydrateRequestBody'] & { readonly session_epoch: number };
  readonly unanswered: NonNullable<KeptSession['unanswered']>;
}

/** The epoch that a question builds on, and the go that opened it if it is this runtime's own. */
function heldAt(session_epoch: number, kept: KeptSession | undefined): KeptSession {
  const decision_id = kept?.session_epoch === session_epoch ? kept.decision_id : undefined;
  return { session_epoch, ...(decision_id !== undefined && { decision_id }) };
}

function heldBy({ session_epoch, decision_id }: Go): KeptSession {
  return { session_epoch, decision_id };
}

async function questionOf(
  asker: Asker,
  { take_over = false, ...request }: ResumeRequest,
  kept: KeptSession | undefined,
): Promise<Question> {
  const request_sha256 = await sha256Hex(JSON.stringify(request));
  const again =
    kept?.unanswered?.request_sha256 === request_sha256 && !take_over ? kept.unanswered : undefined;
  const known = take_over ? undefined : kept?.session_epoch;
  const session_epoch = again?.session_epoch ?? known ?? (await currentEpoch(asker.api, request));
  const idempotency_key = again?.idempotency_key ?? crypto.randomUUID();
  return {
    body: { ...request, session_epoch },
    unanswered: { request_sha256, idempotency_key, session_epoch },
  };
}

async function ask(asker: Asker, question: Question): Promise<Blocked | Stopped | Granted> {
  const { body, unanswered } = question;
  const { data, error } = await asker.api.POST('/rehydrate', {
    params: { header: { 'idempotency-key': unanswered.idempotency_key } },
    body,
  });
  if (error) {
    if ('decision_id' in error) requireAnswerTo(body, error);
    return stopOf(error);
  }
  await requireGo(asker, question, data);
  return { go: goOf(data), question };
}

/** The session's epoch now. */
export async function currentEpoch(api: GateApi, { tenant_id, session_id }: SessionRef): Promise<number> {
  const { data, error } = await api.GET('/tenants/{tenant_id}/sessions/{session_id}/epoch', {
    params: { path: { tenant_id, session_id } },
  });
  if (data) return data.session_epoch;
  // Nobody has resumed a session that the gate doesn't know.
  if (error.code === 'record_not_found') return 0;
  throw new GateProblemError(error);
}

/** Everything about a go that can be known must be as it has to be. */
async function requireGo(asker: Asker, { body }: Question, go: GoDecision): Promise<void> {
  requireAnswerTo(body, go);
  const expected: [unknown, unknown][] = [
    [go.findings.length, 0],
    [go.session_epoch, body.session_epoch + 1],
    [go.trace_event.event_type, 'context_rehydration'],
    [go.held_by, body.runtime_id ?? go.held_by],
    [go.context_view.summary.sha256, await summaryDigest(body.summary)],
    [go.context_view.checkpoint_ref, go.checkpoint_ref],
    ...authorizationMembers(go),
  ];
  if (expected.some(([told, wanted]) => told !== wanted)) throw foreign();
  await requireReceipt(asker, body, go);
}

/** What is asked for is one of the frozen actions, in the session and the epoch of the go. */
function authorizationMembers(go: GoDecision): [unknown, unknown][] {
  const { pending_actions, authorization_request: only, authorization_requests = only ? [only] : [] } = go;
  const actions = pending_actions ?? [
    {
      idempotency_key: go.idempotency_key,
      capability_name: go.versions.capability_name,
      capability_version: go.versions.capability_version,
    },
  ];
  return [
    // An envelope of the first version has one action, which is always asked for.
    [only !== undefined, pending_actions === undefined],
    ...authorization_requests.flatMap(({ action, resource, context }): [unknown, unknown][] => {
      const frozen = actions.find(({ idempotency_key }) => idempotency_key === resource.id);
      return [
        [frozen !== undefined, true],
        [action.name, frozen?.capability_name],
        [context.capability_version, frozen?.capability_version],
        [context.tenant_id, go.tenant_id],
        [context.session_id, go.session_id],
        [context.session_epoch, go.session_epoch],
        [context.policy_version, go.versions.policy_version],
      ];
    }),
  ];
}

async function requireReceipt({ receipts }: Asker, body: Question['body'], go: GoDecision): Promise<void> {
  const { tenant_id, session_id } = body;
  try {
    const claims = await verifyReceipt(go.receipt, {
      ...receipts,
      tenant_id,
      session_id,
      session_epoch: go.session_epoch,
    });
    if (claims.jti !== go.decision_id) throw foreign();
  } catch (cause) {
    if (!(cause instanceof ReceiptRefusedError)) throw cause;
    throw new GateFailureError('receipt_refused', cause.message, cause);
  }
}

/** An answer says what it is about: one to another question may have been kept by something in between. */
function requireAnswerTo(
  question: Question['body'],
  answer: Pick<GoDecision, 'envelope_id' | 'session_id' | 'tenant_id' | 'trace_id'>,
): void {
  const members = ['envelope_id', 'session_id', 'tenant_id', 'trace_id'] as const;
  // The gate keeps ids without the white space around them.
  if (members.some((member) => answer[member] !== question[member].trim())) throw foreign();
}

function foreign(): GateFailureError {
  return new GateFailureError('foreign_answer', 'The gate answered another question');
}
