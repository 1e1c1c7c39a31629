import type { components } from './generated/api.js';

/** The values of the gate's API, by the names that its document gives them. */
export type Schemas = components['schemas'];

export type Envelope = Schemas['ContinuityEnvelope'];
export type SealedEnvelope = Schemas['SealedEnvelope'];
export type GoDecision = Schemas['GoDecision'];
export type StopDecision = Schemas['StopDecision'];
export type ContextView = Schemas['ContextView'];
export type Problem = Schemas['ProblemDetails'];
export type SessionEvent = Schemas['AppendEventsBody']['events'][number];
export type Settlement = Schemas['SettlementBody'];

/** Which session. */
export interface SessionRef {
  readonly tenant_id: string;
  readonly session_id: string;
}
