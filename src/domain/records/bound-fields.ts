import { identifier } from '../schemas.js';

export const sessionId = identifier('Session that the record belongs to; never changes.', {
  examples: ['session-support-001'],
});
export const capabilityName = identifier('Capability that the action calls; never changes.', {
  examples: ['create_ticket'],
});
export const actionDigest = identifier('Digest of the action; never changes.', {
  examples: ['sha256:approved-action'],
});

/** What an approval and the side effect that rests on it have to agree on. */
export const boundFields = ['session_id', 'capability_name', 'action_digest'] as const;
