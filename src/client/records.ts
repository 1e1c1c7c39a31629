import { GateFailureError, GateProblemError } from './failures.js';
import type { GateApi } from './transport.js';
import type { Problem, Schemas, SessionEvent, SessionRef, Settlement } from './wire.js';

/** One record of the control state, as its system of record writes it. */
export type RecordWrite =
  | { readonly kind: 'policy'; readonly body: Schemas['PolicyBody'] }
  | {
      readonly kind: 'capability';
      readonly capability_name: string;
      readonly body: Schemas['CapabilityBody'];
    }
  | { readonly kind: 'principal'; readonly principal_id: string; readonly body: Schemas['PrincipalBody'] }
  | { readonly kind: 'session'; readonly session_id: string; readonly body: Schemas['SessionBody'] }
  | {
      readonly kind: 'obligation';
      readonly session_id: string;
      readonly obligation_id: string;
      readonly body: Schemas['ObligationBody'];
    }
  | { readonly kind: 'constraint'; readonly constraint_ref: string; readonly body: Schemas['ConstraintBody'] }
  | { readonly kind: 'approval'; readonly approval_id: string; readonly body: Schemas['ApprovalBody'] }
  | {
      readonly kind: 'side_effect';
      readonly idempotency_key: string;
      readonly body: Schemas['SideEffectBody'];
    };

/** Writes a record. Rejects with `GateProblemError` where the gate refuses it, and `GateFailureError` without an answer. */
export async function writeRecord(api: GateApi, tenant_id: string, write: RecordWrite): Promise<void> {
  const { error } = await put(api, tenant_id, write);
  if (error !== undefined) throw new GateProblemError(error);
}

function put(api: GateApi, tenant_id: string, write: RecordWrite) {
  switch (write.kind) {
    case 'policy':
      return api.PUT('/tenants/{tenant_id}/policy', { params: { path: { tenant_id } }, body: write.body });
    case 'capability':
      return api.PUT('/tenants/{tenant_id}/capabilities/{capability_name}', {
        params: { path: { tenant_id, capability_name: write.capability_name } },
        body: write.body,
      });
    case 'principal':
      return api.PUT('/tenants/{tenant_id}/principals/{principal_id}', {
        params: { path: { tenant_id, principal_id: write.principal_id } },
        body: write.body,
      });
    case 'session':
      return api.PUT('/tenants/{tenant_id}/sessions/{session_id}', {
        params: { path: { tenant_id, session_id: write.session_id } },
        body: write.body,
      });
    case 'obligation':
      return api.PUT('/tenants/{tenant_id}/sessions/{session_id}/obligations/{obligation_id}', {
        params: { path: { tenant_id, session_id: write.session_id, obligation_id: write.obligation_id } },
        body: write.body,
      });
    case 'constraint':
      return api.PUT('/tenants/{tenant_id}/constraints/{constraint_ref}', {
        params: { path: { tenant_id, constraint_ref: write.constraint_ref } },
        body: write.body,
      });
    case 'approval':
      return api.PUT('/tenants/{tenant_id}/approvals/{approval_id}', {
        params: { path: { tenant_id, approval_id: write.approval_id } },
        body: write.body,
      });
    case 'side_effect':
      return api.PUT('/tenants/{tenant_id}/side-effects/{idempotency_key}', {
        params: { path: { tenant_id, idempotency_key: write.idempotency_key } },
        body: write.body,
      });
  }
}

/** Appends to the session's log; what is there already keeps its place. */
export async function appendEvents(
  api: GateApi,
  { tenant_id, session_id }: SessionRef,
  events: readonly SessionEvent[],
): Promise<Schemas['AppendedEvents']> {
  return problemless(
    await api.POST('/tenants/{tenant_id}/sessions/{session_id}/events', {
      params: { path: { tenant_id, session_id } },
      body: { events: [...events] },
    }),
  );
}

/** The effects whose outcome is unknown, oldest first. */
export async function backlog(api: GateApi, tenant_id: string): Promise<Schemas['ReconciliationQueue']> {
  return problemless(
    await api.GET('/tenants/{tenant_id}/reconciliations', { params: { path: { tenant_id } } }),
  );
}

/** Settles an unknown effect on evidence. */
export async function settle(
  api: GateApi,
  { tenant_id, idempotency_key }: { readonly tenant_id: string; readonly idempotency_key: string },
  settlement: Settlement,
): Promise<Schemas['SideEffectRecord']> {
  return problemless(
    await api.POST('/tenants/{tenant_id}/side-effects/{idempotency_key}/reconciliation', {
      params: { path: { tenant_id, idempotency_key } },
      body: settlement,
    }),
  );
}

/** A page of what happened to a session, from boundary to resume. */
export async function timeline(
  api: GateApi,
  { tenant_id, session_id }: SessionRef,
  after?: number,
): Promise<Schemas['Timeline']> {
  return problemless(
    await api.GET('/tenants/{tenant_id}/sessions/{session_id}/timeline', {
      params: { path: { tenant_id, session_id }, ...(after !== undefined && { query: { after } }) },
    }),
  );
}

/** Whether the session's chain of events is whole. */
export async function verifyTrace(
  api: GateApi,
  { tenant_id, session_id }: SessionRef,
): Promise<Schemas['TraceIntegrity']> {
  return problemless(
    await api.GET('/tenants/{tenant_id}/sessions/{session_id}/trace-integrity', {
      params: { path: { tenant_id, session_id } },
    }),
  );
}

function problemless<Data>({
  data,
  error,
}: {
  readonly data?: Data | undefined;
  readonly error?: Problem | undefined;
}): Data {
  if (error !== undefined) throw new GateProblemError(error);
  if (data === undefined) throw new GateFailureError('malformed_answer', 'The answer has no body');
  return data;
}
