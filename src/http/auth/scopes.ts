import { recordScopes } from '../../domain/record-kinds.js';

/** What a token can allow, each for one kind of caller. */
export const scopeMeanings = {
  'envelopes:write': 'Seal envelopes.',
  rehydrate: 'Ask whether a run may resume.',
  'state:attest': 'Attest the current state of sessions without records, and release what they carry.',
  ...recordScopes,
  'events:write': 'Append to the event log.',
  reconcile: 'Settle side effects whose outcome is unknown.',
  'records:read': 'Read records and envelopes.',
  'trace:read': 'Read decisions and the trace.',
} as const;

export type Scope = keyof typeof scopeMeanings;

export const scopes = Object.keys(scopeMeanings) as Scope[];

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopeMeanings, text);
}

/**
 * Who may call a route: everyone, everyone with a valid token, or everyone with a token that has one of these scopes. On
 * loopback `direct` is everyone on this machine; what a proxy has passed on needs a token that may read the trace.
 * Every route declares it; one that doesn't keeps the service from starting.
 */
export type Access = 'public' | 'direct' | 'authenticated' | readonly Scope[];
