import fc from 'fast-check';
import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';

import { authorizationRequests } from '../../../src/domain/authorization-request.js';
import { decide } from '../../../src/domain/decide.js';
import { disclose } from '../../../src/domain/disclosure.js';
import { ContinuityEnvelopeV2 } from '../../../src/domain/envelope/v2.js';
import { envelopeFacts, type KnownEnvelope } from '../../../src/domain/envelope/versions.js';
import type { ComparedFacts, DecisionFacts, EnvelopeFacts, FrozenAction } from '../../../src/domain/facts.js';
import { ContinuityFormatError } from '../../../src/domain/format-error.js';
import { inspectedFacts } from '../../../src/domain/inspect.js';
import { readerOf } from '../../../src/domain/reader/reader.js';
import { parseInspectRequest } from '../../../src/domain/requests.js';
import { revisionsOf, versionsOf } from '../../../src/domain/trace.js';
import { schemaVersion, schemaVersion2 } from '../../../src/domain/vocabulary.js';
import { exampleEnvelopeV2 } from '../../../src/http/openapi/examples.js';
import { anyComparedFacts, anySealingFacts } from './arbitrary-facts.js';
import { comparedFacts } from '../../support/decision-cases.js';
import { readFixture } from '../../support/read-fixture.js';

const read = readerOf(ContinuityEnvelopeV2);
const action = exampleEnvelopeV2.pending_actions[0] as FrozenAction;

describe('an envelope of the second version', () => {
  it.each([0, 1, 32])('may freeze %i actions', (count) => {
    expect(faultsIn(actions(count))).toEqual([]);
  });

  it('may not freeze 33', () => {
    expect(faultsIn(actions(33))).toEqual(['Continuity field is too long: pending_actions']);
  });

  it.each<[string, unknown, string]>([
    ['no list of actions', undefined, 'is required: pending_actions'],
    ['an action that is none', ['a'], 'must be an object: pending_actions[0]'],
    [
      'the same key twice',
      [action, { ...action, approval_id: 'another' }],
      'is there twice: pending_actions[1].idempotency_key',
    ],
    [
      'one approval for two keys',
      [action, { ...action, idempotency_key: 'another' }],
      'is there twice: pending_actions[1].approval_id',
    ],
    [
      'no approval that runs out',
      [{ ...action, approval_id: null }],
      'must be null together with approval_id: pending_actions[0].approval_expires_at',
    ],
    [
      'an approval that never runs out',
      [{ ...action, approval_expires_at: null }],
      'must be null together with approval_id: pending_actions[0].approval_expires_at',
    ],
    [
      'an action without an approval field',
      [{ ...action, approval_id: undefined }],
      'is required: pending_actions[0].approval_id',
    ],
    ['an unknown field', [{ ...action, note: 'urgent' }], 'is not supported: pending_actions[0].note'],
  ])('is refused with %s', (_, pending_actions, fault) => {
    expect(faultsIn({ ...exampleEnvelopeV2, pending_actions })).toEqual([`Continuity field ${fault}`]);
  });

  it.each(Object.keys(action))('is refused with the first version’s field %s', (field) => {
    expect(faultsIn({ ...exampleEnvelopeV2, [field]: 'anything' })).toEqual([
      `Continuity field is not supported: ${field}`,
    ]);
  });

  it('may freeze several actions that need no approval', () => {
    const free = { ...action, approval_id: null, approval_expires_at: null };

    expect(
      faultsIn({ ...exampleEnvelopeV2, pending_actions: [free, { ...free, idempotency_key: 'another' }] }),
    ).toEqual([]);
  });
});

describe('a batch of three', () => {
  const batch = batchOf(['first', 'second', 'third']);

  it('goes on where everything is as it was sealed, and asks for each call', () => {
    expect(decide(batch).findings).toEqual([]);
    expect(askedFor(batch)).toEqual(['first', 'second', 'third']);
  });

  it('shows one that is done, and asks for the others only', () => {
    const done = withAction(batch, 1, 'side_effect_committed');

    expect(decide(done).findings).toEqual([]);
    expect(askedFor(done)).toEqual(['first', 'third']);
    expect(disclose(decide(done), done).sealed).toMatchObject({
      pending_actions: [
        { idempotency_key: 'first', side_effect_status: 'not_started' },
        { idempotency_key: 'second', side_effect_status: 'side_effect_committed' },
        { idempotency_key: 'third', side_effect_status: 'not_started' },
      ],
    });
  });

  it('stops for one whose approval was revoked, and names it', () => {
    const revoked = withState(batch, 2, (state) => ({
      ...state,
      approval: { ...present(state.approval), approval_status: 'revoked' },
    }));

    expect(decide(revoked)).toMatchObject({
      status: 'continuity_validation_failed',
      reason: 'approval_revoked',
      findings: [{ reason: 'approval_revoked', idempotency_key: 'third' }],
    });
  });

  it('stops for one that rests on the approval of another', () => {
    const [first] = batch.current.actions;
    const crossed = withState(batch, 1, (state) => ({ ...state, approval: present(first).approval }));
    const digests = withState(crossed, 1, (state) => ({
      ...state,
      side_effect: { ...present(state.side_effect), approval_id: 'approval of first' },
    }));

    expect(decide(digests).findings).toEqual([
      { reason: 'approval_binding_changed', idempotency_key: 'second' },
      { reason: 'action_digest_changed', idempotency_key: 'second' },
    ]);
  });

  it('tells findings by rule, of the session before those of its actions in their places', () => {
    const unknown = [2, 0].reduce(
      (facts, place) =>
        withState(facts, place, (state) => ({
          ...state,
          capability_version: 'another',
          side_effect: { ...present(state.side_effect), side_effect_status: 'side_effect_unknown' },
        })),
      batch,
    );
    const elsewhere = [{ idempotency_key: 'elsewhere', capability_name: 'send_mail' }];
    const facts = { ...unknown, current: { ...unknown.current, other_unknown_side_effects: elsewhere } };

    expect(decide(facts)).toMatchObject({
      status: 'blocked_on_reconciliation',
      findings: [
        { reason: 'unknown_side_effect' },
        { reason: 'unknown_side_effect', idempotency_key: 'first' },
        { reason: 'unknown_side_effect', idempotency_key: 'third' },
        { reason: 'capability_version_changed', idempotency_key: 'first' },
        { reason: 'capability_version_changed', idempotency_key: 'third' },
      ],
    });
    expect(disclose(decide(facts), facts).unresolved?.map(({ idempotency_key }) => idempotency_key)).toEqual([
      'first',
      'third',
      'elsewhere',
    ]);
  });

  it('is held to the versions of each of its capabilities', () => {
    expect(versionsOf(batch.envelope)).toEqual({
      schema_version: schemaVersion2,
      policy_version: batch.envelope.policy_version,
    });
    expect(revisionsOf(batch.envelope, batch.current)).toEqual({
      policy: 3,
      principal: null,
      capabilities: { [present(batch.envelope.actions[0]).capability_name]: 1 },
    });
  });
});

describe('a boundary with nothing pending', () => {
  const nothing = batchOf([]);

  it('goes on, and asks for nothing', () => {
    expect(decide(nothing).findings).toEqual([]);
    expect(authorizationRequests(nothing, 1)).toEqual({ authorization_requests: [] });
  });

  it('is blocked while an effect of the session is unknown', () => {
    const other_unknown_side_effects = [{ idempotency_key: 'elsewhere', capability_name: 'send_mail' }];

    expect(decide({ ...nothing, current: { ...nothing.current, other_unknown_side_effects } })).toMatchObject(
      {
        status: 'blocked_on_reconciliation',
        findings: [{ reason: 'unknown_side_effect' }],
      },
    );
  });

  it('stops where the session is at an action', () => {
    const session = { ...present(nothing.current.session), idempotency_key: 'elsewhere' };

    expect(decide({ ...nothing, current: { ...nothing.current, session } }).findings).toEqual([
      { reason: 'idempotency_key_changed' },
    ]);
  });
});

describe('an envelope of either version with the same one action', () => {
  const { vectors } = readFixture(
    'decision-vectors.json',
    Type.Object({ vectors: Type.Array(Type.Object({ request: Type.Unknown() })) }),
  );
  const decided = vectors.flatMap(({ request }) => {
    try {
      return [inspectedFacts(parseInspectRequest(request), 0n)];
    } catch (error) {
      if (error instanceof ContinuityFormatError) return [];
      throw error;
    }
  });

  it('decides the same in every conformance vector that is decided', () => {
    expect(decided.length).toBe(37);
    for (const facts of decided) expectTheSame(facts);
  });

  it.each([
    ['rehydration', anyComparedFacts],
    ['sealing', anySealingFacts],
  ])(
    'decides the same from any facts of a %s',
    (_, any: fc.Arbitrary<Ruled>) => {
      const withAnAction = any.map((facts) => {
        const sole = { ...(facts.envelope.actions[0] ?? action) };
        const approved = {
          ...sole,
          approval_id: sole.approval_id ?? '',
          approval_expires_at: sole.approval_expires_at ?? action.approval_expires_at,
        };
        return { ...facts, envelope: { ...facts.envelope, actions: [approved] } };
      });

      fc.assert(fc.property(withAnAction, expectTheSame), { numRuns: 1_500 });
    },
    60_000,
  );
});

type Ruled = Exclude<DecisionFacts, { kind: 'refused' }>;

function expectTheSame(facts: Ruled): void {
  const [first, second] = [schemaVersion, schemaVersion2].map((version) => {
    const envelope = factsBy(version, facts.envelope);
    const { findings, ...decision } = decide({ ...facts, envelope });
    return { ...decision, findings: [...new Set(findings.map(({ reason }) => reason))] };
  });

  expect(second).toEqual(first);
}

/** The facts of an envelope that was sealed in a version. */
function factsBy(schema_version: string, facts: EnvelopeFacts): EnvelopeFacts {
  const { actions, constraints, envelope_sha256, lineage_sha256, objective_sha256, ...others } = facts;
  const [sole] = actions;
  const envelope = {
    ...others,
    schema_version,
    objective: objective_sha256 ?? undefined,
    sandbox_snapshot_ref: others.sandbox_snapshot_ref ?? undefined,
    budget_remaining: others.budget_remaining ?? undefined,
    exact_constraint_refs: constraints.map(({ ref }) => ref),
    ...(schema_version === schemaVersion ? sole : { pending_actions: actions }),
  } as unknown as KnownEnvelope;
  const read = envelopeFacts({
    tenant_id: facts.tenant_id,
    envelope_id: facts.envelope_id,
    envelope,
    envelope_sha256,
    lineage_sha256,
    constraint_digests: Object.fromEntries(
      constraints.flatMap(({ ref, frozen_sha256 }) => (frozen_sha256 === null ? [] : [[ref, frozen_sha256]])),
    ),
  });
  expect(read.actions).toEqual(actions);
  return { ...read, objective_sha256 };
}

/** Facts that agree with each other, of a batch of these keys, each with an approval of its own. */
function batchOf(keys: readonly string[]): ComparedFacts {
  const facts = comparedFacts({ situation: 'unchanged' });
  const sole = present(facts.envelope.actions[0]);
  const state = present(facts.current.actions[0]);
  const session = { ...present(facts.current.session), idempotency_key: keys.at(-1) ?? null };
  return {
    ...facts,
    envelope: {
      ...facts.envelope,
      schema_version: schemaVersion2,
      actions: keys.map((idempotency_key) => ({
        ...sole,
        idempotency_key,
        approval_id: `approval of ${idempotency_key}`,
        action_digest: `digest of ${idempotency_key}`,
      })),
    },
    current: {
      ...facts.current,
      session,
      actions: keys.map((key) => ({
        ...state,
        approval: { ...present(state.approval), action_digest: `digest of ${key}` },
        side_effect: {
          ...present(state.side_effect),
          approval_id: `approval of ${key}`,
          action_digest: `digest of ${key}`,
        },
      })),
    },
  };
}

function withAction(
  facts: ComparedFacts,
  place: number,
  side_effect_status: FrozenAction['side_effect_status'],
): ComparedFacts {
  const actions = facts.envelope.actions.map((frozen, index) =>
    index === place ? { ...frozen, side_effect_status } : frozen,
  );
  const sealed = { ...facts, envelope: { ...facts.envelope, actions } };
  return withState(sealed, place, (state) => ({
    ...state,
    side_effect: { ...present(state.side_effect), side_effect_status },
  }));
}

type State = ComparedFacts['current']['actions'][number];

function withState(facts: ComparedFacts, place: number, change: (state: State) => State): ComparedFacts {
  const actions = facts.current.actions.map((state, index) => (index === place ? change(state) : state));
  return { ...facts, current: { ...facts.current, actions } };
}

function askedFor(facts: ComparedFacts) {
  return authorizationRequests(facts, 1).authorization_requests?.map(({ resource }) => resource.id);
}

function actions(count: number) {
  return {
    ...exampleEnvelopeV2,
    pending_actions: Array.from({ length: count }, (_, index) => ({
      ...action,
      idempotency_key: `key-${index}`,
      approval_id: `approval-${index}`,
    })),
  };
}

function faultsIn(envelope: unknown): string[] {
  try {
    expect(read(envelope)).toEqual(envelope);
    return [];
  } catch (error) {
    if (error instanceof ContinuityFormatError) return error.faults.map(({ message }) => message);
    throw error;
  }
}

function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new TypeError('Nothing is there');
  return value;
}
