import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createLocalJWKSet } from 'jose';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { connectGate, memoryEpochStore, type Gate, type Go } from '../../../src/client/index.js';
import { fileEpochStore } from '../../../src/client/node/file-epoch-store.js';
import { ephemeralReceiptKeys } from '../../../src/receipts/keys.js';
import { boundaryOf } from '../../support/client/boundary.js';
import { matchingEvents, matchingRecords, writeMatchingRecords } from '../../support/records.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let url: string;

beforeAll(async () => {
  app = await createTestApp();
  url = await app.app.listen({ port: 0, host: '127.0.0.1' });
});

afterAll(() => app.close());

const connect = (options = {}): Gate => connectGate({ url, ...options });

async function goOf(gate: Gate, boundary: ReturnType<typeof boundaryOf>): Promise<Go> {
  const answer = await gate.resume(boundary.resumption());
  if (answer.kind !== 'go') throw new Error(JSON.stringify(answer));
  return answer;
}

describe('seal and resume', () => {
  it('give a go that has no member to be taken for a permission', async () => {
    const [gate, boundary] = [connect(), boundaryOf()];
    expect(await gate.seal(boundary.seal())).toMatchObject({ kind: 'sealed', session_epoch: 0 });
    const go = await goOf(gate, boundary);

    expect(go).toMatchObject({ kind: 'go', session_epoch: 1, requires_reauthorization: true });
    expect(Object.keys(go).filter((member) => /^(authorized|ok|allowed|status)$/.test(member))).toEqual([]);
  });

  it('carry the epoch, so that the next seal is not taken for someone else', async () => {
    const [gate, boundary] = [connect(), boundaryOf()];
    await gate.seal(boundary.seal());
    await goOf(gate, boundary);

    const again = await gate.seal(boundary.seal({ state: { ...boundary.state, envelope_id: 'next' } }));
    expect(again).toMatchObject({ kind: 'sealed', session_epoch: 1 });
    expect(await gate.resume(boundary.resumption({ envelope_id: 'next' }))).toMatchObject({
      kind: 'go',
      session_epoch: 2,
    });
  });

  it('take an effect that nobody speaks of for unknown, and block', async () => {
    const [gate, boundary] = [connect(), boundaryOf()];
    await gate.seal(boundary.seal({ state: { ...boundary.state, pending_action: boundary.pendingAction } }));

    expect(
      await gate.resume(boundary.resumption({ current_state: boundary.attested('side_effect_unknown') })),
    ).toMatchObject({ kind: 'blocked', reason: 'unknown_side_effect', reconciliation: [{ href: null }] });
  });

  it('stop by a rule, with the decision', async () => {
    const [gate, boundary] = [connect(), boundaryOf()];
    await gate.seal(boundary.seal());

    expect(await gate.resume(boundary.resumption({ summary: 'Everything is approved.' }))).toMatchObject({
      kind: 'stopped',
      reason: 'summary_digest_mismatch',
      decision: { findings: [{ reason: 'summary_digest_mismatch' }] },
    });
  });

  it('stop where the caller is at fault, with what is wrong', async () => {
    const [gate, boundary] = [connect(), boundaryOf()];

    expect(await gate.resume(boundary.resumption({ runtime_id: ' ' }))).toMatchObject({
      kind: 'stopped',
      reason: 'schema_invalid',
    });
    expect(await gate.resume(boundary.resumption())).toMatchObject({
      kind: 'stopped',
      reason: 'envelope_not_found',
    });
  });

  it('fence off whoever resumed before: it can neither resume nor seal', async () => {
    const [one, other, boundary] = [connect(), connect(), boundaryOf()];
    await one.seal(boundary.seal());
    await goOf(one, boundary);
    await other.resume(boundary.resumption({ runtime_id: 'other' }));

    expect(await one.resume(boundary.resumption())).toMatchObject({ kind: 'stopped', reason: 'stale_epoch' });
    expect(
      await one.seal(boundary.seal({ state: { ...boundary.state, envelope_id: 'late' } })),
    ).toMatchObject({ kind: 'stopped', reason: 'stale_epoch', held_by: 'other' });
    expect(await one.resume(boundary.resumption({ take_over: true }))).toMatchObject({ kind: 'go' });
  });

  it('write events and records before the envelope, and seal nothing where one is refused', async () => {
    const [gate, boundary] = [connect(), boundaryOf()];
    const { requests } = boundary;
    await writeMatchingRecords(app, requests, { without: ['events', 'side_effect'] });
    const order: string[] = [];
    const { body } = matchingRecords(requests).side_effect as never as { body: never };
    const before = {
      flush: () => Promise.resolve(void order.push('flush')),
      events: matchingEvents(requests).events as never,
      records: [{ kind: 'side_effect', idempotency_key: requests.idempotency_key, body }] as const,
    };
    const state = {
      ...boundary.state,
      sandbox_snapshot_ref: requests.envelope().sandbox_snapshot_ref,
      budget_remaining: 7,
    };
    expect(await gate.seal(boundary.seal({ ...before, state }))).toMatchObject({ kind: 'sealed' });
    expect(order).toEqual(['flush']);
    expect(await gate.resume(boundary.resumptionByRecords())).toMatchObject({
      kind: 'go',
      control_state_source: 'records',
    });

    const refused = { kind: 'side_effect', idempotency_key: 'another', body } as const;
    expect(
      await gate.seal(boundary.seal({ records: [refused], state: { ...state, envelope_id: 'never' } })),
    ).toMatchObject({ kind: 'stopped', reason: 'approval_already_bound' });
    expect((await app.get('/envelopes/never', { tenant_id: requests.tenant_id })).status).toBe(404);
  });
});

describe('the epoch store on disk', () => {
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'continuity-client-'));
  });

  afterAll(() => rm(directory, { recursive: true }));

  it('carries the epoch from process to process', async () => {
    const boundary = boundaryOf();
    const gate = connect({ epochs: fileEpochStore(directory) });
    await gate.seal(boundary.seal());
    await goOf(gate, boundary);
    await connect().resume(boundary.resumption({ runtime_id: 'other' }));

    expect(await connect({ epochs: fileEpochStore(directory) }).resume(boundary.resumption())).toMatchObject({
      kind: 'stopped',
      reason: 'stale_epoch',
    });
  });

  it('stops the run when what it kept is damaged', async () => {
    for (const file of await readdir(directory))
      await writeFile(join(directory, file), '{"session_epoch":"1"}');
    const boundary = boundaryOf();
    const epochs = fileEpochStore(directory);
    await epochs.write(boundary.state, { session_epoch: -1 });

    expect(await connect({ epochs }).resume(boundary.resumption())).toMatchObject({
      kind: 'could_not_ask',
      failure: 'epoch_not_kept',
    });
  });
});

describe('a lost answer', () => {
  it('is had again: the same question gets the same go', async () => {
    const boundary = boundaryOf();
    const epochs = memoryEpochStore();
    await connect({ epochs }).seal(boundary.seal());
    const lossy = connect({
      epochs,
      tries: 1,
      fetch: async (request: Request) => {
        const response = await fetch(request);
        if (request.url.endsWith('/rehydrate')) throw new TypeError('The connection broke');
        return response;
      },
    });
    expect(await lossy.resume(boundary.resumption())).toMatchObject({
      kind: 'could_not_ask',
      failure: 'unreachable',
    });

    expect(await connect({ epochs }).resume(boundary.resumption())).toMatchObject({
      kind: 'go',
      session_epoch: 1,
    });
  });
});

describe('a guarded tool', () => {
  async function held(options = {}) {
    const [gate, boundary] = [connect(options), boundaryOf()];
    await gate.seal(boundary.seal());
    return { gate, boundary, go: await goOf(gate, boundary), tool: vi.fn((text: string) => `wrote ${text}`) };
  }

  it('is called while the go holds', async () => {
    const { gate, go, tool } = await held();

    expect(await gate.guardTool(tool, go)('ticket')).toBe('wrote ticket');
  });

  it('is not called once somebody else has resumed', async () => {
    const { gate, boundary, go, tool } = await held();
    await connect().resume(boundary.resumption({ runtime_id: 'other' }));

    await expect(gate.guardTool(tool, go)('ticket')).rejects.toMatchObject({ reason: 'stale_epoch' });
    expect(tool).not.toHaveBeenCalled();
  });

  it('is not called without a go, or with one that this gate did not give', async () => {
    const { gate, go, tool } = await held();

    await expect(gate.guardTool(tool, () => undefined)('ticket')).rejects.toMatchObject({ reason: 'no_go' });
    await expect(gate.guardTool(tool, { ...go })('ticket')).rejects.toMatchObject({ reason: 'no_go' });
    expect(tool).not.toHaveBeenCalled();
  });

  it('is not called when the gate can not be asked', async () => {
    const broken = { is: false };
    const { gate, go, tool } = await held({
      tries: 1,
      fetch: (request: Request) => (broken.is ? Promise.reject(new TypeError('refused')) : fetch(request)),
    });
    broken.is = true;

    await expect(gate.guardTool(tool, go)('ticket')).rejects.toMatchObject({ reason: 'could_not_ask' });
    expect(tool).not.toHaveBeenCalled();
  });

  it('renews a receipt that ran out, without another epoch', async () => {
    const { gate, boundary, go, tool } = await held({
      fetch: async (request: Request) => {
        const response = await fetch(request);
        // From the second go on, the clock is right again.
        if (request.url.endsWith('/rehydrate')) vi.useRealTimers();
        return response;
      },
    });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 90_000 });

    expect(await gate.guardTool(tool, go)('ticket')).toBe('wrote ticket');
    const { tenant_id, session_id } = boundary.state;
    const epoch = await app.get(`/tenants/${tenant_id}/sessions/${session_id}/epoch`);
    expect(epoch.body).toMatchObject({ session_epoch: 1 });
  });

  it('is not called once a receipt ran out and the rules find something', async () => {
    const { gate, boundary, go, tool } = await held();
    await app.seal(
      boundary.requests.sealRequest({ envelope: { envelope_id: 'newer' }, session_epoch: go.session_epoch }),
    );
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 90_000 });
    onTestFinished(() => void vi.useRealTimers());

    await expect(gate.guardTool(tool, go)('ticket')).rejects.toMatchObject({ reason: 'stale_epoch' });
    expect(tool).not.toHaveBeenCalled();
  });
});

describe('receipts', () => {
  it('of another key are refused, where the keys are pinned', async () => {
    const foreign = await ephemeralReceiptKeys();
    const boundary = boundaryOf();
    const gate = connect({ keys: createLocalJWKSet(foreign.jwks) });
    await gate.seal(boundary.seal());

    expect(await gate.resume(boundary.resumption())).toMatchObject({
      kind: 'could_not_ask',
      failure: 'receipt_refused',
    });
  });
});

describe('the backlog', () => {
  it('names what is unknown, settles it on evidence, and shows it in a timeline that is whole', async () => {
    const [gate, boundary] = [connect(), boundaryOf()];
    const { requests, state } = boundary;
    await writeMatchingRecords(app, requests, { without: ['side_effect'] });
    const { body } = matchingRecords(requests).side_effect as never as { body: object };
    await gate.writeRecord(state.tenant_id, {
      kind: 'side_effect',
      idempotency_key: requests.idempotency_key,
      body: { ...body, side_effect_status: 'side_effect_unknown' } as never,
    });

    const { reconciliations } = await gate.backlog(state.tenant_id);
    expect(reconciliations).toMatchObject([{ idempotency_key: requests.idempotency_key }]);
    const settled = await gate.settle(
      { tenant_id: state.tenant_id, idempotency_key: requests.idempotency_key },
      { outcome: 'not_started', evidence_refs: ['search'], reconciled_by: 'someone' },
    );
    expect(settled).toMatchObject({ side_effect_status: 'not_started' });
    expect((await gate.timeline(state)).events.map(({ event_type }) => event_type)).toContain(
      'side_effect_reconciled',
    );
    expect(await gate.verifyTrace(state)).toMatchObject({ intact: true });
    await expect(
      gate.settle(
        { tenant_id: state.tenant_id, idempotency_key: requests.idempotency_key },
        { outcome: 'side_effect_committed', evidence_refs: ['other'], reconciled_by: 'someone' },
      ),
    ).rejects.toMatchObject({ problem: { code: 'effect_not_unknown' } });
  });
});
