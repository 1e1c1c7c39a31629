import { Client } from 'pg';

import { verifyTrace } from '../../src/app/verify-trace.js';
import { canonicalJson } from '../../src/domain/digest.js';
import { chainSessionEvent, type LoggedEvent } from '../../src/domain/session-event.js';
import { chainStart, type TraceEvent } from '../../src/domain/trace-event.js';
import { Database } from '../../src/store/database.js';
import type { Gate } from './gate.js';
import {
  capability,
  envelopeIdOf,
  eventId,
  eventsBody,
  policyVersion,
  principalOf,
  recordsOf,
  rehydrateBody,
  sealBody,
  sessionIdOf,
  type Mode,
  type Session,
} from './session.js';

export interface StoreSize {
  readonly tenants: number;
  /** Sessions with records. Each has as many envelopes and events as is said below. */
  readonly sessions: number;
  readonly attestedSessions: number;
  readonly envelopesPerSession: number;
  readonly eventsPerSession: number;
}

export interface LoadedStore {
  readonly records: Session[];
  readonly attested: Session[];
}

/**
 * Fills the store. One session of each mode lives its life through the gate itself; its rows, with other ids and with
 * digests and chains computed anew, then stand for all the other sessions.
 */
export async function loadStore(gate: Gate, connectionString: string, size: StoreSize): Promise<LoadedStore> {
  for (const tenant of [templateTenant, ...tenantsOf(size)]) await writeTenant(gate, tenant);
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const records = await cloneSession(gate, client, connectionString, size, 'records');
    const attested = await cloneSession(gate, client, connectionString, size, 'attested');
    await client.query('set session_replication_role = origin');
    await client.query('vacuum (analyze)');
    await client.query('checkpoint');
    await verifyChains(connectionString, [...records.slice(-2), ...attested.slice(-2)]);
    return { records, attested };
  } finally {
    await client.end();
  }
}

const templateTenant = 'tenant-template';
const templateKey = 'fedcba98';

const tenantOf = (index: number, { tenants }: StoreSize) =>
  `tenant-${String(index % tenants).padStart(3, '0')}`;
const tenantsOf = (size: StoreSize) =>
  Array.from({ length: size.tenants }, (_, index) => tenantOf(index, size));

async function writeTenant(gate: Gate, tenant: string): Promise<void> {
  await put(gate, tenant, 'policy', { policy_version: policyVersion });
  await put(gate, tenant, `capabilities/${capability.name}`, { capability_version: capability.version });
  await put(gate, tenant, `principals/${principalOf(tenant)}`, { principal_status: 'active' });
}

async function cloneSession(
  gate: Gate,
  client: Client,
  connectionString: string,
  size: StoreSize,
  mode: Mode,
): Promise<Session[]> {
  const template = await liveThrough(gate, size, mode);
  const trace = await readTrace(connectionString, template);
  await makeTemplates(client, template, trace);
  const count = mode === 'records' ? size.sessions : size.attestedSessions;
  await makeClones(client, size, count, trace.length);
  for (const table of await sessionTables(client)) await fillTable(client, table);
  if (mode === 'records') await fillEvents(client, size);
  return Array.from({ length: count }, (_, index) => {
    const key = (index + 1).toString(16).padStart(8, '0');
    const clone = { ...template, key, tenant_id: tenantOf(index + 1, size) };
    return { ...clone, envelope_id: envelopeIdOf(clone, size.envelopesPerSession) };
  });
}

/** Everything that happens to a session, through the gate: its records and log, and its boundaries with a go at the end. */
async function liveThrough(gate: Gate, size: StoreSize, mode: Mode): Promise<Session> {
  const session: Session = {
    mode,
    tenant_id: templateTenant,
    key: templateKey,
    last_event: eventId(size.eventsPerSession),
    envelope_id: '',
    session_epoch: 0,
  };
  if (mode === 'records') {
    for (const { path, body } of recordsOf(session)) await put(gate, templateTenant, path, body);
    await appendLog(gate, session, size.eventsPerSession);
  }
  for (let count = 1; count <= size.envelopesPerSession; count += 1)
    await seal(gate, session, envelopeIdOf(session, count));
  await rehydrate(gate, session);
  return session;
}

/** A session with a log of its own length, through the gate. */
export async function makeLongSession(gate: Gate, key: string, events: number): Promise<Session> {
  const session: Session = {
    mode: 'records',
    tenant_id: templateTenant,
    key,
    last_event: eventId(events),
    envelope_id: '',
    session_epoch: 0,
  };
  for (const { path, body } of recordsOf(session)) await put(gate, templateTenant, path, body);
  await appendLog(gate, session, events);
  await seal(gate, session, envelopeIdOf(session, 1));
  return session;
}

const batch = 1_000;

async function appendLog(gate: Gate, session: Session, events: number): Promise<void> {
  const path = `/tenants/${session.tenant_id}/sessions/${sessionIdOf(session)}/events`;
  for (let first = 1; first <= events; first += batch) {
    expectSuccess(await gate.ask('POST', path, eventsBody(first, Math.min(first + batch - 1, events))));
  }
}

/** Seals the session's next envelope, and remembers it. */
export async function seal(gate: Gate, session: Session, envelope_id: string): Promise<void> {
  expectSuccess(await gate.ask('POST', '/envelopes', sealBody(session, envelope_id)));
  session.envelope_id = envelope_id;
}

/** Resumes the session, which has to be a go, and remembers its epoch. */
export async function rehydrate(gate: Gate, session: Session): Promise<void> {
  const { text } = expectSuccess(await gate.ask('POST', '/rehydrate', rehydrateBody(session)));
  const epoch = /"session_epoch":(\d+)/.exec(text)?.[1];
  if (epoch === undefined) throw new Error(`A go without an epoch: ${text}`);
  session.session_epoch = Number(epoch);
}

async function put(gate: Gate, tenant: string, path: string, body: object): Promise<void> {
  expectSuccess(await gate.ask('PUT', `/tenants/${tenant}/${path}`, body));
}

function expectSuccess<Answer extends { status: number; text: string }>(answer: Answer): Answer {
  if (answer.status !== 200 && answer.status !== 201) throw new Error(`${answer.status}: ${answer.text}`);
  return answer;
}

/** Digests that the gate wouldn't have made itself would make every measurement one of something else. */
async function verifyChains(connectionString: string, sessions: readonly Session[]): Promise<void> {
  await withDatabase(connectionString, async (database) => {
    for (const session of sessions) {
      const integrity = await verifyTrace(database, keyOf(session));
      if (!integrity?.intact || integrity.events === 0) throw new Error('A chain of the store is broken');
    }
  });
}

function readTrace(connectionString: string, session: Session): Promise<TraceEvent[]> {
  return withDatabase(connectionString, (database) =>
    database.transact(session, async (transaction) => ({
      result: await transaction.readChain(keyOf(session), { after: 0, limit: 1_000 }),
    })),
  );
}

async function withDatabase<T>(
  connectionString: string,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = new Database({ connectionString });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

const keyOf = (session: Session) => ({ tenant_id: session.tenant_id, session_id: sessionIdOf(session) });

/**
 * Writes the template's rows down as text in which `{{…}}` stands for what is different in every clone, and so the
 * canonical text of each envelope and event, for their digests.
 */
async function makeTemplates(client: Client, session: Session, trace: readonly TraceEvent[]): Promise<void> {
  const { rows: envelopes } = await client.query<{ envelope: object; envelope_sha256: string }>(
    `select envelope, envelope_sha256 from envelopes where tenant_id = $1 and session_id = $2 order by created_at`,
    [session.tenant_id, sessionIdOf(session)],
  );
  const digests = envelopes.map(({ envelope_sha256 }) => envelope_sha256.replace(/^sha256:/, ''));
  const open = openUp(session);
  await client.query(`
    drop table if exists bench_rows, bench_envelopes, bench_events;
    create unlogged table bench_rows (name text, body text, envelope integer, event integer);
    create unlogged table bench_envelopes (number integer, body text);
    create unlogged table bench_events (number integer, body text, envelope integer);`);
  const insertRow = async (name: string, text: string) => {
    const envelope = digests.findIndex((digest) => text.includes(digest));
    const event = trace.findLastIndex(({ event_sha256 }) => text.includes(event_sha256));
    const body = open(closeDigests(text, digests[envelope], trace[event]));
    await client.query('insert into bench_rows values ($1, $2, $3, $4)', [name, body, envelope, event]);
  };
  for (const table of await sessionTables(client)) {
    const { rows } = await client.query<{ body: string }>(
      `select row_to_json(one)::text as body from ${table} as one where tenant_id = $1 and session_id = $2`,
      [session.tenant_id, sessionIdOf(session)],
    );
    for (const { body } of rows) await insertRow(table, body);
  }
  for (const [number, event] of trace.entries()) {
    const text = canonicalJson({ ...event, event_sha256: undefined });
    const envelope = digests.findIndex((digest) => text.includes(digest));
    await client.query('insert into bench_events values ($1, $2, $3)', [
      number,
      open(closeDigests(text, digests[envelope], event)),
      envelope,
    ]);
  }
  for (const [number, { envelope }] of envelopes.entries()) {
    await client.query('insert into bench_envelopes values ($1, $2)', [
      number,
      open(canonicalJson(envelope)),
    ]);
  }
}

function closeDigests(text: string, envelope: string | undefined, event: TraceEvent | undefined): string {
  let closed = text;
  if (envelope !== undefined) closed = closed.replaceAll(envelope, '{{envelope}}');
  if (event) closed = closed.replaceAll(event.event_sha256, '{{own}}');
  if (event && event.previous_sha256 !== chainStart)
    closed = closed.replaceAll(event.previous_sha256, '{{previous}}');
  return closed;
}

/** Puts placeholders for the tenant, and for the key of the session: in its ids, and at the end of each UUID. */
function openUp({ tenant_id, key }: Session): (text: string) => string {
  const uuid = /\b([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{4})[0-9a-f]{8}\b/g;
  return (text) =>
    text.replaceAll(tenant_id, '{{tenant}}').replaceAll(key, '{{key}}').replace(uuid, '$1{{key}}');
}

/** Every table that holds rows of a session, but for its log. */
async function sessionTables(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select relname as name
    from pg_class
    join pg_attribute on attrelid = pg_class.oid and attname = 'session_id' and not attisdropped
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname not in ('session_events', 'trace_anchors') and relname not like 'bench%'
    order by relname`);
  return rows.map(({ name }) => name);
}

/** The digests of every clone: of each of its envelopes, and of each event in its chain. */
async function makeClones(client: Client, size: StoreSize, count: number, events: number): Promise<void> {
  await client.query(`
    set session_replication_role = replica; set synchronous_commit = off; set work_mem = '128MB';
    drop table if exists bench_clones, bench_digests, bench_chain;
    create unlogged table bench_clones as
      select number, lpad(to_hex(number), 8, '0') as key, 'tenant-' || lpad((number % ${size.tenants})::text, 3, '0') as tenant
      from generate_series(1, ${count}) as number;
    create unlogged table bench_digests as
      select clone.number, envelope.number as envelope,
        encode(sha256(convert_to(replace(replace(body, '{{key}}', key), '{{tenant}}', tenant), 'UTF8')), 'hex') as sha256
      from bench_clones as clone cross join bench_envelopes as envelope;
    create unlogged table bench_chain as
      select number, -1 as event, '' as previous, '${chainStart}' as own from bench_clones;
    analyze bench_clones; analyze bench_digests;`);
  for (let event = 0; event < events; event += 1) {
    await client.query(`
      insert into bench_chain
      select before.number, ${event}, before.own, encode(sha256(convert_to(${filled('before.own', "''")}, 'UTF8')), 'hex')
      from bench_chain as before
      join bench_clones as clone using (number)
      join bench_events as template on template.number = ${event}
      left join bench_digests as digest on digest.number = before.number and digest.envelope = template.envelope
      where before.event = ${event - 1}`);
  }
  await client.query('analyze bench_chain');
}

/** SQL of a template's body with everything put in that is different in the clone. */
function filled(previous: string, own: string): string {
  return [
    ["'{{key}}'", 'clone.key'],
    ["'{{tenant}}'", 'clone.tenant'],
    ["'{{envelope}}'", "coalesce(digest.sha256, '')"],
    ["'{{previous}}'", previous],
    ["'{{own}}'", own],
  ].reduce((text, [placeholder, value]) => `replace(${text}, ${placeholder}, ${value})`, 'template.body');
}

async function fillTable(client: Client, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped
       and attgenerated = '' and attidentity = '' and attname <> 'transaction_id'`,
    [table],
  );
  const columns = rows.map(({ name }) => name).join(', ');
  await client.query(`
    insert into ${table} (${columns})
    select ${columns} from (
      select ${filled("coalesce(chain.previous, '')", "coalesce(chain.own, '')")} as body
      from bench_clones as clone
      join bench_rows as template on template.name = '${table}'
      left join bench_digests as digest on digest.number = clone.number and digest.envelope = template.envelope
      left join bench_chain as chain on chain.number = clone.number and chain.event = template.event
      order by clone.number
    ) as one
    cross join lateral json_populate_record(null::${table}, body::json)`);
}

/** Event ids are unique within their session alone: every session may have the same log, and so the same digests. */
async function fillEvents(client: Client, size: StoreSize): Promise<void> {
  const log: LoggedEvent[] = [];
  for (const event of eventsBody(1, size.eventsPerSession).events) {
    const end = log.at(-1);
    log.push(
      chainSessionEvent(event, { sequence: end?.sequence ?? 0, sha256: end?.lineage_sha256 ?? chainStart }),
    );
  }
  await client.query(
    `insert into session_events (tenant_id, session_id, sequence, event_id, event_type, content_sha256, lineage_sha256)
     select tenant, 'records-session-' || key, sequence, event_id, event_type, content_sha256, lineage_sha256
     from bench_clones
     cross join json_to_recordset($1::json)
       as log (sequence bigint, event_id text, event_type text, content_sha256 text, lineage_sha256 text)
     order by number, sequence`,
    [JSON.stringify(log)],
  );
}
