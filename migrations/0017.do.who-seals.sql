-- Who may seal for a session, and what binds it.

-- The go that opened the session's epoch, and the subject of the token that it was given to: a run seals with its go, and
-- not with a number that anyone may learn. Null where no go opened it, or where an earlier release gave it.
alter table session_heads
  add column opened_by_decision uuid,
  add column opened_for text,
  add constraint session_heads_opened check ((opened_by_decision is null) = (opened_for is null));

-- An earlier release and a restore open epochs without a go that is known here.
create function forget_go() returns trigger
language plpgsql
as $$
begin
  new.opened_by_decision := null;
  new.opened_for := null;
  return new;
end
$$;

create trigger session_heads_forget_go
  before update on session_heads
  for each row
  when (
    new.session_epoch <> old.session_epoch and new.opened_by_decision is not distinct from old.opened_by_decision
  )
  execute function forget_go();

create trigger session_heads_keep_go
  before update on session_heads
  for each row
  when (
    new.session_epoch = old.session_epoch
    and (new.opened_by_decision, new.opened_for) is distinct from (old.opened_by_decision, old.opened_for)
  )
  execute function refuse_rewind();

-- Whether the session's record named the envelope's principal when it was sealed. Null is what an earlier release sealed.
alter table envelopes add column principal_recorded boolean;
grant select (principal_recorded) on envelopes to continuity_gate_reader;

-- Whether an envelope binds its session. Not where the records name the session's principal, and knew another one or none
-- when it was sealed: whoever came before the records can't burden the session of somebody else.
create function binds_session(the_tenant text, the_session text, the_envelope text) returns boolean
language plpgsql stable
as $$
begin
  return not exists (
    select from public.envelopes as sealed
    join public.sessions as held
      on held.tenant_id = the_tenant and held.session_id = the_session
    where sealed.tenant_id = the_tenant
      and sealed.envelope_id = the_envelope
      and sealed.principal_recorded is false
      and sealed.envelope ->> 'principal_id' is distinct from held.principal_id
  );
end
$$;

-- An approval is bound to its key and to its end, too.
alter table approval_bindings
  add column idempotency_key text,
  add column approval_expires_at text;

update approval_bindings as bound
set
  idempotency_key = sealed.envelope ->> 'idempotency_key',
  approval_expires_at = sealed.envelope ->> 'approval_expires_at'
from envelopes as sealed
where sealed.tenant_id = bound.tenant_id and sealed.envelope_id = bound.envelope_id;

create function guard_first_binding() returns trigger
language plpgsql
as $$
begin
  if (new.tenant_id, new.session_id, new.approval_id) is distinct from (old.tenant_id, old.session_id, old.approval_id)
    or public.binds_session(old.tenant_id, old.session_id, old.envelope_id)
  then
    raise exception 'what an approval was first sealed under stays' using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;

create trigger approval_bindings_stay
  before update on approval_bindings
  for each row execute function guard_first_binding();

grant update (
  policy_version, capability_version, action_digest, idempotency_key, approval_expires_at, envelope_id
) on approval_bindings to continuity_gate_service;

-- What the session first sealed each of these approvals under, by approval.
create or replace function first_approval_bindings(the_tenant text, the_session text, the_approvals text[]) returns json
language plpgsql stable
as $$
begin
  return (
    select json_object_agg(
      bound.approval_id,
      -- An earlier release still seals without the last two.
      json_strip_nulls(json_build_object(
        'policy_version', bound.policy_version,
        'capability_version', bound.capability_version,
        'action_digest', bound.action_digest,
        'idempotency_key', bound.idempotency_key,
        'approval_expires_at', bound.approval_expires_at
      ))
    )
    from approval_bindings as bound
    where bound.tenant_id = the_tenant
      and bound.session_id = the_session
      and bound.approval_id = any(the_approvals)
      and binds_session(the_tenant, the_session, bound.envelope_id)
  );
end
$$;

-- An envelope that binds its session, with those of its keys that the ledger knows.
create function sealed_envelope(the_tenant text, the_session text, the_envelope text) returns json
language plpgsql stable
as $$
begin
  return (
    select json_build_object(
      'envelope_id', sealed.envelope_id,
      'envelope', sealed.envelope,
      'envelope_sha256', sealed.envelope_sha256,
      'lineage_sha256', sealed.lineage_sha256,
      'last_sequence', sealed.last_sequence,
      'constraint_digests', sealed.constraint_digests,
      'recorded_keys', array(
        select effect.idempotency_key
        from side_effects as effect
        where effect.tenant_id = the_tenant and effect.idempotency_key = sealed.envelope ->> 'idempotency_key'
      )
    )
    from envelopes as sealed
    where sealed.tenant_id = the_tenant
      and sealed.envelope_id = the_envelope
      and binds_session(the_tenant, the_session, the_envelope)
  );
end
$$;

-- As before, but for who holds the epoch, the previous envelope and the delegator.
drop function known_around_session(text, text, text, json, text, uuid);
create function known_around_session(
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
  -- The go that opened the epoch, and the token's subject that it was given to.
  out opened_by_decision uuid,
  out opened_for text,
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
  out delegated_principal_status text,
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
  -- For an envelope that is not stored yet: its session's newest one, if that binds the session, and what was sealed of its
  -- approvals.
  out previous json,
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
begin
  ignored := set_config('continuity.tenant_id', the_tenant, true);
  now := rfc3339(clock_timestamp());
  incarnation := current_incarnation();
  select
    head.session_epoch, head.held_by, rfc3339(head.held_since), head.opened_by_decision, head.opened_for,
    head.newest_envelope_id, head.has_records,
    head.event_sequence, head.lineage_sha256, head.trace_sequence, head.trace_sha256
  into
    session_epoch, held_by, held_since, opened_by_decision, opened_for, newest_envelope_id, has_records,
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
    delegated_principal_id text,
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
  if given is not null then
    previous := sealed_envelope(the_tenant, the_session, newest_of_envelope);
    named_constraints := named_constraints || texts_in(previous -> 'envelope' -> 'exact_constraint_refs');
    named_obligations := named_obligations || texts_in(previous -> 'envelope' -> 'pending_obligations');
  end if;

  select principal.principal_status, principal.revision into principal_status, principal_revision
  from principals as principal
  where principal.tenant_id = the_tenant and principal.principal_id = subject.principal_id;
  select principal.principal_status into delegated_principal_status
  from principals as principal
  where principal.tenant_id = the_tenant and principal.principal_id = subject.delegated_principal_id;
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

-- As before, but for the go, and for what binds.
create or replace function write_session_changes(
  tenant_ids text[],
  session_ids text[],
  occurred timestamptz[],
  envelope_ids text[],
  trace_ids text[],
  decision_ids uuid[],
  statuses text[],
  reasons text[],
  -- The event.
  event_ids uuid[],
  event_types text[],
  schema_versions text[],
  principal_ids text[],
  actors text[],
  span_ids text[],
  payloads jsonb[],
  sequences bigint[],
  previous_sha256s text[],
  event_sha256s text[],
  -- The head.
  session_epochs bigint[],
  held_bys text[],
  held_sinces timestamptz[],
  newest_envelope_ids text[],
  -- The decision.
  findings jsonb[],
  facts jsonb[],
  rules_versions text[],
  granted boolean[],
  kept_keys text[],
  -- The envelope.
  envelopes json[],
  envelope_sha256s text[],
  lineage_sha256s text[],
  last_sequences bigint[],
  constraint_digests jsonb[],
  bindings json[]
) returns void
language plpgsql volatile
as $$
#variable_conflict use_variable
declare
  ignored text;
begin
  for place in 1..cardinality(tenant_ids) loop
    ignored := set_config('continuity.tenant_id', tenant_ids[place], true);
    if facts[place] is not null then
      insert into decisions (
        tenant_id, decision_id, session_id, envelope_id, trace_id, decided_at, status, reason, findings, facts,
        rules_version, session_epoch, held_by, trace_event_id, trace_event_type
      )
      values (
        tenant_ids[place], decision_ids[place], session_ids[place], envelope_ids[place], trace_ids[place],
        occurred[place], statuses[place], reasons[place], findings[place], facts[place], rules_versions[place],
        case when granted[place] then session_epochs[place] end, case when granted[place] then held_bys[place] end,
        event_ids[place], event_types[place]
      );
    end if;
    if kept_keys[place] is not null then
      update idempotency_keys as kept
      set decision_id = decision_ids[place], created_at = clock_timestamp()
      where kept.tenant_id = tenant_ids[place] and kept.idempotency_key = kept_keys[place];
    end if;
    if envelopes[place] is not null then
      insert into envelopes (
        tenant_id, envelope_id, session_id, envelope, envelope_sha256, lineage_sha256, last_sequence,
        constraint_digests, session_epoch, created_at, trace_event_id, trace_event_type, principal_recorded
      )
      values (
        tenant_ids[place], envelope_ids[place], session_ids[place], envelopes[place], envelope_sha256s[place],
        lineage_sha256s[place], last_sequences[place], constraint_digests[place], session_epochs[place],
        occurred[place], event_ids[place], event_types[place],
        exists (
          select from sessions as held
          where held.tenant_id = tenant_ids[place]
            and held.session_id = session_ids[place]
            and held.principal_id = principal_ids[place]
        )
      );
      -- What an approval was first sealed under stays, unless that binds nobody.
      insert into approval_bindings as first (
        tenant_id, session_id, approval_id, policy_version, capability_version, action_digest, idempotency_key,
        approval_expires_at, envelope_id
      )
      select tenant_ids[place], session_ids[place], bound.*, envelope_ids[place]
      from json_to_recordset(bindings[place]) as bound (
        approval_id text, policy_version text, capability_version text, action_digest text, idempotency_key text,
        approval_expires_at text
      )
      on conflict (tenant_id, session_id, approval_id) do update
      set
        policy_version = excluded.policy_version,
        capability_version = excluded.capability_version,
        action_digest = excluded.action_digest,
        idempotency_key = excluded.idempotency_key,
        approval_expires_at = excluded.approval_expires_at,
        envelope_id = excluded.envelope_id
      where not binds_session(first.tenant_id, first.session_id, first.envelope_id);
    end if;
    insert into trace_events (
      event_id, event_type, schema_version, occurred_at, tenant_id, session_id, principal_id, actor, trace_id,
      span_id, envelope_id, decision_id, status, reason, payload, sequence, previous_sha256, event_sha256
    )
    values (
      event_ids[place], event_types[place], schema_versions[place], occurred[place], tenant_ids[place],
      session_ids[place], principal_ids[place], actors[place], trace_ids[place], span_ids[place],
      envelope_ids[place], decision_ids[place], statuses[place], reasons[place], payloads[place],
      sequences[place], previous_sha256s[place], event_sha256s[place]
    );
    update session_heads as head
    set
      session_epoch = session_epochs[place],
      held_by = held_bys[place],
      held_since = held_sinces[place],
      opened_by_decision = case when granted[place] then decision_ids[place] else head.opened_by_decision end,
      opened_for = case when granted[place] then actors[place] else head.opened_for end,
      newest_envelope_id = newest_envelope_ids[place],
      trace_sequence = sequences[place],
      trace_sha256 = event_sha256s[place]
    where head.tenant_id = tenant_ids[place] and head.session_id = session_ids[place];
  end loop;
end
$$;
