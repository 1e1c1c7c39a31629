import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { valueAt } from '../support/edit-json.js';
import { matchingEvents, matchingRecords } from '../support/records.js';
import { requestsOf } from '../support/requests.js';
import { failToStart, startService, type ServiceProcess } from '../support/service-process.js';
import { eventsOf, eventually } from '../support/trace-pages.js';

/** One service with a store of its own, through its life; each test goes on where the one before has left it. */
describe('a service with an embedded store', () => {
  const run = requestsOf('canonical');
  const tenant = `/tenants/${run.tenant_id}`;
  const query = `?tenant_id=${run.tenant_id}`;
  let dataDirectory: string;
  let service: ServiceProcess;
  const sealed = { text: '', decision: '' };

  beforeAll(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'continuity-gate-e2e-'));
    // As root, the account that Postgres runs under must be able to enter it.
    await chmod(dataDirectory, 0o711);
    service = await start();
  });

  afterAll(async () => {
    await service.end('SIGTERM');
    await rm(dataDirectory, { recursive: true, force: true });
  });

  const start = () => startService({ CONTINUITY_DATA_DIR: dataDirectory });

  it('is ready, and says so, where its docs are, how to connect with SQL, and that it is open', async () => {
    expect((await service.ask('GET', '/readyz')).body).toEqual({ status: 'ready' });
    expect((await fetch(`${service.url}/docs`)).status).toBe(200);
    const serviceFile = join(dataDirectory, 'postgres', 'pg_service.conf');
    expect(service.log()).toContain(`SQL: PGSERVICEFILE=${serviceFile} psql service=continuity_gate`);
    expect(service.log()).toMatch(/NO IDENTITY PROVIDER/);
  });

  it('stops after compaction for a ticket write whose outcome nobody knows, whatever the summary says', async () => {
    const { side_effect, ...others } = matchingRecords(run);
    for (const { path, body } of Object.values(others)) {
      expect((await service.ask('PUT', `${tenant}/${path}`, body)).status).toBe(201);
    }
    const events = await service.ask(
      'POST',
      `${tenant}/sessions/${run.session_id}/events`,
      matchingEvents(run),
    );
    expect(events.status).toBe(201);
    const unknown = { ...side_effect.body, side_effect_status: 'side_effect_unknown' };
    expect((await service.ask('PUT', `${tenant}/${side_effect.path}`, unknown)).status).toBe(201);

    const envelope = { side_effect_status: 'side_effect_unknown' };
    const boundary = await service.ask('POST', '/envelopes', run.sealRequest({ envelope }));
    expect(boundary.status).toBe(201);
    sealed.text = boundary.text;

    const blocked = await service.ask('POST', '/rehydrate', resumption);
    expect(blocked.status).toBe(409);
    expect(blocked.body).toMatchObject({
      status: 'blocked_on_reconciliation',
      reason: 'unknown_side_effect',
      authorized: false,
      reconciliation: [{ idempotency_key: run.idempotency_key, capability_name: 'create_ticket' }],
    });

    const reconciled = await service.ask('POST', blocked.string('/reconciliation/0/href'), {
      outcome: 'side_effect_committed',
      evidence_refs: ['ticket:4711'],
      reconciled_by: 'operator-7',
    });
    expect(reconciled.status).toBe(200);

    const resumed = await service.ask('POST', '/rehydrate', resumption);
    expect(resumed.status).toBe(200);
    expect(resumed.body).toMatchObject({
      status: 'reauthorization_required',
      authorized: false,
      session_epoch: 1,
      side_effect_status: 'side_effect_committed',
      authorization_request: { action: { name: 'create_ticket' }, resource: { id: run.idempotency_key } },
    });
    sealed.decision = resumed.string('/decision_id');
  });

  const resumption = run.rehydrateRequest({ current_state: undefined, source_event_range: undefined });

  it('can be asked with SQL, by the connection in its service file', async () => {
    const client = await connect(dataDirectory);
    const { rows } = await client.query<{ event_type: string }>(
      `select event_type from trace_events where session_id = $1 and event_type <> 'control_record_written'
        order by sequence`,
      [run.session_id],
    );
    await client.end();

    expect(rows.map(({ event_type }) => event_type)).toEqual([
      'context_compaction',
      'continuity_validation_failed',
      'side_effect_reconciled',
      'context_rehydration',
    ]);
  });

  it('has everything that it has answered after kill -9', async () => {
    const before = await eventually(async () => {
      const trace = await service.ask('GET', `/trace-events${query}&limit=1000`);
      expect(eventsOf(trace.body)).toHaveLength(13);
      return trace;
    });
    expect(await service.end('SIGKILL')).toBeNull();

    service = await start();

    expect((await service.ask('GET', `/envelopes/${run.envelope_id}${query}`)).text).toBe(sealed.text);
    expect((await service.ask('POST', '/envelopes', sealRequest)).text).toBe(sealed.text);
    await eventually(async () => {
      expect((await service.ask('GET', `/trace-events${query}&limit=1000`)).body).toEqual(before.body);
    });
    const decision = await service.ask('GET', `/decisions/${sealed.decision}${query}`);
    expect(decision.body).toMatchObject({ replayed: { same: true } });
    expect(valueAt((await service.ask('POST', '/rehydrate', resumption)).body, '/session_epoch')).toBe(2);
  });

  const sealRequest = run.sealRequest({ envelope: { side_effect_status: 'side_effect_unknown' } });

  it('finishes at SIGTERM what is in flight, then stops itself and its store', async () => {
    const [client, onlooker] = [await connect(dataDirectory), await connect(dataDirectory)];
    await client.query('begin');
    await client.query('select from session_heads where session_id = $1 for update', [run.session_id]);
    const inFlight = service.ask('POST', '/rehydrate', resumption);
    await expect
      .poll(async () => (await onlooker.query(waitingForALock)).rowCount, { timeout: 10_000, interval: 20 })
      .toBe(1);

    const ended = service.end('SIGTERM');
    await expect.poll(() => fetch(`${service.url}/healthz`).catch(() => 'refused')).toBe('refused');
    await client.query('commit');
    await client.end();
    await onlooker.end();

    const answer = await inFlight;
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ session_epoch: 3 });
    expect(await ended).toBe(0);
    await expect(connect(dataDirectory)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('is not held up at SIGTERM by a connection that a client keeps alive', async () => {
    service = await start();
    expect((await service.ask('GET', '/healthz')).status).toBe(200);
    const began = performance.now();

    expect(await service.end('SIGTERM')).toBe(0);

    expect(performance.now() - began).toBeLessThan(8_000);
    service = await start();
  });

  it('leaves no store running behind a start that fails', async () => {
    const other = await mkdtemp(join(tmpdir(), 'continuity-gate-e2e-'));
    await chmod(other, 0o711);
    const { port } = new URL(service.url);

    const { exitCode, output } = await failToStart({ CONTINUITY_DATA_DIR: other, PORT: port });

    expect(exitCode).toBe(1);
    expect(output).toContain(`address already in use 127.0.0.1:${port}`);
    expect(output).not.toMatch(/\n\s+at /);
    await expect(connect(other)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await rm(other, { recursive: true, force: true });
  });
});

describe('a start', () => {
  it('refuses malformed and unknown settings, naming all of them at once and never their values', async () => {
    const { exitCode, output } = await failToStart({
      PORT: 'eighty',
      DATABASE_URL: 'mysql://root:hunter2@localhost/gate',
      ATTESTED_STATE: 'maybe',
      LOG_LEVEL: 'loud',
      AUTH_JWKS: 'https://idp.example/keys',
      CONTINUITY_DATADIR: '/tmp',
      RECEIPT_TTL: '60',
    });

    expect(exitCode).toBe(1);
    for (const name of [
      'PORT',
      'DATABASE_URL',
      'ATTESTED_STATE',
      'LOG_LEVEL',
      'AUTH_JWKS',
      'CONTINUITY_DATADIR',
      'RECEIPT_TTL',
    ]) {
      expect(output).toMatch(new RegExp(`^ +${name} is `, 'm'));
    }
    expect(output).not.toMatch(/eighty|hunter2|maybe|loud|\n\s+at /);
  });

  it('refuses to be open beyond loopback unless someone means it', async () => {
    const { exitCode, output } = await failToStart({ HOST: '0.0.0.0', PORT: '0' });

    expect(exitCode).toBe(1);
    expect(output).toMatch(/^ +HOST is 0\.0\.0\.0.*AUTH_OPEN=yes/m);
  });
});

const waitingForALock = `select from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'lock_sessions'`;

/** Connects as psql does with PGSERVICEFILE. */
async function connect(dataDirectory: string): Promise<Client> {
  const file = await readFile(join(dataDirectory, 'postgres', 'pg_service.conf'), 'utf8');
  const entry = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(file)?.[1];
  const client = new Client({
    host: entry('host'),
    port: Number(entry('port')),
    database: entry('dbname'),
    user: entry('user'),
    password: entry('password'),
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
