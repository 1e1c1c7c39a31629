// Made from openapi/openapi.json by scripts/generate.js; never edited.
export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process lives
         * @description Asks nothing but the process itself.
         */
        get: operations["readHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the gate can decide
         * @description Asks whether the store answers and its schema is one that this program works on: its own, or a newer one that still bears it, so that a rolling update drains nobody. Asks also whether the trace has a place for the events of this month.
         */
        get: operations["readReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the metrics of the service
         * @description In the text format of Prometheus. Where the service listens on loopback only, requests that no proxy has passed on need no token.
         */
        get: operations["readMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/envelopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Seal a continuity envelope before compaction, reset, recovery or handoff
         * @description Call it at a safe boundary, with the event log flushed. The accepted envelope is immutable; sent again unchanged, it gets its first answer again. An envelope that contradicts what is known is refused by a decision, and nothing of it is stored but that.
         */
        post: operations["sealEnvelope"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rehydrate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask whether a run may resume after the boundary
         * @description The envelope is loaded from governed storage and compared with the current control state by every rule. Never an authorization: the best answer is that the next call may now be authorized. Every body, errors included, says `authorized: false`.
         */
        post: operations["rehydrate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tenants/{tenant_id}/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a policy record
         * @description The policy version in force for the whole tenant.
         */
        get: operations["readPolicyRecord"];
        /**
         * Write a policy record
         * @description The policy version in force for the whole tenant. Written whole; the same again changes nothing and leaves no event.
         */
        put: operations["writePolicyRecord"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tenants/{tenant_id}/capabilities/{capability_name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a capability record
         * @description The version of a capability in force.
         */
        get: operations["readCapabilityRecord"];
        /**
         * Write a capability record
         * @description The version of a capability in force. Written whole; the same again changes nothing and leaves no event.
         */
        put: operations["writeCapabilityRecord"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tenants/{tenant_id}/principals/{principal_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a principal record
         * @description Whether a principal may act at all. Optional: one without a record may.
         */
        get: operations["readPrincipalRecord"];
        /**
         * Write a principal record
         * @description Whether a principal may act at all. Optional: one without a record may. Written whole; the same again changes nothing and leaves no event.
         */
        put: operations["writePrincipalRecord"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tenants/{tenant_id}/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a session record
         * @description Whether a session goes on, for whom, and where it stands.
         */
        get: operations["readSessionRecord"];
        /**
         * Write a session record
         * @description Whether a session goes on, for whom, and where it stands. Written whole; the same again changes nothing and leaves no event.
         */
        put: operations["writeSessionRecord"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tenants/{tenant_id}/sessions/{session_id}/obligations/{obligation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an obligation record
         * @description Something that a session owes, until it is discharged on evidence.
         */
        get: operations["readObligationRecord"];
        /**
         * Write an obligation record
         * @description Something that a session owes, until it is discharged on evidence. Written whole; the same again changes nothing and leaves no event.
         */
        put: operations["writeObligationRecord"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tenants/{tenant_id}/constraints/{constraint_ref}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a constraint record
         * @description The exact text of a constraint on a session. The text is told only in a context view and to `records:read`.
         */
        get: operations["readConstraintRecord"];
        /**
         * Write a constraint record
         * @description The exact text of a constraint on a session. The text is told only in a context view and to `records:read`. Written whole; the same again changes nothing and leaves no event.
         */
        put: operations["writeConstraintRecord"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tenants/{tenant_id}/approvals/{approval_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an approval record
         * @description An approval of one action of one session.
         */
        get: operations["readApprovalRecord"];
        /**
         * Write an approval record
         * @description An approval of one action of one session. Written whole; the same again changes nothing and leaves no event.
         */
        put: operations["writeApprovalRecord"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tenants/{tenant_id}/side-effects/{idempotency_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a side effect record
         * @description The ledger entry of one side effect. Record `side_effect_unknown` before calling out: what was started and has no outcome is unknown.
         */
        get: operations["readSideEffectRecord"];
        /**
         * Write a side effect record
         * @description The ledger entry of one side effect. Record `side_effect_unknown` before calling out: what was started and has no outcome is unknown. Written whole; the same again changes nothing and leaves no event.
         */
        put: operations["writeSideEffectRecord"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tenants/{tenant_id}/sessions/{session_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a session's event log
         * @description In the order of the log. A session without one has an empty one.
         */
        get: operations["readSessionEvents"];
        put?: never;
        /**
         * Append a batch to a session's event log
         * @description All of the batch or nothing. An event that is there already keeps its place; one with the id of another event is a conflict.
         */
        post: operations["appendSessionEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tenants/{tenant_id}/sessions/{session_id}/control-state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a session's control state as its records have it
         * @description Assembled by the current idempotency key of the session; null where there is no record.
         */
        get: operations["readControlState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tenants/{tenant_id}/sessions/{session_id}/epoch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who holds a session
         * @description Cheap, and without a lock: what a tool gateway asks before it acts for a runtime.
         */
        get: operations["readSessionEpoch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tenants/{tenant_id}/side-effects/{idempotency_key}/reconciliation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Settle a side effect whose outcome was unknown
         * @description The only way out of unknown, on evidence. The same settlement again is answered like the first one. The session can be resumed then, and its run is told the settled status.
         */
        post: operations["reconcileSideEffect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tenants/{tenant_id}/reconciliations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read which side effects have to be settled
         * @description Every effect of the tenant whose outcome is unknown, oldest first.
         */
        get: operations["readReconciliations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/envelopes/{envelope_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a sealed envelope
         * @description The envelope as it was answered when it was sealed.
         */
        get: operations["readEnvelope"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/decisions/{decision_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a past decision with its facts and replay it
         * @description The facts are identifiers, versions, statuses and digests, no free text. They are decided again by today's rules, and `replayed.same` says whether the outcome is the same.
         */
        get: operations["readDecision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the public keys of receipts
         * @description A JWK Set. Every key of it may have signed a receipt that still holds.
         */
        get: operations["readReceiptKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trace-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read trace events
         * @description Oldest first. An event whose transaction began before one that is still open is returned once that has ended: late, but never skipped. Follow `next_cursor` until it is null.
         */
        get: operations["readTraceEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tenants/{tenant_id}/sessions/{session_id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a session's timeline
         * @description The session's own chain of events, from boundary to resume, in the order in which they were committed, and who holds the session. `boundary_event_id` in a payload links an outcome to the boundary that it is about.
         */
        get: operations["readTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tenants/{tenant_id}/sessions/{session_id}/trace-integrity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify a session's chain of events
         * @description Every digest is computed again, from the start of the chain, or from where retention has left it, to the end that the session records. Takes time in proportion to the events.
         */
        get: operations["verifyTrace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inspect-continuity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try the decision on given facts
         * @description The pure decision: nothing is read, nothing is stored, and 200 whatever the decision. `events` are those that a real run would leave.
         */
        post: operations["inspectContinuity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * ContinuityEnvelope
         * @description What must survive a compaction, reset, recovery or handoff without being summarized.
         */
        ContinuityEnvelope: {
            /**
             * schema version
             * @description Version of this schema.
             * @enum {string}
             */
            schema_version: "continuity-envelope/v1";
            /** @description Id of the envelope, unique within its tenant. */
            envelope_id: string;
            /** @description Session whose context was compacted or reset. */
            session_id: string;
            /** @description Trace of the run that seals the envelope. */
            source_trace_id: string;
            /** @description Tenant that the session belongs to. */
            tenant_id: string;
            /** @description Principal that the run acts for; in a role handoff, the one that will resume. */
            principal_id: string;
            /**
             * authorization mode
             * @description What the authority of the run rests on.
             * @enum {string}
             */
            authorization_mode: "platform_owned" | "user_delegated" | "human_approved";
            /** @description Policy version in force at sealing. */
            policy_version: string;
            /** @description Capability that the frozen action calls. */
            capability_name: string;
            /** @description Version of that capability at sealing. */
            capability_version: string;
            /** @description Approval that the frozen action rests on. */
            approval_id: string;
            /** @description Digest of the frozen action; compared, never recomputed. */
            action_digest: string;
            /**
             * Format: date-time
             * @description When the approval runs out: RFC 3339 with an offset, at most six fraction digits, kept to the microsecond.
             */
            approval_expires_at: string;
            /** @description Key under which the frozen action is carried out at most once. */
            idempotency_key: string;
            /**
             * side-effect status
             * @description What the run knows of the effect under that key.
             * @enum {string}
             */
            side_effect_status: "not_started" | "side_effect_committed" | "side_effect_unknown";
            /** @description Checkpoint to resume from. */
            checkpoint_ref: string;
            /** @description Binds the summary: `sha256:` and the lower-case hex SHA-256 of its trimmed text in UTF-8. Only the prefix is checked. */
            summary_sha256: string;
            /** @description Principal whose authority was delegated; may be empty unless the mode is `user_delegated`. */
            delegated_principal_id: string;
            /** @description What was delegated; may be empty unless the mode is `user_delegated`. */
            delegated_scope: string;
            /**
             * @description Always true: no envelope authorizes anything.
             * @enum {boolean}
             */
            requires_reauthorization: true;
            /**
             * reset reason
             * @description Why the context is given up.
             * @enum {string}
             */
            reset_reason: "context_compaction" | "context_reset" | "process_recovery" | "role_handoff";
            /** @description What the run is to achieve. May hold tabs and line breaks. */
            objective: string;
            /** @description Constraints that bind the run, by reference: their exact text stays in governed storage. */
            exact_constraint_refs: string[];
            /** @description Work that the run still owes. */
            pending_obligations: string[];
            /** @description Where what the envelope says can be checked. */
            evidence_refs: string[];
            /** @description The span of the session's event log that the summary was made from. */
            source_event_range: {
                /** @description Id of the first event that the summary covers. */
                first: string;
                /** @description Id of the last event that the summary covers. */
                last: string;
            };
            /** @description Snapshot of the sandbox to resume in. */
            sandbox_snapshot_ref?: string;
            /** @description What the run may still spend, in the unit of its own budget. */
            budget_remaining?: number;
        };
        /**
         * InspectedEnvelope
         * @description A continuity envelope to be inspected; what the decision does not compare may be left out.
         */
        InspectedEnvelope: {
            /**
             * schema version
             * @description Version of this schema.
             * @enum {string}
             */
            schema_version: "continuity-envelope/v1";
            /** @description Id of the envelope, unique within its tenant. */
            envelope_id: string;
            /** @description Session whose context was compacted or reset. */
            session_id: string;
            /** @description Trace of the run that seals the envelope. */
            source_trace_id: string;
            /** @description Tenant that the session belongs to. */
            tenant_id: string;
            /** @description Principal that the run acts for; in a role handoff, the one that will resume. */
            principal_id: string;
            /**
             * authorization mode
             * @description What the authority of the run rests on.
             * @enum {string}
             */
            authorization_mode: "platform_owned" | "user_delegated" | "human_approved";
            /** @description Policy version in force at sealing. */
            policy_version: string;
            /** @description Capability that the frozen action calls. */
            capability_name: string;
            /** @description Version of that capability at sealing. */
            capability_version: string;
            /** @description Approval that the frozen action rests on. */
            approval_id: string;
            /** @description Digest of the frozen action; compared, never recomputed. */
            action_digest: string;
            /**
             * Format: date-time
             * @description When the approval runs out: RFC 3339 with an offset, at most six fraction digits, kept to the microsecond.
             */
            approval_expires_at: string;
            /** @description Key under which the frozen action is carried out at most once. */
            idempotency_key: string;
            /**
             * side-effect status
             * @description What the run knows of the effect under that key.
             * @enum {string}
             */
            side_effect_status: "not_started" | "side_effect_committed" | "side_effect_unknown";
            /** @description Checkpoint to resume from. */
            checkpoint_ref: string;
            /** @description Binds the summary: `sha256:` and the lower-case hex SHA-256 of its trimmed text in UTF-8. Only the prefix is checked. */
            summary_sha256: string;
            /** @description Principal whose authority was delegated; may be empty unless the mode is `user_delegated`. */
            delegated_principal_id: string;
            /** @description What was delegated; may be empty unless the mode is `user_delegated`. */
            delegated_scope: string;
            /**
             * @description Always true: no envelope authorizes anything.
             * @enum {boolean}
             */
            requires_reauthorization: true;
            /**
             * reset reason
             * @description Why the context is given up.
             * @enum {string}
             */
            reset_reason?: "context_compaction" | "context_reset" | "process_recovery" | "role_handoff";
            /** @description What the run is to achieve. May hold tabs and line breaks. */
            objective?: string;
            /** @description Constraints that bind the run, by reference: their exact text stays in governed storage. */
            exact_constraint_refs?: string[];
            /** @description Work that the run still owes. */
            pending_obligations?: string[];
            /** @description Where what the envelope says can be checked. */
            evidence_refs?: string[];
            /** @description The span of the session's event log that the summary was made from. */
            source_event_range?: {
                /** @description Id of the first event that the summary covers. */
                first: string;
                /** @description Id of the last event that the summary covers. */
                last: string;
            };
            /** @description Snapshot of the sandbox to resume in. */
            sandbox_snapshot_ref?: string;
            /** @description What the run may still spend, in the unit of its own budget. */
            budget_remaining?: number;
        };
        /**
         * AttestedControlState
         * @description The current control state, read by the caller from systems of record elsewhere.
         */
        AttestedControlState: {
            /** @description Tenant that the session belongs to now. */
            tenant_id: string;
            /** @description Principal that the session acts for now. */
            principal_id: string;
            /**
             * authorization mode
             * @description What the authority of the session rests on now.
             * @enum {string}
             */
            authorization_mode: "platform_owned" | "user_delegated" | "human_approved";
            /** @description Policy version in force. */
            policy_version: string;
            /** @description Capability that the action calls, according to the ledger. */
            capability_name: string;
            /** @description Version of that capability in force. */
            capability_version: string;
            /** @description Approval that the action rests on, according to the ledger. */
            approval_id: string;
            /** @description Digest of the action that the approval is for. */
            action_digest: string;
            /**
             * approval status
             * @description What became of the approval.
             * @enum {string}
             */
            approval_status: "approved" | "pending" | "rejected" | "revoked" | "expired";
            /** @description Key of the action that the session is at. */
            idempotency_key: string;
            /**
             * side-effect status
             * @description What the ledger knows of the effect under that key.
             * @enum {string}
             */
            side_effect_status: "not_started" | "side_effect_committed" | "side_effect_unknown";
            /** @description Checkpoint that the session stands at. */
            checkpoint_ref: string;
            /** @description Principal whose authority is delegated now; may be empty in any mode. */
            delegated_principal_id: string;
            /** @description What is delegated now; may be empty in any mode. */
            delegated_scope: string;
            /** @description Snapshot that the sandbox stands at. */
            sandbox_snapshot_ref?: string;
            /** @description What the session may still spend, in the unit of its own budget. */
            budget_remaining?: number;
            /** @description Constraints in governed storage, by reference. */
            exact_constraint_refs?: string[];
            /** @description Obligations that are open now. */
            pending_obligations?: string[];
        };
        /** SealRequestBody */
        SealRequestBody: {
            continuity_envelope: components["schemas"]["ContinuityEnvelope"];
            /** @description The compacted summary: untrusted, hashed, and neither stored nor logged. */
            summary?: string;
            /** @description Epoch of the session as the caller knows it: how many times it has been rehydrated. */
            session_epoch?: number;
            /** @description Decision id of the go that the run holds. Once the session was resumed, an epoch alone seals only for the token subject that got the go. */
            decision_id?: string;
            /** @description What an attested session no longer has to carry on from its previous envelope, an effect by its idempotency key. */
            released?: {
                /** @description Constraint reference, obligation id or idempotency key that is released. */
                ref: string;
                /** @description What shows that it no longer binds. */
                evidence_refs: string[];
            }[];
        };
        /** RehydrateRequestBody */
        RehydrateRequestBody: {
            /** @description Envelope to resume from. */
            envelope_id: string;
            /** @description Tenant that the envelope is looked up under. */
            tenant_id: string;
            /** @description Principal that resumes. */
            principal_id: string;
            /** @description Session that is resumed. */
            session_id: string;
            /** @description The resuming run's trace. */
            trace_id: string;
            /** @description The compacted summary: untrusted, hashed, and neither stored nor logged. */
            summary: string;
            /** @description The span of the session's event log that the summary was made from. */
            source_event_range?: {
                /** @description Id of the first event that the summary covers. */
                first: string;
                /** @description Id of the last event that the summary covers. */
                last: string;
            };
            /** @description Epoch of the session as the caller knows it: how many times it has been rehydrated. */
            session_epoch?: number;
            /** @description Runtime that will hold the session; the token's subject if absent. */
            runtime_id?: string;
            current_state?: components["schemas"]["AttestedControlState"];
        };
        /** InspectRequestBody */
        InspectRequestBody: {
            continuity_envelope: components["schemas"]["InspectedEnvelope"];
            current_state: components["schemas"]["AttestedControlState"];
            /**
             * Format: date-time
             * @description Moment to decide at: RFC 3339 with an offset. The present if absent.
             */
            now?: string;
            /** @description The compacted summary: untrusted, hashed, and neither stored nor logged. */
            summary: string;
        };
        /** SealedEnvelope */
        SealedEnvelope: {
            continuity_envelope: components["schemas"]["ContinuityEnvelope"];
            /** @description `sha256:` and the hex SHA-256 of the RFC 8785 canonical JSON of the stored envelope. */
            envelope_sha256: string;
            /**
             * Format: date-time
             * @description When, by the database's clock.
             */
            created_at: string;
            /** @description The session's epoch when it was sealed. */
            session_epoch: number;
            /** @description The trace event that was committed in the same transaction. */
            trace_event: {
                /**
                 * Format: uuid
                 * @description Id of the event.
                 */
                event_id: string;
                /**
                 * @description Type of the event.
                 * @enum {string}
                 */
                event_type: "context_compaction" | "reset_boundary" | "context_rehydration" | "continuity_validation_failed" | "side_effect_reconciled" | "control_record_written" | "store_restored";
            };
        };
        /** GoDecision */
        GoDecision: {
            /**
             * @description The decision, which authorizes nothing.
             * @enum {string}
             */
            status: "reauthorization_required";
            /**
             * @description No rule found anything.
             * @enum {string}
             */
            reason: "continuity_validated";
            /**
             * @description Always false: the gate authorizes nothing.
             * @enum {boolean}
             */
            authorized: false;
            /**
             * @description Always true: the next capability call has to be authorized.
             * @enum {boolean}
             */
            requires_reauthorization: true;
            /** @description Every rule that failed, in the order of the rules; of one rule in the order of the envelope's actions. */
            findings: {
                /**
                 * @description A rule that failed.
                 * @enum {string}
                 */
                reason: "schema_version_unsupported" | "envelope_integrity_mismatch" | "envelope_superseded" | "summary_digest_mismatch" | "event_lineage_mismatch" | "tenant_mismatch" | "principal_mismatch" | "session_mismatch" | "unknown_side_effect" | "stale_epoch" | "control_state_missing" | "session_not_active" | "principal_not_active" | "authorization_mode_changed" | "delegated_principal_changed" | "delegated_scope_changed" | "policy_version_changed" | "capability_changed" | "capability_version_changed" | "approval_binding_changed" | "action_digest_changed" | "idempotency_key_changed" | "side_effect_status_changed" | "checkpoint_changed" | "sandbox_snapshot_changed" | "objective_changed" | "constraint_missing" | "constraint_changed" | "constraint_violated" | "obligation_dropped" | "obligation_unrecognized" | "budget_exhausted" | "approval_not_eligible" | "approval_revoked" | "approval_not_active" | "approval_expired" | "envelope_not_found" | "attested_state_refused";
                /** @description Of `continuity-envelope/v2`: the action that it is about, where it is about one. */
                idempotency_key?: string;
            }[];
            /**
             * Format: uuid
             * @description Id of the decision, for `GET /decisions/{decision_id}`.
             */
            decision_id: string;
            /** @description The envelope that was asked about. */
            envelope_id: string;
            /** @description The session that was asked about. */
            session_id: string;
            /** @description The tenant that was asked about. */
            tenant_id: string;
            /** @description The asking run's trace. */
            trace_id: string;
            /**
             * Format: date-time
             * @description When, by the database's clock.
             */
            decided_at: string;
            /**
             * @description Where the current control state came from: the gate's records, or the caller.
             * @enum {string}
             */
            control_state_source: "records" | "attested";
            /** @description The trace event that was committed in the same transaction. */
            trace_event: {
                /**
                 * Format: uuid
                 * @description Id of the event.
                 */
                event_id: string;
                /**
                 * @description Type of the event.
                 * @enum {string}
                 */
                event_type: "context_compaction" | "reset_boundary" | "context_rehydration" | "continuity_validation_failed" | "side_effect_reconciled" | "control_record_written" | "store_restored";
            };
            /** @description Trace of the run that sealed the envelope. */
            source_trace_id: string;
            /** @description The sealed checkpoint. */
            checkpoint_ref: string;
            /** @description The versions that the run is held to; those of capabilities are in `pending_actions` where the envelope has some. */
            versions: {
                schema_version: string;
                policy_version: string;
                capability_name?: string;
                capability_version?: string;
            };
            /** @description Of `continuity-envelope/v1`: key of the frozen action. */
            idempotency_key?: string;
            side_effect_status?: ("not_started" | "side_effect_committed" | "side_effect_unknown") | null;
            /** @description Of `continuity-envelope/v2`: the frozen actions, in their order. */
            pending_actions?: {
                /** @description Key of the action. */
                idempotency_key: string;
                capability_name: string;
                capability_version: string;
                action_digest: string;
                approval_id: string | null;
                approval_expires_at: string | null;
                side_effect_status: ("not_started" | "side_effect_committed" | "side_effect_unknown") | null;
            }[];
            /** @description What the session still owes. */
            pending_obligations: string[];
            /** @description The session's new epoch: the run that resumed earlier is fenced off. */
            session_epoch: number;
            /** @description Who holds the session now. */
            held_by: string;
            /** @description A compact JWS (EdDSA) which says that continuity was checked, for tool gateways to verify against `/.well-known/jwks.json`. It allows nothing. */
            receipt: string;
            context_view: components["schemas"]["ContextView"];
            authorization_request?: components["schemas"]["AuthorizationRequest"];
            /** @description Of `continuity-envelope/v2`: one for each action whose effect has not started, in their order. */
            authorization_requests?: components["schemas"]["AuthorizationRequest"][];
        };
        /** StopDecision */
        StopDecision: {
            /**
             * @description The decision: either way the run may not go on.
             * @enum {string}
             */
            status: "blocked_on_reconciliation" | "continuity_validation_failed";
            /**
             * @description The first finding.
             * @enum {string}
             */
            reason: "schema_version_unsupported" | "envelope_integrity_mismatch" | "envelope_superseded" | "summary_digest_mismatch" | "event_lineage_mismatch" | "tenant_mismatch" | "principal_mismatch" | "session_mismatch" | "unknown_side_effect" | "stale_epoch" | "control_state_missing" | "session_not_active" | "principal_not_active" | "authorization_mode_changed" | "delegated_principal_changed" | "delegated_scope_changed" | "policy_version_changed" | "capability_changed" | "capability_version_changed" | "approval_binding_changed" | "action_digest_changed" | "idempotency_key_changed" | "side_effect_status_changed" | "checkpoint_changed" | "sandbox_snapshot_changed" | "objective_changed" | "constraint_missing" | "constraint_changed" | "constraint_violated" | "obligation_dropped" | "obligation_unrecognized" | "budget_exhausted" | "approval_not_eligible" | "approval_revoked" | "approval_not_active" | "approval_expired" | "envelope_not_found" | "attested_state_refused";
            /**
             * @description Always false: the gate authorizes nothing.
             * @enum {boolean}
             */
            authorized: false;
            /**
             * @description Always true: the next capability call has to be authorized.
             * @enum {boolean}
             */
            requires_reauthorization: true;
            /** @description Every rule that failed, in the order of the rules; of one rule in the order of the envelope's actions. */
            findings: {
                /**
                 * @description A rule that failed.
                 * @enum {string}
                 */
                reason: "schema_version_unsupported" | "envelope_integrity_mismatch" | "envelope_superseded" | "summary_digest_mismatch" | "event_lineage_mismatch" | "tenant_mismatch" | "principal_mismatch" | "session_mismatch" | "unknown_side_effect" | "stale_epoch" | "control_state_missing" | "session_not_active" | "principal_not_active" | "authorization_mode_changed" | "delegated_principal_changed" | "delegated_scope_changed" | "policy_version_changed" | "capability_changed" | "capability_version_changed" | "approval_binding_changed" | "action_digest_changed" | "idempotency_key_changed" | "side_effect_status_changed" | "checkpoint_changed" | "sandbox_snapshot_changed" | "objective_changed" | "constraint_missing" | "constraint_changed" | "constraint_violated" | "obligation_dropped" | "obligation_unrecognized" | "budget_exhausted" | "approval_not_eligible" | "approval_revoked" | "approval_not_active" | "approval_expired" | "envelope_not_found" | "attested_state_refused";
                /** @description Of `continuity-envelope/v2`: the action that it is about, where it is about one. */
                idempotency_key?: string;
            }[];
            /**
             * Format: uuid
             * @description Id of the decision, for `GET /decisions/{decision_id}`.
             */
            decision_id: string;
            /** @description The envelope that was asked about. */
            envelope_id: string;
            /** @description The session that was asked about. */
            session_id: string;
            /** @description The tenant that was asked about. */
            tenant_id: string;
            /** @description The asking run's trace. */
            trace_id: string;
            /**
             * Format: date-time
             * @description When, by the database's clock.
             */
            decided_at: string;
            /**
             * @description Where the current control state came from: the gate's records, or the caller.
             * @enum {string}
             */
            control_state_source: "records" | "attested";
            /** @description The trace event that was committed in the same transaction. */
            trace_event: {
                /**
                 * Format: uuid
                 * @description Id of the event.
                 */
                event_id: string;
                /**
                 * @description Type of the event.
                 * @enum {string}
                 */
                event_type: "context_compaction" | "reset_boundary" | "context_rehydration" | "continuity_validation_failed" | "side_effect_reconciled" | "control_record_written" | "store_restored";
            };
            /** @description Trace of the run that sealed the envelope. */
            source_trace_id?: string;
            /** @description The sealed checkpoint. */
            checkpoint_ref?: string;
            /** @description The versions that the run is held to; those of capabilities are in `pending_actions` where the envelope has some. */
            versions?: {
                schema_version: string;
                policy_version: string;
                capability_name?: string;
                capability_version?: string;
            };
            /** @description Of `continuity-envelope/v1`: key of the frozen action. */
            idempotency_key?: string;
            side_effect_status?: ("not_started" | "side_effect_committed" | "side_effect_unknown") | null;
            /** @description Of `continuity-envelope/v2`: the frozen actions, in their order. */
            pending_actions?: {
                /** @description Key of the action. */
                idempotency_key: string;
                capability_name: string;
                capability_version: string;
                action_digest: string;
                approval_id: string | null;
                approval_expires_at: string | null;
                side_effect_status: ("not_started" | "side_effect_committed" | "side_effect_unknown") | null;
            }[];
            /** @description What the session still owes. */
            pending_obligations?: string[];
            /** @description With `control_state_missing`: the absent records, by path under `/tenants/{tenant_id}/`. */
            missing?: string[];
            /** @description With `unknown_side_effect`: every effect that has to be settled first. */
            reconciliation?: {
                /** @description Key under which the effect has to be settled. */
                idempotency_key: string;
                /** @description Capability whose effect it is. */
                capability_name: string;
                href: string | null;
            }[];
        };
        /** RecordedDecision */
        RecordedDecision: {
            /**
             * @description The decision. None of the three is an authorization.
             * @enum {string}
             */
            status: "reauthorization_required" | "blocked_on_reconciliation" | "continuity_validation_failed";
            /**
             * @description The first finding, or `continuity_validated`.
             * @enum {string}
             */
            reason: "continuity_validated" | "schema_version_unsupported" | "envelope_integrity_mismatch" | "envelope_superseded" | "summary_digest_mismatch" | "event_lineage_mismatch" | "tenant_mismatch" | "principal_mismatch" | "session_mismatch" | "unknown_side_effect" | "stale_epoch" | "control_state_missing" | "session_not_active" | "principal_not_active" | "authorization_mode_changed" | "delegated_principal_changed" | "delegated_scope_changed" | "policy_version_changed" | "capability_changed" | "capability_version_changed" | "approval_binding_changed" | "action_digest_changed" | "idempotency_key_changed" | "side_effect_status_changed" | "checkpoint_changed" | "sandbox_snapshot_changed" | "objective_changed" | "constraint_missing" | "constraint_changed" | "constraint_violated" | "obligation_dropped" | "obligation_unrecognized" | "budget_exhausted" | "approval_not_eligible" | "approval_revoked" | "approval_not_active" | "approval_expired" | "envelope_not_found" | "attested_state_refused";
            /**
             * @description Always false: the gate authorizes nothing.
             * @enum {boolean}
             */
            authorized: false;
            /**
             * @description Always true: the next capability call has to be authorized.
             * @enum {boolean}
             */
            requires_reauthorization: true;
            /** @description Every rule that failed, in the order of the rules; of one rule in the order of the envelope's actions. */
            findings: {
                /**
                 * @description A rule that failed.
                 * @enum {string}
                 */
                reason: "schema_version_unsupported" | "envelope_integrity_mismatch" | "envelope_superseded" | "summary_digest_mismatch" | "event_lineage_mismatch" | "tenant_mismatch" | "principal_mismatch" | "session_mismatch" | "unknown_side_effect" | "stale_epoch" | "control_state_missing" | "session_not_active" | "principal_not_active" | "authorization_mode_changed" | "delegated_principal_changed" | "delegated_scope_changed" | "policy_version_changed" | "capability_changed" | "capability_version_changed" | "approval_binding_changed" | "action_digest_changed" | "idempotency_key_changed" | "side_effect_status_changed" | "checkpoint_changed" | "sandbox_snapshot_changed" | "objective_changed" | "constraint_missing" | "constraint_changed" | "constraint_violated" | "obligation_dropped" | "obligation_unrecognized" | "budget_exhausted" | "approval_not_eligible" | "approval_revoked" | "approval_not_active" | "approval_expired" | "envelope_not_found" | "attested_state_refused";
                /** @description Of `continuity-envelope/v2`: the action that it is about, where it is about one. */
                idempotency_key?: string;
            }[];
            /**
             * Format: uuid
             * @description Id of the decision, for `GET /decisions/{decision_id}`.
             */
            decision_id: string;
            /** @description The envelope that was asked about. */
            envelope_id: string;
            /** @description The session that was asked about. */
            session_id: string;
            /** @description The tenant that was asked about. */
            tenant_id: string;
            /** @description The asking run's trace. */
            trace_id: string;
            /**
             * Format: date-time
             * @description When, by the database's clock.
             */
            decided_at: string;
            /**
             * @description Where the current control state came from: the gate's records, or the caller.
             * @enum {string}
             */
            control_state_source: "records" | "attested";
            /** @description The trace event that was committed in the same transaction. */
            trace_event: {
                /**
                 * Format: uuid
                 * @description Id of the event.
                 */
                event_id: string;
                /**
                 * @description Type of the event.
                 * @enum {string}
                 */
                event_type: "context_compaction" | "reset_boundary" | "context_rehydration" | "continuity_validation_failed" | "side_effect_reconciled" | "control_record_written" | "store_restored";
            };
            /** @description The epoch that a go opened. */
            session_epoch?: number;
            /** @description Who held the session after a go. */
            held_by?: string;
            rules_version: string | null;
            facts: {
                /** @enum {string} */
                kind: "refused";
                decided_at: string;
                /** @enum {string} */
                refusal: "envelope_not_found" | "attested_state_refused";
                presented: {
                    envelope_id: string;
                    tenant_id: string;
                    principal_id: string;
                    session_id: string;
                    summary_sha256: string;
                    source_event_range: {
                        /** @description Id of the first event that the summary covers. */
                        first: string;
                        /** @description Id of the last event that the summary covers. */
                        last: string;
                    } | null;
                    session_epoch: number | null;
                };
            } | {
                /** @enum {string} */
                kind: "sealing";
                decided_at: string;
                envelope: {
                    schema_version: string;
                    envelope_id: string;
                    envelope_sha256: string;
                    tenant_id: string;
                    session_id: string;
                    principal_id: string;
                    source_trace_id: string;
                    /** @enum {string} */
                    authorization_mode: "platform_owned" | "user_delegated" | "human_approved";
                    delegated_principal_id: string;
                    delegated_scope: string;
                    policy_version: string;
                    actions: {
                        idempotency_key: string;
                        capability_name: string;
                        capability_version: string;
                        action_digest: string;
                        approval_id: string | null;
                        approval_expires_at: string | null;
                        /** @enum {string} */
                        side_effect_status: "not_started" | "side_effect_committed" | "side_effect_unknown";
                    }[];
                    checkpoint_ref: string;
                    sandbox_snapshot_ref: string | null;
                    budget_remaining: number | null;
                    objective_sha256: string | null;
                    constraints: {
                        ref: string;
                        frozen_sha256: string | null;
                    }[];
                    pending_obligations: string[];
                    source_event_range: {
                        /** @description Id of the first event that the summary covers. */
                        first: string;
                        /** @description Id of the last event that the summary covers. */
                        last: string;
                    } | null;
                    lineage_sha256: string | null;
                    summary_sha256: string;
                };
                presented_summary_sha256: string | null;
                previous: {
                    constraint_refs: string[];
                    pending_obligations: string[];
                    last_sequence: number | null;
                    unknown_effects?: string[];
                } | null;
                released: string[];
                first_bindings: ({
                    policy_version: string;
                    capability_version: string;
                    action_digest: string;
                    idempotency_key?: string;
                    approval_expires_at?: string;
                } | null)[];
                current: {
                    /** @enum {string} */
                    source: "records" | "attested";
                    tenant_id: string;
                    session: {
                        /** @enum {string} */
                        session_status: "active" | "cancelled" | "ended";
                        principal_id: string;
                        /** @enum {string} */
                        authorization_mode: "platform_owned" | "user_delegated" | "human_approved";
                        delegated_principal_id: string;
                        delegated_scope: string;
                        idempotency_key: string | null;
                        checkpoint_ref: string;
                        sandbox_snapshot_ref?: string | null;
                        budget_remaining?: number | null;
                        objective_sha256?: string | null;
                    } | null;
                    principal_status: ("active" | "suspended" | "removed") | null;
                    delegated_principal_status?: ("active" | "suspended" | "removed") | null;
                    policy_version: string | null;
                    recorded_policy_version?: string | null;
                    revisions?: {
                        policy: number | null;
                        principal: number | null;
                    };
                    actions: {
                        capability_version: string | null;
                        recorded_capability_version?: string | null;
                        capability_revision?: number | null;
                        approval: {
                            /** @enum {string} */
                            approval_status: "approved" | "pending" | "rejected" | "revoked" | "expired";
                            session_id?: string;
                            capability_name?: string;
                            action_digest?: string;
                            expires_at?: string;
                            requested_by?: string;
                            decided_by?: string;
                            self_approval?: boolean;
                            eligible_approvers?: string[];
                            required_approvals?: number;
                            decisions?: {
                                decided_by: string;
                                /** @enum {string} */
                                decision: "approved" | "rejected";
                            }[];
                        } | null;
                        side_effect: {
                            session_id?: string;
                            capability_name: string;
                            approval_id: string | null;
                            action_digest: string;
                            /** @enum {string} */
                            side_effect_status: "not_started" | "side_effect_committed" | "side_effect_unknown";
                            reconciled: boolean;
                        } | null;
                    }[];
                    other_unknown_side_effects: {
                        idempotency_key: string;
                        capability_name: string;
                    }[];
                    lineage?: {
                        first_sequence: number | null;
                        last_sequence: number | null;
                        lineage_sha256: string | null;
                    };
                    constraints?: {
                        ref: string;
                        sha256?: string;
                        forbids_capability: string | null;
                        /** @enum {string} */
                        constraint_status: "active" | "withdrawn";
                    }[];
                    obligations?: {
                        obligation_id: string;
                        /** @enum {string} */
                        obligation_status: "open" | "discharged";
                    }[];
                } | null;
            } | {
                /** @enum {string} */
                kind: "compared";
                decided_at: string;
                presented: {
                    envelope_id: string;
                    tenant_id: string;
                    principal_id: string;
                    session_id: string;
                    summary_sha256: string;
                    source_event_range: {
                        /** @description Id of the first event that the summary covers. */
                        first: string;
                        /** @description Id of the last event that the summary covers. */
                        last: string;
                    } | null;
                    session_epoch: number | null;
                };
                envelope: {
                    schema_version: string;
                    envelope_id: string;
                    envelope_sha256: string;
                    tenant_id: string;
                    session_id: string;
                    principal_id: string;
                    source_trace_id: string;
                    /** @enum {string} */
                    authorization_mode: "platform_owned" | "user_delegated" | "human_approved";
                    delegated_principal_id: string;
                    delegated_scope: string;
                    policy_version: string;
                    actions: {
                        idempotency_key: string;
                        capability_name: string;
                        capability_version: string;
                        action_digest: string;
                        approval_id: string | null;
                        approval_expires_at: string | null;
                        /** @enum {string} */
                        side_effect_status: "not_started" | "side_effect_committed" | "side_effect_unknown";
                    }[];
                    checkpoint_ref: string;
                    sandbox_snapshot_ref: string | null;
                    budget_remaining: number | null;
                    objective_sha256: string | null;
                    constraints: {
                        ref: string;
                        frozen_sha256: string | null;
                    }[];
                    pending_obligations: string[];
                    source_event_range: {
                        /** @description Id of the first event that the summary covers. */
                        first: string;
                        /** @description Id of the last event that the summary covers. */
                        last: string;
                    } | null;
                    lineage_sha256: string | null;
                    summary_sha256: string;
                };
                stored_envelope_sha256: string;
                newest_envelope_id: string;
                session_epoch: number;
                current: {
                    /** @enum {string} */
                    source: "records" | "attested";
                    tenant_id: string;
                    session: {
                        /** @enum {string} */
                        session_status: "active" | "cancelled" | "ended";
                        principal_id: string;
                        /** @enum {string} */
                        authorization_mode: "platform_owned" | "user_delegated" | "human_approved";
                        delegated_principal_id: string;
                        delegated_scope: string;
                        idempotency_key: string | null;
                        checkpoint_ref: string;
                        sandbox_snapshot_ref?: string | null;
                        budget_remaining?: number | null;
                        objective_sha256?: string | null;
                    } | null;
                    principal_status: ("active" | "suspended" | "removed") | null;
                    delegated_principal_status?: ("active" | "suspended" | "removed") | null;
                    policy_version: string | null;
                    recorded_policy_version?: string | null;
                    revisions?: {
                        policy: number | null;
                        principal: number | null;
                    };
                    actions: {
                        capability_version: string | null;
                        recorded_capability_version?: string | null;
                        capability_revision?: number | null;
                        approval: {
                            /** @enum {string} */
                            approval_status: "approved" | "pending" | "rejected" | "revoked" | "expired";
                            session_id?: string;
                            capability_name?: string;
                            action_digest?: string;
                            expires_at?: string;
                            requested_by?: string;
                            decided_by?: string;
                            self_approval?: boolean;
                            eligible_approvers?: string[];
                            required_approvals?: number;
                            decisions?: {
                                decided_by: string;
                                /** @enum {string} */
                                decision: "approved" | "rejected";
                            }[];
                        } | null;
                        side_effect: {
                            session_id?: string;
                            capability_name: string;
                            approval_id: string | null;
                            action_digest: string;
                            /** @enum {string} */
                            side_effect_status: "not_started" | "side_effect_committed" | "side_effect_unknown";
                            reconciled: boolean;
                        } | null;
                    }[];
                    other_unknown_side_effects: {
                        idempotency_key: string;
                        capability_name: string;
                    }[];
                    lineage?: {
                        first_sequence: number | null;
                        last_sequence: number | null;
                        lineage_sha256: string | null;
                    };
                    constraints?: {
                        ref: string;
                        sha256?: string;
                        forbids_capability: string | null;
                        /** @enum {string} */
                        constraint_status: "active" | "withdrawn";
                    }[];
                    obligations?: {
                        obligation_id: string;
                        /** @enum {string} */
                        obligation_status: "open" | "discharged";
                    }[];
                };
            };
            /** @description The same facts, decided by today's rules. */
            replayed: {
                /**
                 * @description The decision. None of the three is an authorization.
                 * @enum {string}
                 */
                status: "reauthorization_required" | "blocked_on_reconciliation" | "continuity_validation_failed";
                /**
                 * @description The first finding, or `continuity_validated`.
                 * @enum {string}
                 */
                reason: "continuity_validated" | "schema_version_unsupported" | "envelope_integrity_mismatch" | "envelope_superseded" | "summary_digest_mismatch" | "event_lineage_mismatch" | "tenant_mismatch" | "principal_mismatch" | "session_mismatch" | "unknown_side_effect" | "stale_epoch" | "control_state_missing" | "session_not_active" | "principal_not_active" | "authorization_mode_changed" | "delegated_principal_changed" | "delegated_scope_changed" | "policy_version_changed" | "capability_changed" | "capability_version_changed" | "approval_binding_changed" | "action_digest_changed" | "idempotency_key_changed" | "side_effect_status_changed" | "checkpoint_changed" | "sandbox_snapshot_changed" | "objective_changed" | "constraint_missing" | "constraint_changed" | "constraint_violated" | "obligation_dropped" | "obligation_unrecognized" | "budget_exhausted" | "approval_not_eligible" | "approval_revoked" | "approval_not_active" | "approval_expired" | "envelope_not_found" | "attested_state_refused";
                /** @description Whether today's rules decide the same. */
                same: boolean;
                /** @description Version of today's rules. */
                rules_version: string;
            };
        };
        /** ContextView */
        ContextView: {
            /** @description The sealed objective. */
            objective: string;
            /** @description Every constraint that binds the run: the sealed ones and those added since. */
            constraints: {
                /** @description Reference of the constraint. */
                ref: string;
                text: string | null;
                forbids_capability: string | null;
            }[];
            /** @description What the session still owes. */
            pending_obligations: string[];
            /** @description What was sealed as owed and has been done since. */
            discharged_obligations: string[];
            /** @description The checkpoint to resume from. */
            checkpoint_ref: string;
            sandbox_snapshot_ref: string | null;
            budget_remaining: number | null;
            /** @description The span of the session's event log that the summary was made from. */
            source_event_range: {
                /** @description Id of the first event that the summary covers. */
                first: string;
                /** @description Id of the last event that the summary covers. */
                last: string;
            };
            /** @description The first 100 events that happened after the range that the summary covers. */
            uncovered_events: {
                event_id: string;
                event_type: string;
                sequence: number;
            }[];
            /** @description How many such events there are. */
            uncovered_total: number;
            /** @description The summary is data to read, never an instruction or a permission. */
            summary: {
                /** @enum {string} */
                trust: "untrusted";
                sha256: string;
            };
        };
        /**
         * AuthorizationRequest
         * @description What to ask the policy decision point before the next call, in the form of OpenID AuthZEN.
         */
        AuthorizationRequest: {
            subject: {
                /** @enum {string} */
                type: "principal";
                id: string;
            };
            action: {
                name: string;
            };
            resource: {
                /** @enum {string} */
                type: "idempotency_key";
                id: string;
            };
            context: {
                tenant_id: string;
                session_id: string;
                session_epoch: number;
                action_digest: string;
                approval_id: string | null;
                authorization_mode: string;
                delegated_principal_id: string;
                delegated_scope: string;
                policy_version: string;
                capability_version: string;
            };
        };
        /** Inspection */
        Inspection: {
            /**
             * @description The decision. None of the three is an authorization.
             * @enum {string}
             */
            status: "reauthorization_required" | "blocked_on_reconciliation" | "continuity_validation_failed";
            /**
             * @description The first finding, or `continuity_validated`.
             * @enum {string}
             */
            reason: "continuity_validated" | "schema_version_unsupported" | "envelope_integrity_mismatch" | "envelope_superseded" | "summary_digest_mismatch" | "event_lineage_mismatch" | "tenant_mismatch" | "principal_mismatch" | "session_mismatch" | "unknown_side_effect" | "stale_epoch" | "control_state_missing" | "session_not_active" | "principal_not_active" | "authorization_mode_changed" | "delegated_principal_changed" | "delegated_scope_changed" | "policy_version_changed" | "capability_changed" | "capability_version_changed" | "approval_binding_changed" | "action_digest_changed" | "idempotency_key_changed" | "side_effect_status_changed" | "checkpoint_changed" | "sandbox_snapshot_changed" | "objective_changed" | "constraint_missing" | "constraint_changed" | "constraint_violated" | "obligation_dropped" | "obligation_unrecognized" | "budget_exhausted" | "approval_not_eligible" | "approval_revoked" | "approval_not_active" | "approval_expired" | "envelope_not_found" | "attested_state_refused";
            /**
             * @description Always false: the gate authorizes nothing.
             * @enum {boolean}
             */
            authorized: false;
            /**
             * @description Always true: the next capability call has to be authorized.
             * @enum {boolean}
             */
            requires_reauthorization: true;
            /** @description Every rule that failed, in the order of the rules; of one rule in the order of the envelope's actions. */
            findings: {
                /**
                 * @description A rule that failed.
                 * @enum {string}
                 */
                reason: "schema_version_unsupported" | "envelope_integrity_mismatch" | "envelope_superseded" | "summary_digest_mismatch" | "event_lineage_mismatch" | "tenant_mismatch" | "principal_mismatch" | "session_mismatch" | "unknown_side_effect" | "stale_epoch" | "control_state_missing" | "session_not_active" | "principal_not_active" | "authorization_mode_changed" | "delegated_principal_changed" | "delegated_scope_changed" | "policy_version_changed" | "capability_changed" | "capability_version_changed" | "approval_binding_changed" | "action_digest_changed" | "idempotency_key_changed" | "side_effect_status_changed" | "checkpoint_changed" | "sandbox_snapshot_changed" | "objective_changed" | "constraint_missing" | "constraint_changed" | "constraint_violated" | "obligation_dropped" | "obligation_unrecognized" | "budget_exhausted" | "approval_not_eligible" | "approval_revoked" | "approval_not_active" | "approval_expired" | "envelope_not_found" | "attested_state_refused";
                /** @description Of `continuity-envelope/v2`: the action that it is about, where it is about one. */
                idempotency_key?: string;
            }[];
            /** @description Types of the events that a real run would leave. */
            event_types: ("context_compaction" | "reset_boundary" | "context_rehydration" | "continuity_validation_failed" | "side_effect_reconciled" | "control_record_written" | "store_restored")[];
            /** @description The events that a real run would leave: of the boundary, then of the outcome. */
            events: {
                /**
                 * @description Type of the event.
                 * @enum {string}
                 */
                event_type: "context_compaction" | "reset_boundary" | "context_rehydration" | "continuity_validation_failed" | "side_effect_reconciled" | "control_record_written" | "store_restored";
                /** @description Session of the envelope. */
                session_id: string;
                /** @description Trace of the envelope: no other run is known here. */
                trace_id: string;
                /** @description What the event says beyond its columns. */
                payload: {
                    [key: string]: unknown;
                };
            }[];
        };
        /** ReceiptKeySet */
        ReceiptKeySet: {
            keys: {
                /** @enum {string} */
                kty: "OKP";
                /** @enum {string} */
                crv: "Ed25519";
                kid: string;
                x: string;
                /** @enum {string} */
                alg: "EdDSA";
                /** @enum {string} */
                use: "sig";
            }[];
        };
        /** TraceEvent */
        TraceEvent: {
            /**
             * Format: uuid
             * @description Id of the event; UUIDs of version 7 sort by time.
             */
            event_id: string;
            /**
             * @description What happened.
             * @enum {string}
             */
            event_type: "context_compaction" | "reset_boundary" | "context_rehydration" | "continuity_validation_failed" | "side_effect_reconciled" | "control_record_written" | "store_restored";
            /** @description Version of this schema. */
            schema_version: string;
            /**
             * Format: date-time
             * @description When, by the database's clock: UTC with six fraction digits.
             */
            occurred_at: string;
            /** @description Tenant that the event belongs to. */
            tenant_id: string;
            session_id: string | null;
            principal_id: string | null;
            /** @description Who called: the token's subject, or `open`. */
            actor: string;
            trace_id: string | null;
            span_id: string | null;
            envelope_id: string | null;
            decision_id: string | null;
            status: string | null;
            reason: string | null;
            /** @description What the event says beyond its columns: identifiers, versions, statuses and digests. */
            payload: {
                [key: string]: unknown;
            };
            /** @description Place in the chain of its session, or of its tenant. */
            sequence: number;
            /** @description The previous event's digest; zeros for the first. */
            previous_sha256: string;
            /** @description SHA-256, in hex, of the RFC 8785 canonical JSON of this event without this field. */
            event_sha256: string;
        };
        /** TraceEventPage */
        TraceEventPage: {
            events: components["schemas"]["TraceEvent"][];
            next_cursor: string | null;
        };
        /** ProblemDetails */
        ProblemDetails: {
            /** @description URN of the error code. */
            type: string;
            /** @description The HTTP status. */
            status: number;
            /** @description What kind of error it is. */
            title: string;
            /** @description What is wrong; for a malformed artifact the operator error to the letter. */
            detail: string;
            /**
             * @description Stable code of the error.
             * @enum {string}
             */
            code: "schema_invalid" | "unauthenticated" | "forbidden" | "attested_state_refused" | "envelope_not_found" | "decision_not_found" | "record_not_found" | "route_not_found" | "envelope_conflict" | "record_field_frozen" | "status_transition_refused" | "expiry_extended" | "approval_mismatch" | "approval_already_bound" | "session_cycle" | "session_has_successor" | "event_conflict" | "effect_not_unknown" | "stale_epoch" | "precondition_failed" | "body_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "too_many_requests" | "internal_error" | "overloaded" | "identity_provider_unavailable" | "governed_store_unavailable";
            /** @description Everything that is wrong with the request itself, at most 100 faults of it; `detail` tells the first. */
            errors: {
                /** @description RFC 6901 pointer to the fault. */
                pointer: string;
                /** @description What is wrong there. */
                message: string;
                /** @description The values that are allowed there, where they are few. */
                allowed?: string[];
            }[];
            /** @description Id of the request, also in the `x-request-id` header and in the log. */
            request_id: string;
            /** @description With a conflict over a record: the record as it is, without free text. */
            current?: {
                [key: string]: unknown;
            };
            /** @description With `stale_epoch`: who holds the session. */
            held_by?: string | null;
            /** @description With `stale_epoch`: since when. */
            held_since?: string | null;
        } & ({
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:schema_invalid";
            /** @enum {unknown} */
            status: 400;
            /** @enum {unknown} */
            code: "schema_invalid";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:unauthenticated";
            /** @enum {unknown} */
            status: 401;
            /** @enum {unknown} */
            code: "unauthenticated";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:forbidden";
            /** @enum {unknown} */
            status: 403;
            /** @enum {unknown} */
            code: "forbidden";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:attested_state_refused";
            /** @enum {unknown} */
            status: 403;
            /** @enum {unknown} */
            code: "attested_state_refused";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:envelope_not_found";
            /** @enum {unknown} */
            status: 404;
            /** @enum {unknown} */
            code: "envelope_not_found";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:decision_not_found";
            /** @enum {unknown} */
            status: 404;
            /** @enum {unknown} */
            code: "decision_not_found";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:record_not_found";
            /** @enum {unknown} */
            status: 404;
            /** @enum {unknown} */
            code: "record_not_found";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:route_not_found";
            /** @enum {unknown} */
            status: 404;
            /** @enum {unknown} */
            code: "route_not_found";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:envelope_conflict";
            /** @enum {unknown} */
            status: 409;
            /** @enum {unknown} */
            code: "envelope_conflict";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:record_field_frozen";
            /** @enum {unknown} */
            status: 409;
            /** @enum {unknown} */
            code: "record_field_frozen";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:status_transition_refused";
            /** @enum {unknown} */
            status: 409;
            /** @enum {unknown} */
            code: "status_transition_refused";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:expiry_extended";
            /** @enum {unknown} */
            status: 409;
            /** @enum {unknown} */
            code: "expiry_extended";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:approval_mismatch";
            /** @enum {unknown} */
            status: 409;
            /** @enum {unknown} */
            code: "approval_mismatch";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:approval_already_bound";
            /** @enum {unknown} */
            status: 409;
            /** @enum {unknown} */
            code: "approval_already_bound";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:session_cycle";
            /** @enum {unknown} */
            status: 409;
            /** @enum {unknown} */
            code: "session_cycle";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:session_has_successor";
            /** @enum {unknown} */
            status: 409;
            /** @enum {unknown} */
            code: "session_has_successor";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:event_conflict";
            /** @enum {unknown} */
            status: 409;
            /** @enum {unknown} */
            code: "event_conflict";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:effect_not_unknown";
            /** @enum {unknown} */
            status: 409;
            /** @enum {unknown} */
            code: "effect_not_unknown";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:stale_epoch";
            /** @enum {unknown} */
            status: 409;
            /** @enum {unknown} */
            code: "stale_epoch";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:precondition_failed";
            /** @enum {unknown} */
            status: 412;
            /** @enum {unknown} */
            code: "precondition_failed";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:body_too_large";
            /** @enum {unknown} */
            status: 413;
            /** @enum {unknown} */
            code: "body_too_large";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:unsupported_media_type";
            /** @enum {unknown} */
            status: 415;
            /** @enum {unknown} */
            code: "unsupported_media_type";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:idempotency_key_reused";
            /** @enum {unknown} */
            status: 422;
            /** @enum {unknown} */
            code: "idempotency_key_reused";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:too_many_requests";
            /** @enum {unknown} */
            status: 429;
            /** @enum {unknown} */
            code: "too_many_requests";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:internal_error";
            /** @enum {unknown} */
            status: 500;
            /** @enum {unknown} */
            code: "internal_error";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:overloaded";
            /** @enum {unknown} */
            status: 503;
            /** @enum {unknown} */
            code: "overloaded";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:identity_provider_unavailable";
            /** @enum {unknown} */
            status: 503;
            /** @enum {unknown} */
            code: "identity_provider_unavailable";
        } | {
            /** @enum {unknown} */
            type: "urn:continuity-gate:problem:governed_store_unavailable";
            /** @enum {unknown} */
            status: 503;
            /** @enum {unknown} */
            code: "governed_store_unavailable";
        });
        /** StopProblem */
        StopProblem: {
            /** @enum {string} */
            status: "continuity_validation_failed";
            /**
             * @description Stable code of the error.
             * @enum {string}
             */
            reason: "schema_invalid" | "unauthenticated" | "forbidden" | "attested_state_refused" | "envelope_not_found" | "decision_not_found" | "record_not_found" | "route_not_found" | "envelope_conflict" | "record_field_frozen" | "status_transition_refused" | "expiry_extended" | "approval_mismatch" | "approval_already_bound" | "session_cycle" | "session_has_successor" | "event_conflict" | "effect_not_unknown" | "stale_epoch" | "precondition_failed" | "body_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "too_many_requests" | "internal_error" | "overloaded" | "identity_provider_unavailable" | "governed_store_unavailable";
            /** @enum {boolean} */
            authorized: false;
            /** @enum {boolean} */
            requires_reauthorization: true;
            /** @description What kind of error it is. */
            title: string;
            /** @description What is wrong; for a malformed artifact the operator error to the letter. */
            detail: string;
            /**
             * @description Stable code of the error.
             * @enum {string}
             */
            code: "schema_invalid" | "unauthenticated" | "forbidden" | "attested_state_refused" | "envelope_not_found" | "decision_not_found" | "record_not_found" | "route_not_found" | "envelope_conflict" | "record_field_frozen" | "status_transition_refused" | "expiry_extended" | "approval_mismatch" | "approval_already_bound" | "session_cycle" | "session_has_successor" | "event_conflict" | "effect_not_unknown" | "stale_epoch" | "precondition_failed" | "body_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "too_many_requests" | "internal_error" | "overloaded" | "identity_provider_unavailable" | "governed_store_unavailable";
            /** @description Everything that is wrong with the request itself, at most 100 faults of it; `detail` tells the first. */
            errors: {
                /** @description RFC 6901 pointer to the fault. */
                pointer: string;
                /** @description What is wrong there. */
                message: string;
                /** @description The values that are allowed there, where they are few. */
                allowed?: string[];
            }[];
            /** @description Id of the request, also in the `x-request-id` header and in the log. */
            request_id: string;
        } & ({
            /** @enum {unknown} */
            reason: "schema_invalid";
            /** @enum {unknown} */
            code: "schema_invalid";
        } | {
            /** @enum {unknown} */
            reason: "unauthenticated";
            /** @enum {unknown} */
            code: "unauthenticated";
        } | {
            /** @enum {unknown} */
            reason: "forbidden";
            /** @enum {unknown} */
            code: "forbidden";
        } | {
            /** @enum {unknown} */
            reason: "attested_state_refused";
            /** @enum {unknown} */
            code: "attested_state_refused";
        } | {
            /** @enum {unknown} */
            reason: "envelope_not_found";
            /** @enum {unknown} */
            code: "envelope_not_found";
        } | {
            /** @enum {unknown} */
            reason: "decision_not_found";
            /** @enum {unknown} */
            code: "decision_not_found";
        } | {
            /** @enum {unknown} */
            reason: "record_not_found";
            /** @enum {unknown} */
            code: "record_not_found";
        } | {
            /** @enum {unknown} */
            reason: "route_not_found";
            /** @enum {unknown} */
            code: "route_not_found";
        } | {
            /** @enum {unknown} */
            reason: "envelope_conflict";
            /** @enum {unknown} */
            code: "envelope_conflict";
        } | {
            /** @enum {unknown} */
            reason: "record_field_frozen";
            /** @enum {unknown} */
            code: "record_field_frozen";
        } | {
            /** @enum {unknown} */
            reason: "status_transition_refused";
            /** @enum {unknown} */
            code: "status_transition_refused";
        } | {
            /** @enum {unknown} */
            reason: "expiry_extended";
            /** @enum {unknown} */
            code: "expiry_extended";
        } | {
            /** @enum {unknown} */
            reason: "approval_mismatch";
            /** @enum {unknown} */
            code: "approval_mismatch";
        } | {
            /** @enum {unknown} */
            reason: "approval_already_bound";
            /** @enum {unknown} */
            code: "approval_already_bound";
        } | {
            /** @enum {unknown} */
            reason: "session_cycle";
            /** @enum {unknown} */
            code: "session_cycle";
        } | {
            /** @enum {unknown} */
            reason: "session_has_successor";
            /** @enum {unknown} */
            code: "session_has_successor";
        } | {
            /** @enum {unknown} */
            reason: "event_conflict";
            /** @enum {unknown} */
            code: "event_conflict";
        } | {
            /** @enum {unknown} */
            reason: "effect_not_unknown";
            /** @enum {unknown} */
            code: "effect_not_unknown";
        } | {
            /** @enum {unknown} */
            reason: "stale_epoch";
            /** @enum {unknown} */
            code: "stale_epoch";
        } | {
            /** @enum {unknown} */
            reason: "precondition_failed";
            /** @enum {unknown} */
            code: "precondition_failed";
        } | {
            /** @enum {unknown} */
            reason: "body_too_large";
            /** @enum {unknown} */
            code: "body_too_large";
        } | {
            /** @enum {unknown} */
            reason: "unsupported_media_type";
            /** @enum {unknown} */
            code: "unsupported_media_type";
        } | {
            /** @enum {unknown} */
            reason: "idempotency_key_reused";
            /** @enum {unknown} */
            code: "idempotency_key_reused";
        } | {
            /** @enum {unknown} */
            reason: "too_many_requests";
            /** @enum {unknown} */
            code: "too_many_requests";
        } | {
            /** @enum {unknown} */
            reason: "internal_error";
            /** @enum {unknown} */
            code: "internal_error";
        } | {
            /** @enum {unknown} */
            reason: "overloaded";
            /** @enum {unknown} */
            code: "overloaded";
        } | {
            /** @enum {unknown} */
            reason: "identity_provider_unavailable";
            /** @enum {unknown} */
            code: "identity_provider_unavailable";
        } | {
            /** @enum {unknown} */
            reason: "governed_store_unavailable";
            /** @enum {unknown} */
            code: "governed_store_unavailable";
        });
        /** AppendEventsBody */
        AppendEventsBody: {
            /** @description The events in their order; all of them are appended, or none. */
            events: {
                /** @description Id of the event, unique within its session. */
                event_id: string;
                /** @description What kind of event it is. */
                event_type: string;
                /** @description Digest of its content, which the gate never sees. */
                content_sha256: string;
                /**
                 * Format: date-time
                 * @description When it happened: RFC 3339 with an offset.
                 */
                occurred_at?: string;
            }[];
        };
        /** AppendedEvents */
        AppendedEvents: {
            /** @description Every event of the batch with its place. */
            events: {
                /** @description Id of the event, unique within its session. */
                event_id: string;
                /** @description What kind of event it is. */
                event_type: string;
                /** @description Digest of its content, which the gate never sees. */
                content_sha256: string;
                /**
                 * Format: date-time
                 * @description When it happened: RFC 3339 with an offset.
                 */
                occurred_at?: string;
                /** @description Its place in the log, from 1 without gaps. */
                sequence: number;
                /** @description Running digest: SHA-256, in hex, of the RFC 8785 canonical JSON of `{previous, sequence, event_id, event_type, content_sha256}`; the first `previous` is 64 zeros. */
                lineage_sha256: string;
            }[];
            /** @description How many of them are new. */
            added: number;
        };
        /** SessionEventPage */
        SessionEventPage: {
            /** @description Events in the order of the log. */
            events: {
                /** @description Id of the event, unique within its session. */
                event_id: string;
                /** @description What kind of event it is. */
                event_type: string;
                /** @description Digest of its content, which the gate never sees. */
                content_sha256: string;
                /**
                 * Format: date-time
                 * @description When it happened: RFC 3339 with an offset.
                 */
                occurred_at?: string;
                /** @description Its place in the log, from 1 without gaps. */
                sequence: number;
                /** @description Running digest: SHA-256, in hex, of the RFC 8785 canonical JSON of `{previous, sequence, event_id, event_type, content_sha256}`; the first `previous` is 64 zeros. */
                lineage_sha256: string;
            }[];
            next_after: number | null;
        };
        /** SessionEpoch */
        SessionEpoch: {
            /** @description How many times the session was resumed. */
            session_epoch: number;
            held_by: string | null;
            held_since: string | null;
        };
        /**
         * AssembledState
         * @description The current control state of a session from its records; null where there is no record.
         */
        AssembledState: {
            tenant_id: string;
            principal_id: string | null;
            authorization_mode: string | null;
            delegated_principal_id: string | null;
            delegated_scope: string | null;
            policy_version: string | null;
            capability_name: string | null;
            capability_version: string | null;
            approval_id: string | null;
            action_digest: string | null;
            approval_status: string | null;
            idempotency_key: string | null;
            side_effect_status: string | null;
            checkpoint_ref: string | null;
        };
        /** ReconciliationQueue */
        ReconciliationQueue: {
            /** @description Every effect whose outcome is unknown, oldest first. */
            reconciliations: {
                /** @description Key under which to settle the effect. */
                idempotency_key: string;
                /** @description Session that it blocks. */
                session_id: string;
                /** @description Capability whose effect it is. */
                capability_name: string;
                /** @description Approval that it rests on. */
                approval_id: string;
                /**
                 * Format: date-time
                 * @description Since when its outcome is unknown.
                 */
                unknown_since: string;
                /** @description For how many seconds. */
                age_seconds: number;
                /** @description Where to settle it. */
                href: string;
            }[];
        };
        /** Timeline */
        Timeline: {
            tenant_id: string;
            session_id: string;
            /** @description How many times the session was resumed. */
            session_epoch: number;
            held_by: string | null;
            held_since: string | null;
            /** @description In the order of the chain. */
            events: components["schemas"]["TraceEvent"][];
            next_after: number | null;
        };
        /** TraceIntegrity */
        TraceIntegrity: {
            /** @description Whether every event is there and unchanged. */
            intact: boolean;
            /** @description How many events were verified. */
            events: number;
            broken_at: number | null;
        };
        /** SettlementBody */
        SettlementBody: {
            /**
             * reconciliation outcome
             * @description What has become of the effect.
             * @enum {string}
             */
            outcome: "side_effect_committed" | "not_started";
            /** @description What shows it. */
            evidence_refs: string[];
            /** @description Person or job that found out. */
            reconciled_by: string;
        };
        /** PolicyBody */
        PolicyBody: {
            /** @description The policy version in force. */
            policy_version: string;
        };
        /** PolicyRecord */
        PolicyRecord: {
            tenant_id: string;
            /** @description The policy version in force. */
            policy_version: string;
            /** @description Counts the changes; also the `ETag`. */
            revision: number;
            /**
             * Format: date-time
             * @description Last change, by the database's clock.
             */
            updated_at: string;
        };
        /** CapabilityBody */
        CapabilityBody: {
            /** @description The version in force. */
            capability_version: string;
            /** @description Whether a call of it needs an approval; left out: it does. */
            approval_required?: boolean;
        };
        /** CapabilityRecord */
        CapabilityRecord: {
            tenant_id: string;
            capability_name: string;
            /** @description The version in force. */
            capability_version: string;
            /** @description Whether a call of it needs an approval; left out: it does. */
            approval_required?: boolean;
            /** @description Counts the changes; also the `ETag`. */
            revision: number;
            /**
             * Format: date-time
             * @description Last change, by the database's clock.
             */
            updated_at: string;
        };
        /** PrincipalBody */
        PrincipalBody: {
            /**
             * principal status
             * @description Whether it may act at all.
             * @enum {string}
             */
            principal_status: "active" | "suspended" | "removed";
        };
        /** PrincipalRecord */
        PrincipalRecord: {
            tenant_id: string;
            principal_id: string;
            /**
             * principal status
             * @description Whether it may act at all.
             * @enum {string}
             */
            principal_status: "active" | "suspended" | "removed";
            /** @description Counts the changes; also the `ETag`. */
            revision: number;
            /**
             * Format: date-time
             * @description Last change, by the database's clock.
             */
            updated_at: string;
        };
        /** SessionBody */
        SessionBody: {
            /**
             * session status
             * @description Whether the session goes on; `cancelled` and `ended` are final.
             * @enum {string}
             */
            session_status: "active" | "cancelled" | "ended";
            /** @description Principal that the session acts for. */
            principal_id: string;
            /**
             * authorization mode
             * @description What its authority rests on.
             * @enum {string}
             */
            authorization_mode: "platform_owned" | "user_delegated" | "human_approved";
            /** @description Principal whose authority is delegated; may be empty. */
            delegated_principal_id: string;
            /** @description What is delegated; may be empty. */
            delegated_scope: string;
            /** @description Key of the action that the session is at. */
            idempotency_key: string;
            /** @description Checkpoint that it stands at. */
            checkpoint_ref: string;
            /** @description Snapshot that its sandbox stands at. */
            sandbox_snapshot_ref?: string;
            /** @description What it may still spend, in the unit of its own budget. */
            budget_remaining?: number;
            /** @description What it is to achieve. May hold tabs and line breaks. */
            objective?: string;
            /** @description Session that has started it, and that stops it; never changes once it is set. */
            parent_session_id?: string;
            /** @description Session whose work it takes over, with all that binds that one; never changes once it is set. */
            predecessor_session_id?: string;
            /** @description Refused unless it is the current epoch of the session. */
            session_epoch?: number;
        };
        /** SessionRecord */
        SessionRecord: {
            tenant_id: string;
            session_id: string;
            /**
             * session status
             * @description Whether the session goes on; `cancelled` and `ended` are final.
             * @enum {string}
             */
            session_status: "active" | "cancelled" | "ended";
            /** @description Principal that the session acts for. */
            principal_id: string;
            /**
             * authorization mode
             * @description What its authority rests on.
             * @enum {string}
             */
            authorization_mode: "platform_owned" | "user_delegated" | "human_approved";
            /** @description Principal whose authority is delegated; may be empty. */
            delegated_principal_id: string;
            /** @description What is delegated; may be empty. */
            delegated_scope: string;
            /** @description Key of the action that the session is at. */
            idempotency_key: string;
            /** @description Checkpoint that it stands at. */
            checkpoint_ref: string;
            /** @description Snapshot that its sandbox stands at. */
            sandbox_snapshot_ref?: string;
            /** @description What it may still spend, in the unit of its own budget. */
            budget_remaining?: number;
            /** @description What it is to achieve. May hold tabs and line breaks. */
            objective?: string;
            /** @description Session that has started it, and that stops it; never changes once it is set. */
            parent_session_id?: string;
            /** @description Session whose work it takes over, with all that binds that one; never changes once it is set. */
            predecessor_session_id?: string;
            /** @description Counts the changes; also the `ETag`. */
            revision: number;
            /**
             * Format: date-time
             * @description Last change, by the database's clock.
             */
            updated_at: string;
        };
        /** ObligationBody */
        ObligationBody: {
            /**
             * obligation status
             * @description Whether it is still owed; `discharged` is final and needs evidence.
             * @enum {string}
             */
            obligation_status: "open" | "discharged";
            /** @description What shows that it was discharged. */
            evidence_refs?: string[];
        };
        /** ObligationRecord */
        ObligationRecord: {
            tenant_id: string;
            session_id: string;
            obligation_id: string;
            /**
             * obligation status
             * @description Whether it is still owed; `discharged` is final and needs evidence.
             * @enum {string}
             */
            obligation_status: "open" | "discharged";
            /** @description What shows that it was discharged. */
            evidence_refs?: string[];
            /** @description Counts the changes; also the `ETag`. */
            revision: number;
            /**
             * Format: date-time
             * @description Last change, by the database's clock.
             */
            updated_at: string;
        };
        /** ConstraintBody */
        ConstraintBody: {
            /** @description Session that the record belongs to; never changes. */
            session_id: string;
            /** @description The exact text. May hold tabs and line breaks. */
            text: string;
            /** @description The capability that the constraint forbids. */
            forbids_capability?: string;
            /**
             * constraint status
             * @description Whether the constraint binds.
             * @enum {string}
             */
            constraint_status: "active" | "withdrawn";
        };
        /** ConstraintRecord */
        ConstraintRecord: {
            tenant_id: string;
            constraint_ref: string;
            /** @description Session that the record belongs to; never changes. */
            session_id: string;
            /** @description The exact text. May hold tabs and line breaks. */
            text?: string;
            /** @description The capability that the constraint forbids. */
            forbids_capability?: string;
            /**
             * constraint status
             * @description Whether the constraint binds.
             * @enum {string}
             */
            constraint_status: "active" | "withdrawn";
            /** @description Counts the changes; also the `ETag`. */
            revision: number;
            /**
             * Format: date-time
             * @description Last change, by the database's clock.
             */
            updated_at: string;
        };
        /** ApprovalBody */
        ApprovalBody: {
            /** @description Session that the record belongs to; never changes. */
            session_id: string;
            /** @description Capability that the action calls; never changes. */
            capability_name: string;
            /** @description Digest of the action; never changes. */
            action_digest: string;
            /**
             * approval status
             * @description What became of it; `rejected`, `revoked` and `expired` are final.
             * @enum {string}
             */
            approval_status: "approved" | "pending" | "rejected" | "revoked" | "expired";
            /**
             * Format: date-time
             * @description When it runs out: RFC 3339 with an offset; only ever earlier.
             */
            expires_at: string;
            /** @description Who asked for it. */
            requested_by?: string;
            /** @description Who decided it. */
            decided_by?: string;
            /** @description Whether who asked for it may decide it too. */
            self_approval?: boolean;
            /** @description Who may decide it; left out: anyone. */
            eligible_approvers?: string[];
            /** @description How many have to approve. */
            required_approvals?: number;
            /** @description What each approver decided. */
            decisions?: {
                /** @description Who decided. */
                decided_by: string;
                /**
                 * approval decision
                 * @description What they decided.
                 * @enum {string}
                 */
                decision: "approved" | "rejected";
            }[];
        };
        /** ApprovalRecord */
        ApprovalRecord: {
            tenant_id: string;
            approval_id: string;
            /** @description Session that the record belongs to; never changes. */
            session_id: string;
            /** @description Capability that the action calls; never changes. */
            capability_name: string;
            /** @description Digest of the action; never changes. */
            action_digest: string;
            /**
             * approval status
             * @description What became of it; `rejected`, `revoked` and `expired` are final.
             * @enum {string}
             */
            approval_status: "approved" | "pending" | "rejected" | "revoked" | "expired";
            /**
             * Format: date-time
             * @description When it runs out: RFC 3339 with an offset; only ever earlier.
             */
            expires_at: string;
            /** @description Who asked for it. */
            requested_by?: string;
            /** @description Who decided it. */
            decided_by?: string;
            /** @description Whether who asked for it may decide it too. */
            self_approval?: boolean;
            /** @description Who may decide it; left out: anyone. */
            eligible_approvers?: string[];
            /** @description How many have to approve. */
            required_approvals?: number;
            /** @description What each approver decided. */
            decisions?: {
                /** @description Who decided. */
                decided_by: string;
                /**
                 * approval decision
                 * @description What they decided.
                 * @enum {string}
                 */
                decision: "approved" | "rejected";
            }[];
            /** @description Counts the changes; also the `ETag`. */
            revision: number;
            /**
             * Format: date-time
             * @description Last change, by the database's clock.
             */
            updated_at: string;
        };
        /** SideEffectBody */
        SideEffectBody: {
            /** @description Session that the record belongs to; never changes. */
            session_id: string;
            /** @description Capability that the action calls; never changes. */
            capability_name: string;
            /** @description Approval that the action rests on; never changes. */
            approval_id: string;
            /** @description Digest of the action; never changes. */
            action_digest: string;
            /**
             * side-effect status
             * @description What is known of the effect. Unknown is left by a reconciliation only; committed is final.
             * @enum {string}
             */
            side_effect_status: "not_started" | "side_effect_committed" | "side_effect_unknown";
            /** @description Refused unless it is the current epoch of the session. */
            session_epoch?: number;
        };
        /** SideEffectRecord */
        SideEffectRecord: {
            tenant_id: string;
            idempotency_key: string;
            /** @description Session that the record belongs to; never changes. */
            session_id: string;
            /** @description Capability that the action calls; never changes. */
            capability_name: string;
            /** @description Approval that the action rests on; never changes. */
            approval_id: string;
            /** @description Digest of the action; never changes. */
            action_digest: string;
            /**
             * side-effect status
             * @description What is known of the effect. Unknown is left by a reconciliation only; committed is final.
             * @enum {string}
             */
            side_effect_status: "not_started" | "side_effect_committed" | "side_effect_unknown";
            /** @description Counts the changes; also the `ETag`. */
            revision: number;
            /**
             * Format: date-time
             * @description Last change, by the database's clock.
             */
            updated_at: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It does. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: string;
                    };
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    readReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It can. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: string;
                    };
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `overloaded`: Too many requests are waiting. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    readMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metrics. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    sealEnvelope: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SealRequestBody"];
            };
        };
        responses: {
            /** @description The envelope had been sealed before: the first answer again, and no second event. */
            200: {
                headers: {
                    /** @description Where the envelope can be read. */
                    location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SealedEnvelope"];
                };
            };
            /** @description The envelope is sealed, and its event is in the trace. */
            201: {
                headers: {
                    /** @description Where the envelope can be read. */
                    location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SealedEnvelope"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. `attested_state_refused`: The caller may not attest or release state here. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unknown_side_effect`: the envelope hides that the outcome of its own effect is not known. `envelope_conflict`: The envelope id was sealed before with other content. `stale_epoch`: The session was resumed since; `held_by` and `held_since` say by whom and when. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StopDecision"];
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `body_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type`: The body is not uncompressed JSON in UTF-8. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The envelope contradicts what is known. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StopDecision"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    rehydrate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A repeated request with the same key gets its stop again as it was, and its go only while that still holds. Kept for 24 hours.
                 * @example resume-7f3a
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RehydrateRequestBody"];
            };
        };
        responses: {
            /** @description Continuity holds. Rebuild the context from the context view, then ask for authorization before the next call. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GoDecision"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StopProblem"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StopProblem"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. `attested_state_refused`: The caller may not attest or release state here. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StopProblem"];
                };
            };
            /** @description `envelope_not_found`: The tenant has no such envelope. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StopProblem"];
                };
            };
            /** @description A side effect may already have happened. Find out, settle it under its idempotency key, and ask again. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StopDecision"];
                };
            };
            /** @description `body_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StopProblem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not uncompressed JSON in UTF-8. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StopProblem"];
                };
            };
            /** @description Something that the run relied on no longer holds. Do not resume from this envelope. `idempotency_key_reused`: The `Idempotency-Key` was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StopDecision"] | components["schemas"]["StopProblem"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StopProblem"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StopProblem"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StopProblem"];
                };
            };
        };
    };
    readPolicyRecord: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Tenant of the record.
                 * @example tenant-acme
                 */
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    /** @description The revision, for `If-Match`. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyRecord"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `record_not_found`: The tenant has no such record. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    writePolicyRecord: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Write only if the record is at this revision; `*`: only if it is there.
                 * @example "1"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Tenant of the record.
                 * @example tenant-acme
                 */
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyBody"];
            };
        };
        responses: {
            /** @description Changed, or equal to what was there. */
            200: {
                headers: {
                    /** @description The revision, for `If-Match`. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyRecord"];
                };
            };
            /** @description Written for the first time. */
            201: {
                headers: {
                    /** @description The revision, for `If-Match`. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyRecord"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `precondition_failed`: `If-Match` names another revision; `current` is the record, if there is one. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `body_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type`: The body is not uncompressed JSON in UTF-8. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    readCapabilityRecord: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Tenant of the record.
                 * @example tenant-acme
                 */
                tenant_id: string;
                /**
                 * @description The record's capability_name.
                 * @example create_ticket
                 */
                capability_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    /** @description The revision, for `If-Match`. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CapabilityRecord"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `record_not_found`: The tenant has no such record. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    writeCapabilityRecord: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Write only if the record is at this revision; `*`: only if it is there.
                 * @example "1"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Tenant of the record.
                 * @example tenant-acme
                 */
                tenant_id: string;
                /**
                 * @description The record's capability_name.
                 * @example create_ticket
                 */
                capability_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CapabilityBody"];
            };
        };
        responses: {
            /** @description Changed, or equal to what was there. */
            200: {
                headers: {
                    /** @description The revision, for `If-Match`. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CapabilityRecord"];
                };
            };
            /** @description Written for the first time. */
            201: {
                headers: {
                    /** @description The revision, for `If-Match`. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CapabilityRecord"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `precondition_failed`: `If-Match` names another revision; `current` is the record, if there is one. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `body_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type`: The body is not uncompressed JSON in UTF-8. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    readPrincipalRecord: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Tenant of the record.
                 * @example tenant-acme
                 */
                tenant_id: string;
                /**
                 * @description The record's principal_id.
                 * @example user-42
                 */
                principal_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    /** @description The revision, for `If-Match`. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrincipalRecord"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `record_not_found`: The tenant has no such record. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    writePrincipalRecord: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Write only if the record is at this revision; `*`: only if it is there.
                 * @example "1"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Tenant of the record.
                 * @example tenant-acme
                 */
                tenant_id: string;
                /**
                 * @description The record's principal_id.
                 * @example user-42
                 */
                principal_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PrincipalBody"];
            };
        };
        responses: {
            /** @description Changed, or equal to what was there. */
            200: {
                headers: {
                    /** @description The revision, for `If-Match`. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrincipalRecord"];
                };
            };
            /** @description Written for the first time. */
            201: {
                headers: {
                    /** @description The revision, for `If-Match`. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrincipalRecord"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `status_transition_refused`: The new status may not follow on the present one; `current` is the record. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `precondition_failed`: `If-Match` names another revision; `current` is the record, if there is one. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `body_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type`: The body is not uncompressed JSON in UTF-8. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    readSessionRecord: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Tenant of the record.
                 * @example tenant-acme
                 */
                tenant_id: string;
                /**
                 * @description The record's session_id.
                 * @example session-support-001
                 */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    /** @description The revision, for `If-Match`. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionRecord"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `record_not_found`: The tenant has no such record. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    writeSessionRecord: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Write only if the record is at this revision; `*`: only if it is there.
                 * @example "1"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Tenant of the record.
                 * @example tenant-acme
                 */
                tenant_id: string;
                /**
                 * @description The record's session_id.
                 * @example session-support-001
                 */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionBody"];
            };
        };
        responses: {
            /** @description Changed, or equal to what was there. */
            200: {
                headers: {
                    /** @description The revision, for `If-Match`. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionRecord"];
                };
            };
            /** @description Written for the first time. */
            201: {
                headers: {
                    /** @description The revision, for `If-Match`. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionRecord"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `record_field_frozen`: The write would change a field that never changes; `current` is the record. `session_cycle`: The parent or predecessor is the session itself or descends from it. `status_transition_refused`: The new status may not follow on the present one; `current` is the record. `session_has_successor`: The predecessor has another successor: its work is taken over once. `stale_epoch`: The session was resumed since; `held_by` and `held_since` say by whom and when. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `precondition_failed`: `If-Match` names another revision; `current` is the record, if there is one. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `body_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type`: The body is not uncompressed JSON in UTF-8. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    readObligationRecord: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Tenant of the record.
                 * @example tenant-acme
                 */
                tenant_id: string;
                /**
                 * @description The record's session_id.
                 * @example session-support-001
                 */
                session_id: string;
                /**
                 * @description The record's obligation_id.
                 * @example reconcile_ticket_write
                 */
                obligation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    /** @description The revision, for `If-Match`. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObligationRecord"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `record_not_found`: The tenant has no such record. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    writeObligationRecord: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Write only if the record is at this revision; `*`: only if it is there.
                 * @example "1"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Tenant of the record.
                 * @example tenant-acme
                 */
                tenant_id: string;
                /**
                 * @description The record's session_id.
                 * @example session-support-001
                 */
                session_id: string;
                /**
                 * @description The record's obligation_id.
                 * @example reconcile_ticket_write
                 */
                obligation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ObligationBody"];
            };
        };
        responses: {
            /** @description Changed, or equal to what was there. */
            200: {
                headers: {
                    /** @description The revision, for `If-Match`. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObligationRecord"];
                };
            };
            /** @description Written for the first time. */
            201: {
                headers: {
                    /** @description The revision, for `If-Match`. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObligationRecord"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `status_transition_refused`: The new status may not follow on the present one; `current` is the record. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `precondition_failed`: `If-Match` names another revision; `current` is the record, if there is one. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `body_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type`: The body is not uncompressed JSON in UTF-8. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    readConstraintRecord: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Tenant of the record.
                 * @example tenant-acme
                 */
                tenant_id: string;
                /**
                 * @description The record's constraint_ref.
                 * @example event:user-constraint-017
                 */
                constraint_ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    /** @description The revision, for `If-Match`. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConstraintRecord"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `record_not_found`: The tenant has no such record. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    writeConstraintRecord: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Write only if the record is at this revision; `*`: only if it is there.
                 * @example "1"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Tenant of the record.
                 * @example tenant-acme
                 */
                tenant_id: string;
                /**
                 * @description The record's constraint_ref.
                 * @example event:user-constraint-017
                 */
                constraint_ref: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConstraintBody"];
            };
        };
        responses: {
            /** @description Changed, or equal to what was there. */
            200: {
                headers: {
                    /** @description The revision, for `If-Match`. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConstraintRecord"];
                };
            };
            /** @description Written for the first time. */
            201: {
                headers: {
                    /** @description The revision, for `If-Match`. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConstraintRecord"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `record_field_frozen`: The write would change a field that never changes; `current` is the record. `status_transition_refused`: The new status may not follow on the present one; `current` is the record. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `precondition_failed`: `If-Match` names another revision; `current` is the record, if there is one. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `body_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type`: The body is not uncompressed JSON in UTF-8. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    readApprovalRecord: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Tenant of the record.
                 * @example tenant-acme
                 */
                tenant_id: string;
                /**
                 * @description The record's approval_id.
                 * @example apr-017
                 */
                approval_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    /** @description The revision, for `If-Match`. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalRecord"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `record_not_found`: The tenant has no such record. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    writeApprovalRecord: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Write only if the record is at this revision; `*`: only if it is there.
                 * @example "1"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Tenant of the record.
                 * @example tenant-acme
                 */
                tenant_id: string;
                /**
                 * @description The record's approval_id.
                 * @example apr-017
                 */
                approval_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApprovalBody"];
            };
        };
        responses: {
            /** @description Changed, or equal to what was there. */
            200: {
                headers: {
                    /** @description The revision, for `If-Match`. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalRecord"];
                };
            };
            /** @description Written for the first time. */
            201: {
                headers: {
                    /** @description The revision, for `If-Match`. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalRecord"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `record_field_frozen`: The write would change a field that never changes; `current` is the record. `status_transition_refused`: The new status may not follow on the present one; `current` is the record. `expiry_extended`: The write would make an approval expire later; `current` is the record. `approval_mismatch`: The approval and its side effect name different sessions, capabilities or actions. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `precondition_failed`: `If-Match` names another revision; `current` is the record, if there is one. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `body_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type`: The body is not uncompressed JSON in UTF-8. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    readSideEffectRecord: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Tenant of the record.
                 * @example tenant-acme
                 */
                tenant_id: string;
                /**
                 * @description The record's idempotency_key.
                 * @example ticket-intent-017
                 */
                idempotency_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    /** @description The revision, for `If-Match`. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SideEffectRecord"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `record_not_found`: The tenant has no such record. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    writeSideEffectRecord: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Write only if the record is at this revision; `*`: only if it is there.
                 * @example "1"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Tenant of the record.
                 * @example tenant-acme
                 */
                tenant_id: string;
                /**
                 * @description The record's idempotency_key.
                 * @example ticket-intent-017
                 */
                idempotency_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SideEffectBody"];
            };
        };
        responses: {
            /** @description Changed, or equal to what was there. */
            200: {
                headers: {
                    /** @description The revision, for `If-Match`. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SideEffectRecord"];
                };
            };
            /** @description Written for the first time. */
            201: {
                headers: {
                    /** @description The revision, for `If-Match`. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SideEffectRecord"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `record_field_frozen`: The write would change a field that never changes; `current` is the record. `status_transition_refused`: The new status may not follow on the present one; `current` is the record. `approval_already_bound`: The approval binds another side effect: one approval, one effect. `approval_mismatch`: The approval and its side effect name different sessions, capabilities or actions. `stale_epoch`: The session was resumed since; `held_by` and `held_since` say by whom and when. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `precondition_failed`: `If-Match` names another revision; `current` is the record, if there is one. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `body_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type`: The body is not uncompressed JSON in UTF-8. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    readSessionEvents: {
        parameters: {
            query?: {
                /**
                 * @description Only what stands behind this sequence.
                 * @example 0
                 */
                after?: number;
                /**
                 * @description Entries at most; 100 if absent.
                 * @example 100
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The tenant.
                 * @example tenant-acme
                 */
                tenant_id: string;
                /**
                 * @description The session.
                 * @example session-support-001
                 */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the log. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionEventPage"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    appendSessionEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The tenant.
                 * @example tenant-acme
                 */
                tenant_id: string;
                /**
                 * @description The session.
                 * @example session-support-001
                 */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AppendEventsBody"];
            };
        };
        responses: {
            /** @description Every event was there before. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppendedEvents"];
                };
            };
            /** @description Appended. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppendedEvents"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `event_conflict`: An event of the batch has the id of another event of the log. Nothing was appended. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `body_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type`: The body is not uncompressed JSON in UTF-8. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    readControlState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The tenant.
                 * @example tenant-acme
                 */
                tenant_id: string;
                /**
                 * @description The session.
                 * @example session-support-001
                 */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The control state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssembledState"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `record_not_found`: The tenant has no such record. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    readSessionEpoch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The tenant.
                 * @example tenant-acme
                 */
                tenant_id: string;
                /**
                 * @description The session.
                 * @example session-support-001
                 */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who holds the session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionEpoch"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `record_not_found`: The tenant has no such record. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    reconcileSideEffect: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The tenant.
                 * @example tenant-acme
                 */
                tenant_id: string;
                /**
                 * @description Key of the effect.
                 * @example ticket-intent-017
                 */
                idempotency_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettlementBody"];
            };
        };
        responses: {
            /** @description The effect is settled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SideEffectRecord"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `record_not_found`: The tenant has no such record. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `effect_not_unknown`: Only an unknown effect can be settled; `current` is the record. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `body_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type`: The body is not uncompressed JSON in UTF-8. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    readReconciliations: {
        parameters: {
            query?: {
                /**
                 * @description Entries at most; 100 if absent.
                 * @example 100
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The tenant.
                 * @example tenant-acme
                 */
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The queue. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReconciliationQueue"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    readEnvelope: {
        parameters: {
            query?: {
                /**
                 * @description Tenant to look in.
                 * @example tenant-acme
                 */
                tenant_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The envelope.
                 * @example ce-2026-07-21-001
                 */
                envelope_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The envelope. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SealedEnvelope"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `envelope_not_found`: The tenant has no such envelope. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    readDecision: {
        parameters: {
            query?: {
                /**
                 * @description Tenant to look in.
                 * @example tenant-acme
                 */
                tenant_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The decision.
                 * @example 019853a8-91c4-7d02-8c35-5b1e6f0a7d11
                 */
                decision_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The decision. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordedDecision"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `decision_not_found`: The tenant has no such decision. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    readReceiptKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys. */
            200: {
                headers: {
                    /** @description For how long the keys may be kept. */
                    "cache-control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/jwk-set+json": components["schemas"]["ReceiptKeySet"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    readTraceEvents: {
        parameters: {
            query?: {
                /**
                 * @description Tenant to look in.
                 * @example tenant-acme
                 */
                tenant_id?: string;
                /**
                 * @description Only events of this session.
                 * @example session-support-001
                 */
                session_id?: string;
                /**
                 * @description Only events of this envelope.
                 * @example ce-2026-07-21-001
                 */
                envelope_id?: string;
                /**
                 * @description Only events of this trace.
                 * @example trace-support-042
                 */
                trace_id?: string;
                /** @description Only events of this type. */
                event_type?: "context_compaction" | "reset_boundary" | "context_rehydration" | "continuity_validation_failed" | "side_effect_reconciled" | "control_record_written" | "store_restored";
                /**
                 * @description Only events with this reason.
                 * @example unknown_side_effect
                 */
                reason?: string;
                /**
                 * @description Only events at or after this moment.
                 * @example 2026-07-21T17:00:00Z
                 */
                from?: string;
                /**
                 * @description Only events before this moment.
                 * @example 2026-07-21T17:00:00Z
                 */
                to?: string;
                /**
                 * @description Entries at most; 100 if absent.
                 * @example 100
                 */
                limit?: number;
                /** @description The previous page's `next_cursor`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraceEventPage"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    readTimeline: {
        parameters: {
            query?: {
                /**
                 * @description Only what stands behind this sequence.
                 * @example 0
                 */
                after?: number;
                /**
                 * @description Entries at most; 100 if absent.
                 * @example 100
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The tenant.
                 * @example tenant-acme
                 */
                tenant_id: string;
                /**
                 * @description The session.
                 * @example session-support-001
                 */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The timeline. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeline"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `record_not_found`: The tenant has no such record. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    verifyTrace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The tenant.
                 * @example tenant-acme
                 */
                tenant_id: string;
                /**
                 * @description The session.
                 * @example session-support-001
                 */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was found. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraceIntegrity"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `record_not_found`: The tenant has no such record. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests`: The caller, or its address, asks more often than the gate is set to. Nothing was decided; try again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `governed_store_unavailable`: The store does not answer in time. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    inspectContinuity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InspectRequestBody"];
            };
        };
        responses: {
            /** @description The decision. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inspection"];
                };
            };
            /** @description `schema_invalid`: The request violates its schema; `errors` lists what is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unauthenticated`: There is no valid token. */
            401: {
                headers: {
                    /** @description How to authenticate, and what is wrong with a token: RFC 6750. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `forbidden`: The token does not allow this; or the gate is open, and the host name is not a loopback one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `body_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type`: The body is not uncompressed JSON in UTF-8. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error`: A bug. Nothing was decided; treat it as a stop. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `overloaded`: Too many requests are waiting. Nothing was decided; try again. `identity_provider_unavailable`: The keys to check the token with cannot be fetched. Nothing was decided; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
}
