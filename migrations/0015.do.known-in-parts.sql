-- What is known around a session, read in parts: one question each, so that one of them can be changed without the rest.
-- All of them are stable, and so see the snapshot of the statement that asks, and every look-up is by key.

-- The texts of a list, and none of what is no list: an envelope of a version that the program doesn't know may hold anything.
create function texts_in(list json) returns text[]
language plpgsql immutable parallel safe
as $$
begin
  return array(select json_array_elements_text(case json_typeof(list) when 'array' then list end));
end
$$;

-- The capabilities of these names, by name.
create function recorded_capabilities(the_tenant text, the_names text[]) returns json
language plpgsql stable
as $$
begin
  return (
    select json_object_agg(
      capability.capability_name,
      json_build_object('capability_version', capability.capability_version, 'revision', capability.revision)
    )
    from capabilities as capability
    where capability.tenant_id = the_tenant and capability.capability_name = any(the_names)
  );
end
$$;

-- The session's effects whose outcome nobody knows, but for those under these keys; oldest first.
create function recorded_unknown_side_effects(the_tenant text, the_session text, but_for text[]) returns json
language plpgsql stable
as $$
begin
  return (
    select json_agg(
      json_build_object('idempotency_key', effect.idempotency_key, 'capability_name', effect.capability_name)
      order by effect.updated_at, effect.idempotency_key
    )
    from side_effects as effect
    where effect.tenant_id = the_tenant
      and effect.session_id = the_session
      and effect.side_effect_status = 'side_effect_unknown'
      and effect.idempotency_key <> all(but_for)
  );
end
$$;

-- The session's active constraints and those of these references, by reference; the text of what binds, if it is wanted.
create function recorded_constraints(
  the_tenant text,
  the_session text,
  the_refs text[],
  with_text boolean
) returns json
language plpgsql stable
as $$
begin
  return (
    select json_agg(
      json_build_object(
        'ref', bound.constraint_ref,
        'sha256', bound.sha256,
        'forbids_capability', bound.forbids_capability,
        'constraint_status', bound.constraint_status,
        'text', case when with_text and bound.constraint_status = 'active' then bound.text end
      )
      order by bound.constraint_ref collate "C"
    )
    from constraints as bound
    where bound.tenant_id = the_tenant
      and bound.session_id = the_session
      and (bound.constraint_status = 'active' or bound.constraint_ref = any(the_refs))
  );
end
$$;

-- The session's open obligations and those of these ids, by id.
create function recorded_obligations(the_tenant text, the_session text, the_ids text[]) returns json
language plpgsql stable
as $$
begin
  return (
    select json_agg(
      json_build_object('obligation_id', owed.obligation_id, 'obligation_status', owed.obligation_status)
      order by owed.obligation_id collate "C"
    )
    from obligations as owed
    where owed.tenant_id = the_tenant
      and owed.session_id = the_session
      and (owed.obligation_status = 'open' or owed.obligation_id = any(the_ids))
  );
end
$$;

-- What the session first sealed each of these approvals under, by approval.
create function first_approval_bindings(the_tenant text, the_session text, the_approvals text[]) returns json
language plpgsql stable
as $$
begin
  return (
    select json_object_agg(
      bound.approval_id,
      json_build_object(
        'policy_version', bound.policy_version,
        'capability_version', bound.capability_version,
        'action_digest', bound.action_digest
      )
    )
    from approval_bindings as bound
    where bound.tenant_id = the_tenant
      and bound.session_id = the_session
      and bound.approval_id = any(the_approvals)
  );
end
$$;

-- The first hundred events behind a place in the session's log, in its order.
create function session_events_behind(the_tenant text, the_session text, the_sequence bigint) returns json
language plpgsql stable
as $$
begin
  return (
    select json_agg(
      json_build_object('event_id', logged.event_id, 'event_type', logged.event_type, 'sequence', logged.sequence)
      order by logged.sequence
    )
    from session_events as logged
    where logged.tenant_id = the_tenant
      and logged.session_id = the_session
      and logged.sequence between the_sequence + 1 and the_sequence + 100
  );
end
$$;

create or replace function known_around_session(
  in the_tenant text,
  in the_session text,
  in the_envelope text,
  in given json,
  in the_key text,
  in the_decision uuid,
  out now text,
  out incarnation uuid,
  out session_epoch bigint,
  out held_by text,
  out held_since text,
  out newest_envelope_id text,
  out has_records boolean,
  out event_sequence bigint,
  out lineage_sha256 text,
  out trace_sequence bigint,
  out trace_sha256 text,
  -- What stands under the Idempotency-Key, and the decision that it names.
  out kept_request_sha256 text,
  out kept_decision_id uuid,
  out kept_decision json,
  -- The stored envelope, and its session's newest one.
  out envelope json,
  out envelope_sha256 text,
  out envelope_lineage_sha256 text,
  out envelope_last_sequence bigint,
  out constraint_digests json,
  out envelope_session_epoch bigint,
  out created_at text,
  out trace_event_id uuid,
  out trace_event_type text,
  out newest_of_envelope text,
  -- The records of the envelope's session, and of everything that the envelope names.
  out session_holds_records boolean,
  out session_record json,
  out principal_status text,
  out principal_revision bigint,
  out policy_version text,
  out policy_revision bigint,
  out capabilities json,
  out approvals json,
  out side_effects json,
  out other_unknown_side_effects json,
  out first_sequence bigint,
  out last_sequence bigint,
  out last_lineage_sha256 text,
  out constraint_records json,
  out obligation_records json,
  -- For an envelope that is not stored yet: what its session's newest one carries, and what was sealed of its approvals.
  out previous_constraint_refs json,
  out previous_obligations json,
  out previous_last_sequence bigint,
  out first_bindings json,
  -- For a stored one: what has happened since.
  out uncovered_events json
)
language plpgsql stable
as $$
#variable_conflict use_column
declare
  ignored text;
  envelope_session text;
  subject record;
  capability_names text[];
  approval_ids text[];
  idempotency_keys text[];
  named_constraints text[];
  named_obligations text[];
  newest json;
begin
  ignored := set_config('continuity.tenant_id', the_tenant, true);
  now := rfc3339(clock_timestamp());
  incarnation := current_incarnation();
  select
    head.session_epoch, head.held_by, rfc3339(head.held_since), head.newest_envelope_id, head.has_records,
    head.event_sequence, head.lineage_sha256, head.trace_sequence, head.trace_sha256
  into
    session_epoch, held_by, held_since, newest_envelope_id, has_records,
    event_sequence, lineage_sha256, trace_sequence, trace_sha256
  from session_heads as head
  where head.tenant_id = the_tenant and head.session_id = the_session;

  if the_key is not null then
    select kept.request_sha256, kept.decision_id
    into kept_request_sha256, kept_decision_id
    from idempotency_keys as kept
    where kept.tenant_id = the_tenant and kept.idempotency_key = the_key and kept.decision_id <> the_decision;
    if kept_decision_id is not null then
      select to_json(decided) into kept_decision
      from decisions as decided
      where decided.tenant_id = the_tenant and decided.decision_id = kept_decision_id;
    end if;
  end if;

  select
    sealed.session_id, sealed.envelope, sealed.envelope_sha256, sealed.lineage_sha256, sealed.last_sequence,
    sealed.constraint_digests, sealed.session_epoch, rfc3339(sealed.created_at), sealed.trace_event_id,
    sealed.trace_event_type
  into
    envelope_session, envelope, envelope_sha256, envelope_lineage_sha256, envelope_last_sequence,
    constraint_digests, envelope_session_epoch, created_at, trace_event_id, trace_event_type
  from envelopes as sealed
  where sealed.tenant_id = the_tenant and sealed.envelope_id = the_envelope;

  if given is not null then
    envelope_session := the_session;
  elsif envelope is null then
    return;
  end if;
  select * into subject
  -- A stored envelope of a version that the program doesn't know may be any JSON: it is refused there, not by an error here.
  from json_to_record(
    case json_typeof(coalesce(given, envelope)) when 'object' then coalesce(given, envelope) else '{}' end
  ) as named (
    session_id text,
    principal_id text,
    capability_name text,
    approval_id text,
    idempotency_key text,
    source_event_range json,
    exact_constraint_refs json,
    pending_obligations json
  );
  capability_names := array[subject.capability_name];
  approval_ids := array[subject.approval_id];
  idempotency_keys := array[subject.idempotency_key];
  named_constraints := texts_in(subject.exact_constraint_refs);
  named_obligations := texts_in(subject.pending_obligations);

  if envelope_session = the_session then
    newest_of_envelope := newest_envelope_id;
    session_holds_records := has_records;
  else
    select head.newest_envelope_id, head.has_records
    into newest_of_envelope, session_holds_records
    from session_heads as head
    where head.tenant_id = the_tenant and head.session_id = envelope_session;
  end if;

  -- What the session's newest envelope carries may have been withdrawn or discharged since.
  if newest_of_envelope <> the_envelope then
    select sealed.envelope, sealed.last_sequence into newest, previous_last_sequence
    from envelopes as sealed
    where sealed.tenant_id = the_tenant and sealed.envelope_id = newest_of_envelope;
    previous_constraint_refs := to_json(texts_in(newest -> 'exact_constraint_refs'));
    previous_obligations := to_json(texts_in(newest -> 'pending_obligations'));
    named_constraints := named_constraints || texts_in(previous_constraint_refs);
    named_obligations := named_obligations || texts_in(previous_obligations);
  end if;

  select principal.principal_status, principal.revision into principal_status, principal_revision
  from principals as principal
  where principal.tenant_id = the_tenant and principal.principal_id = subject.principal_id;
  select policy.policy_version, policy.revision into policy_version, policy_revision
  from policies as policy
  where policy.tenant_id = the_tenant;
  capabilities := recorded_capabilities(the_tenant, capability_names);
  approvals := recorded_approvals(the_tenant, approval_ids);
  side_effects := recorded_side_effects(the_tenant, idempotency_keys);
  other_unknown_side_effects := recorded_unknown_side_effects(the_tenant, subject.session_id, idempotency_keys);

  session_record := recorded_session(the_tenant, subject.session_id);
  if session_holds_records then
    select logged.sequence into first_sequence
    from session_events as logged
    where logged.tenant_id = the_tenant
      and logged.session_id = subject.session_id
      and logged.event_id = subject.source_event_range ->> 'first';
    select logged.sequence, logged.lineage_sha256 into last_sequence, last_lineage_sha256
    from session_events as logged
    where logged.tenant_id = the_tenant
      and logged.session_id = subject.session_id
      and logged.event_id = subject.source_event_range ->> 'last';
    constraint_records := recorded_constraints(the_tenant, subject.session_id, named_constraints, given is null);
    obligation_records := recorded_obligations(the_tenant, subject.session_id, named_obligations);
  end if;

  if given is not null then
    first_bindings := first_approval_bindings(the_tenant, subject.session_id, approval_ids);
  elsif event_sequence > envelope_last_sequence then
    uncovered_events := session_events_behind(the_tenant, subject.session_id, envelope_last_sequence);
  end if;
end
$$;
