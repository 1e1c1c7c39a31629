import { asAnswer, stopOf, type SealAnswer } from './answers.js';
import { envelopeOf, type ControlState } from './envelope.js';
import { GateFailureError } from './failures.js';
import { appendEvents, writeRecord, type RecordWrite } from './records.js';
import type { Asker } from './resume.js';
import type { Schemas, SessionEvent } from './wire.js';

/** A boundary: what is written before it, what binds the run, and the summary that takes the context's place. */
export interface SealRequest {
  readonly state: ControlState;
  readonly summary: string;
  /** Waits until what the runtime still holds back is written, before anything else. */
  readonly flush?: () => Promise<void>;
  /** The session's events that the gate's log still lacks. */
  readonly events?: readonly SessionEvent[];
  /** Records to write before the envelope, in this order. */
  readonly records?: readonly RecordWrite[];
  readonly released?: Schemas['SealRequestBody']['released'];
}

/**
 * Seals the boundary in the one order that is safe: flush, events, records, and only then the envelope. The first that
 * fails is the answer, and nothing behind it is done. Unless the answer is `sealed`, the context must not be given up.
 */
export function seal(asker: Asker, request: SealRequest): Promise<SealAnswer> {
  return asAnswer(async () => {
    const { state } = request;
    const envelope = await envelopeOf(state, request.summary);
    await request.flush?.();
    if (request.events?.length) await appendEvents(asker.api, state, request.events);
    for (const record of request.records ?? []) await writeRecord(asker.api, state.tenant_id, record);
    return post(asker, { ...request, envelope });
  });
}

async function post(
  { api, epochs }: Asker,
  { envelope, summary, released, state }: SealRequest & { envelope: Schemas['ContinuityEnvelope'] },
): Promise<SealAnswer> {
  const { session_epoch, decision_id } = (await epochs.read(state)) ?? {};
  // An epoch that another run's go opened is not one to seal at.
  const holds = session_epoch !== undefined && (session_epoch === 0 || decision_id !== undefined);
  const { data, error } = await api.POST('/envelopes', {
    body: {
      continuity_envelope: envelope,
      summary,
      ...(holds && { session_epoch }),
      ...(decision_id !== undefined && { decision_id }),
      ...(released && { released }),
    },
  });
  if (error) return stopOf(error);
  const sealed = data.continuity_envelope;
  if (sealed.envelope_id !== envelope.envelope_id || sealed.summary_sha256 !== envelope.summary_sha256) {
    throw new GateFailureError('foreign_answer', 'The gate answered with another envelope');
  }
  if (session_epoch === undefined) await epochs.write(state, { session_epoch: data.session_epoch });
  return { kind: 'sealed', ...data };
}
