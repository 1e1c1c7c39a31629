import type { Transaction } from '../app/store.js';
import { readAssembledState } from './assembled-state.js';
import { readChainBounds } from './chain-bounds.js';
import { readClock } from './clock.js';
import { findLinked, findRecord, saveRecord } from './control-records.js';
import { findDecision } from './decisions.js';
import { findEnvelope } from './envelopes.js';
import { lockAndRead } from './lock-and-read.js';
import { findReconciliation, insertReconciliation, readUnknownEffects } from './reconciliations.js';
import { findSessionEvents, insertSessionEvents, readSessionEvents } from './session-events.js';
import { readSessionEpoch, saveSessionHead, sessionHead } from './session-heads.js';
import { leadsBack } from './session-lines.js';
import { readSessionOwner } from './session-owners.js';
import type { SqlTransaction } from './sql.js';
import { saveTenantHead, tenantHead } from './tenant-heads.js';
import { insertTraceEvent, readChain, readTraceEvents } from './trace-events.js';

/** What can be done in a transaction, each in the statements of one function. */
export function transactionOf(sql: SqlTransaction): Transaction {
  return {
    readClock: () => readClock(sql),
    lockSession: (session, read) => lockAndRead(sql, sessionHead(session), read),
    saveSessionHead: (session, head) => saveSessionHead(sql, session, head),
    readSessionEpoch: (session) => readSessionEpoch(sql, session),
    readSessionOwner: (session) => readSessionOwner(sql, session),
    lockTenant: (tenant, read) => lockAndRead(sql, tenantHead(tenant), read),
    saveTenantHead: (tenant, tip) => saveTenantHead(sql, tenant, tip),
    findEnvelope: (key) => findEnvelope(sql, key),
    findDecision: (key) => findDecision(sql, key),
    findRecord: (key) => findRecord(sql, key),
    findLinked: (record) => findLinked(sql, record),
    leadsBack: (session, ancestors) => leadsBack(sql, session, ancestors),
    saveRecord: (record) => saveRecord(sql, record),
    readAssembledState: (session) => readAssembledState(sql, session),
    findReconciliation: (effect) => findReconciliation(sql, effect),
    insertReconciliation: (effect, settled) => insertReconciliation(sql, effect, settled),
    readUnknownEffects: (filter, page) => readUnknownEffects(sql, filter, page),
    findSessionEvents: (session, eventIds) => findSessionEvents(sql, session, eventIds),
    readSessionEvents: (session, page) => readSessionEvents(sql, session, page),
    insertSessionEvents: (session, events) => insertSessionEvents(sql, session, events),
    insertTraceEvent: (event) => insertTraceEvent(sql, event),
    readChain: (chain, page) => readChain(sql, chain, page),
    readChainBounds: (session) => readChainBounds(sql, session),
    readTraceEvents: (filter, page) => readTraceEvents(sql, filter, page),
  };
}
