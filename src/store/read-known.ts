/**
 * The statement that reads what is known around sessions, for all who share a transaction at once. Each session is read
 * with its own tenant set, so that row-level security holds for each by itself: the tenant is set as the session's row is
 * made, and everything that is read around it is read before the next row is. A session that isn't read under its tenant
 * is missing from the result.
 *
 * One statement is one snapshot. Every look-up is by key: the cost grows neither with a session's log nor with a tenant. Names
 * that look-ups are made by are taken out of their JSON first, for an operator that may leak can't be asked of an index.
 */
export const readKnownText = `
  select known.*
  from (
    select
      set_config('continuity.tenant_id', tenant_id, true) as tenant_id,
      session_id, envelope_id, given, idempotency_key, decision_id, place
    from unnest($1::text[], $2::text[], $3::text[], $4::json[], $5::text[], $6::uuid[])
      with ordinality as listed (tenant_id, session_id, envelope_id, given, idempotency_key, decision_id, place)
    offset 0
  ) as asked
  cross join lateral (
    select
      asked.place::integer,
      rfc3339(clock_timestamp()) as now,
      head.session_epoch,
      head.held_by,
      rfc3339(head.held_since) as held_since,
      head.opened_by_decision,
      head.opened_for,
      head.newest_envelope_id,
      head.has_records,
      head.event_sequence,
      head.lineage_sha256,
      head.trace_sequence,
      head.trace_sha256,

      -- What stands under the Idempotency-Key, and the decision that it names.
      kept.request_sha256 as kept_request_sha256,
      kept.decision_id as kept_decision_id,
      (
        select to_json(decided)
        from decisions as decided
        where decided.tenant_id = asked.tenant_id and decided.decision_id = kept.decision_id
      ) as kept_decision,

      -- The stored envelope, and its session's newest one.
      sealed.envelope,
      sealed.envelope_sha256,
      sealed.lineage_sha256 as envelope_lineage_sha256,
      sealed.last_sequence as envelope_last_sequence,
      sealed.constraint_digests,
      sealed.session_epoch as envelope_session_epoch,
      rfc3339(sealed.created_at) as created_at,
      sealed.trace_event_id,
      sealed.trace_event_type,
      own.newest_envelope_id as newest_of_envelope,

      -- The records of the envelope's session, and of everything that the envelope names.
      own.has_records as session_holds_records,
      (
        select json_build_object(
          'session_status', held.session_status,
          'principal_id', held.principal_id,
          'authorization_mode', held.authorization_mode,
          'delegated_principal_id', held.delegated_principal_id,
          'delegated_scope', held.delegated_scope,
          'idempotency_key', held.idempotency_key,
          'checkpoint_ref', held.checkpoint_ref,
          'sandbox_snapshot_ref', held.sandbox_snapshot_ref,
          'budget_remaining', held.budget_remaining,
          'objective', held.objective
        )
        from sessions as held
        where held.tenant_id = asked.tenant_id and held.session_id = subject.session_id
      ) as session_record,
      principal.principal_status,
      principal.revision as principal_revision,
      (
        select delegator.principal_status
        from principals as delegator
        where delegator.tenant_id = asked.tenant_id and delegator.principal_id = subject.delegated_principal_id
      ) as delegated_principal_status,
      policy.policy_version,
      policy.revision as policy_revision,
      (
        select json_object_agg(
          capability.capability_name,
          json_build_object(
            'capability_version', capability.capability_version,
            'revision', capability.revision,
            -- It needs an approval unless the record says that it doesn't.
            'approval_required', capability.approval_required is distinct from false
          )
        )
        from capabilities as capability
        where capability.tenant_id = asked.tenant_id and capability.capability_name = any(subject.capability_names)
      ) as capabilities,
      (
        select json_object_agg(
          approval.approval_id,
          -- Without what its system of record doesn't say.
          json_strip_nulls(json_build_object(
            'approval_status', approval.approval_status,
            'session_id', approval.session_id,
            'capability_name', approval.capability_name,
            'action_digest', approval.action_digest,
            'expires_at', rfc3339(approval.expires_at),
            'requested_by', approval.requested_by,
            'decided_by', approval.decided_by,
            'self_approval', approval.self_approval,
            'eligible_approvers', approval.eligible_approvers,
            'required_approvals', approval.required_approvals,
            'decisions', approval.decisions
          ))
        )
        from approvals as approval
        where approval.tenant_id = asked.tenant_id and approval.approval_id = any(subject.approval_ids)
      ) as approvals,
      (
        select json_object_agg(
          effect.idempotency_key,
          json_build_object(
            'session_id', effect.session_id,
            'capability_name', effect.capability_name,
            'approval_id', effect.approval_id,
            'action_digest', effect.action_digest,
            'side_effect_status', effect.side_effect_status,
            'reconciled', exists (
              select from reconciliations as settled
              where settled.tenant_id = asked.tenant_id
                and settled.idempotency_key = effect.idempotency_key
                and settled.revision = effect.revision
            )
          )
        )
        from side_effects as effect
        where effect.tenant_id = asked.tenant_id and effect.idempotency_key = any(subject.idempotency_keys)
      ) as side_effects,
      (
        select json_agg(
          json_build_object('idempotency_key', effect.idempotency_key, 'capability_name', effect.capability_name)
          order by effect.updated_at, effect.idempotency_key
        )
        from side_effects as effect
        where effect.tenant_id = asked.tenant_id
          and effect.session_id = subject.session_id
          and effect.side_effect_status = 'side_effect_unknown'
          and effect.idempotency_key <> all(subject.idempotency_keys)
      ) as other_unknown_side_effects,
      (
        select logged.sequence
        from session_events as logged
        where own.has_records
          and logged.tenant_id = asked.tenant_id
          and logged.session_id = subject.session_id
          and logged.event_id = subject.first_event_id
      ) as first_sequence,
      last_event.sequence as last_sequence,
      last_event.lineage_sha256 as last_lineage_sha256,
      case when own.has_records then (
        select json_agg(
          json_build_object(
            'ref', bound.constraint_ref,
            'sha256', bound.sha256,
            'forbids_capability', bound.forbids_capability,
            'constraint_status', bound.constraint_status,
            'text', case when asked.given is null and bound.constraint_status = 'active' then bound.text end
          )
          order by bound.constraint_ref collate "C"
        )
        from constraints as bound
        where bound.tenant_id = asked.tenant_id
          and bound.session_id = subject.session_id
          and (
            bound.constraint_status = 'active'
            or bound.constraint_ref = any(texts_in(subject.exact_constraint_refs))
            or bound.constraint_ref = any(texts_in(previous.envelope -> 'envelope' -> 'exact_constraint_refs'))
          )
      ) end as constraint_records,
      case when own.has_records then (
        select json_agg(
          json_build_object('obligation_id', owed.obligation_id, 'obligation_status', owed.obligation_status)
          order by owed.obligation_id collate "C"
        )
        from obligations as owed
        where owed.tenant_id = asked.tenant_id
          and owed.session_id = subject.session_id
          and (
            owed.obligation_status = 'open'
            or owed.obligation_id = any(texts_in(subject.pending_obligations))
            or owed.obligation_id = any(texts_in(previous.envelope -> 'envelope' -> 'pending_obligations'))
          )
      ) end as obligation_records,

      -- For an envelope that is not stored yet: its session's newest one, if that binds the session, and what was sealed of
      -- its approvals.
      previous.envelope as previous,
      case when asked.given is not null then
        first_approval_bindings(asked.tenant_id, asked.session_id, subject.approval_ids)
      end as first_bindings,

      -- For a stored one: what has happened since.
      case when asked.given is null and head.event_sequence > sealed.last_sequence then
        session_events_behind(asked.tenant_id, subject.session_id, sealed.last_sequence)
      end as uncovered_events
    from (select where asked.tenant_id = current_tenant()) as under_its_tenant
    left join session_heads as head on head.tenant_id = asked.tenant_id and head.session_id = asked.session_id
    left join idempotency_keys as kept
      on kept.tenant_id = asked.tenant_id
      and kept.idempotency_key = asked.idempotency_key
      and kept.decision_id <> asked.decision_id
    left join envelopes as sealed on sealed.tenant_id = asked.tenant_id and sealed.envelope_id = asked.envelope_id
    left join lateral (
      select
        named.*,
        named.source_event_range ->> 'first' as first_event_id,
        named.source_event_range ->> 'last' as last_event_id,
        case when json_typeof(pending_actions) = 'array'
          then array(select item ->> 'capability_name' from json_array_elements(pending_actions) as item)
          else array[capability_name]
        end as capability_names,
        case when json_typeof(pending_actions) = 'array'
          then array(select item ->> 'approval_id' from json_array_elements(pending_actions) as item)
          else array[approval_id]
        end as approval_ids,
        case when json_typeof(pending_actions) = 'array'
          then array(select item ->> 'idempotency_key' from json_array_elements(pending_actions) as item)
          else array[idempotency_key]
        end as idempotency_keys
      -- A stored envelope of a version that the program doesn't know may be any JSON: it is refused there, not by an error
      -- here.
      from json_to_record(
        case json_typeof(coalesce(asked.given, sealed.envelope))
          when 'object' then coalesce(asked.given, sealed.envelope)
          else '{}'
        end
      ) as named (
        session_id text,
        principal_id text,
        delegated_principal_id text,
        pending_actions json,
        capability_name text,
        approval_id text,
        idempotency_key text,
        source_event_range json,
        exact_constraint_refs json,
        pending_obligations json
      )
      offset 0
    ) as subject on true
    -- The head of the envelope's session, which may be another than the one that was asked about.
    left join session_heads as own
      on own.tenant_id = asked.tenant_id
      and own.session_id = case when asked.given is null then sealed.session_id else asked.session_id end
    left join lateral (
      select sealed_envelope(asked.tenant_id, asked.session_id, own.newest_envelope_id) as envelope
      where asked.given is not null
      offset 0
    ) as previous on true
    left join lateral (
      select of_subject.principal_status, of_subject.revision
      from principals as of_subject
      where of_subject.tenant_id = asked.tenant_id and of_subject.principal_id = subject.principal_id
      offset 0
    ) as principal on true
    left join policies as policy on policy.tenant_id = asked.tenant_id
    left join lateral (
      select logged.sequence, logged.lineage_sha256
      from session_events as logged
      where own.has_records
        and logged.tenant_id = asked.tenant_id
        and logged.session_id = subject.session_id
        and logged.event_id = subject.last_event_id
      offset 0
    ) as last_event on true
    offset 0
  ) as known`;
