import { createHash } from 'node:crypto';

import { Value } from '@sinclair/typebox/value';
import canonicalize from 'canonicalize';
import { beforeAll, describe, expect, it } from 'vitest';

import {
  chainEvent,
  chainStart,
  eventDigest,
  noSubject,
  TraceEvent,
  type UnchainedEvent,
} from '../../../src/domain/trace-event.js';
import { traceEventTypes } from '../../../src/domain/vocabulary.js';
import { valueAt } from '../../support/edit-json.js';
import { registerChecks } from '../../support/read-fixture.js';

const unchained: UnchainedEvent = {
  event_id: '01987c1e-7f00-7000-8000-000000000001',
  event_type: 'context_rehydration',
  occurred_at: '2026-07-21T17:00:00.000000Z',
  tenant_id: 'tenant-acme',
  session_id: 'session-9',
  principal_id: 'user-42',
  actor: 'runtime-7',
  trace_id: 'trace-42',
  span_id: null,
  envelope_id: 'ce-7',
  decision_id: '01987c1e-7f00-7000-8000-000000000002',
  status: 'reauthorization_required',
  reason: 'continuity_validated',
  payload: { session_epoch: 4, versions_reloaded: { policy_version: 'pölicy-v4' }, findings: [] },
};
const start = { sequence: 0, sha256: chainStart };
const first = chainEvent(unchained, start);

/** All that the digest is over. */
const fields = Object.keys(first).filter((field) => field !== 'event_sha256');

beforeAll(registerChecks);

describe('an event in its chain', () => {
  it('begins it with 64 zeros', () => {
    expect(first).toMatchObject({ sequence: 1, previous_sha256: '0'.repeat(64) });
  });

  it('follows the tip, by its sequence and its digest', () => {
    const second = chainEvent(unchained, { sequence: first.sequence, sha256: first.event_sha256 });

    expect(second).toMatchObject({ sequence: 2, previous_sha256: first.event_sha256 });
    expect(second.event_sha256).not.toBe(first.event_sha256);
  });

  it('says all that it said before, and the version of its schema', () => {
    expect(first).toEqual({
      ...unchained,
      schema_version: 'continuity-trace-event/v1',
      sequence: 1,
      previous_sha256: chainStart,
      event_sha256: recomputed(first),
    });
  });

  it('has a digest that anyone can recompute from it', () => {
    expect(first.event_sha256).toBe(recomputed(first));
    // From another language's JSON and hash functions.
    expect(first.event_sha256).toBe('e56f5184eaabf648beaae3179a08fe94dc6eb2138f55adde596983ff611c1665');
  });

  it('has the same digest whether that is on it already or not', () => {
    const { event_sha256, ...bare } = first;

    expect(eventDigest(bare)).toBe(event_sha256);
    expect(eventDigest(first)).toBe(event_sha256);
  });

  it('has the same digest whatever order its members come in', () => {
    const reversed = { ...first, ...Object.fromEntries(Object.entries(first).reverse()) };

    expect(eventDigest(reversed)).toBe(first.event_sha256);
  });

  it.each(fields)('has another digest once its %s is tampered with', (field) => {
    const other = typeof valueAt(first, `/${field}`) === 'number' ? 99 : 'tampered';

    expectOtherDigest({ ...first, [field]: other });
    expectOtherDigest({ ...first, [field]: undefined });
  });

  it.each([
    { ...unchained.payload, session_epoch: 5 },
    { ...unchained.payload, findings: [{ reason: 'stale_epoch' }] },
    { ...unchained.payload, versions_reloaded: { policy_version: 'policy-v4' } },
    { ...unchained.payload, added: null },
  ])('has another digest once its payload is %j', (payload) => {
    expectOtherDigest({ ...first, payload });
  });
});

describe('the documented event', () => {
  it('is known in the API document by its own name', () => {
    expect([TraceEvent.$id, TraceEvent.title]).toEqual(['TraceEvent', 'TraceEvent']);
  });

  it('is what is chained, and has no other field', () => {
    expect([...Value.Errors(TraceEvent, first)]).toEqual([]);
    expect(Value.Check(TraceEvent, { ...first, authorized: true })).toBe(false);
    expect(Object.keys(TraceEvent.properties)).toHaveLength(Object.keys(first).length);
  });

  it.each(Object.keys(first))('has %s, of the type that it documents', (field) => {
    expect(Value.Check(TraceEvent, { ...first, [field]: true })).toBe(false);
    expect(Value.Check(TraceEvent, { ...first, [field]: undefined })).toBe(false);
  });

  it.each([
    { event_id: 'event-1' },
    { event_type: 'authorized_by_summary' },
    { occurred_at: 'yesterday' },
    { sequence: 0 },
    { sequence: 1.5 },
  ])('is not %j', (malformed) => {
    expect(Value.Check(TraceEvent, { ...first, ...malformed })).toBe(false);
  });

  it('names its types as text', () => {
    expect(TraceEvent.properties.event_type).toMatchObject({ type: 'string', enum: traceEventTypes });
  });

  it('may be about nothing but its tenant or session', () => {
    expect(Value.Check(TraceEvent, { ...first, ...noSubject })).toBe(true);
    expect(noSubject).toEqual({
      principal_id: null,
      trace_id: null,
      span_id: null,
      envelope_id: null,
      decision_id: null,
      status: null,
      reason: null,
    });
  });
});

function expectOtherDigest(tampered: TraceEvent): void {
  expect(eventDigest(tampered)).not.toBe(first.event_sha256);
  expect(eventDigest(tampered)).toBe(recomputed(tampered));
}

function recomputed(event: TraceEvent): string {
  const others = Object.entries(event).filter(([field]) => field !== 'event_sha256');
  return createHash('sha256')
    .update(canonicalize(Object.fromEntries(others)) ?? '')
    .digest('hex');
}
