export type { Blocked, CouldNotAsk, Go, ResumeAnswer, SealAnswer, Sealed, Stopped } from './answers.js';
export { summaryDigest } from './digest.js';
export type { ControlState, PendingAction } from './envelope.js';
export { memoryEpochStore, type EpochStore, type KeptSession } from './epochs.js';
export { GateFailureError, GateProblemError, type Failure } from './failures.js';
export { connectGate, type Gate, type GateOptions } from './gate.js';
export { ToolRefusedError } from './guard-tool.js';
export type { RecordWrite } from './records.js';
export { renderContext } from './render-context.js';
export type { ResumeRequest } from './resume.js';
export type { SealRequest } from './seal.js';
export {
  ReceiptRefusedError,
  verifyReceipt,
  type ReceiptAction,
  type ReceiptClaims,
  type ReceiptRules,
} from './verify-receipt.js';
export type { ContextView, Envelope, Schemas, SessionEvent, SessionRef, Settlement } from './wire.js';
