-- What people with SQL may read: continuity_gate_reader, which operators and SREs are made members of.
--
-- They see every tenant, because an incident stops at none; whoever is to see one tenant alone gets a token and not SQL.
-- They see identifiers, versions, statuses, digests and times, and no free text: neither an objective nor the text of a
-- constraint. They write nothing.

grant select on
  session_heads,
  tenant_heads,
  approval_bindings,
  decisions,
  trace_events,
  policies,
  capabilities,
  principals,
  obligations,
  approvals,
  side_effects,
  session_events,
  reconciliations
to continuity_gate_reader;

-- A column that is added later is hidden until a grant names it.
grant select (
  tenant_id, session_id, session_status, principal_id, authorization_mode, delegated_principal_id, delegated_scope,
  idempotency_key, checkpoint_ref, sandbox_snapshot_ref, budget_remaining, revision, updated_at
) on sessions to continuity_gate_reader;
grant select (
  tenant_id, constraint_ref, session_id, forbids_capability, constraint_status, sha256, revision, updated_at
) on constraints to continuity_gate_reader;
grant select (
  tenant_id, envelope_id, session_id, envelope_sha256, lineage_sha256, last_sequence, constraint_digests,
  session_epoch, created_at, trace_event_id, trace_event_type
) on envelopes to continuity_gate_reader;

-- Envelopes as they were sealed, without their objective. On purpose with the rights of its owner: the reader may not
-- read the column that holds both.
create view sealed_envelopes as
  select
    tenant_id,
    envelope_id,
    session_id,
    envelope::jsonb - 'objective' as envelope,
    envelope_sha256,
    session_epoch,
    created_at,
    trace_event_id
  from envelopes;

grant select on sealed_envelopes to continuity_gate_reader;

do $$
declare
  table_name text;
begin
  foreach table_name in array array[
    'session_heads', 'tenant_heads', 'envelopes', 'approval_bindings', 'decisions', 'trace_events', 'policies',
    'capabilities', 'principals', 'sessions', 'obligations', 'constraints', 'approvals', 'side_effects',
    'session_events', 'reconciliations'
  ] loop
    execute format(
      'create policy every_tenant on %I for select to continuity_gate_reader using (true)',
      table_name
    );
  end loop;
end
$$;
