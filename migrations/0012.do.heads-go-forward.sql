-- What the service itself can't take back. It writes heads and appends events, so that whoever has its login could set a
-- head back to a moment before a revocation, a resumption or an event, and no chain would show it.

create function refuse_rewind() returns trigger
language plpgsql
as $$
begin
  raise exception '% only go forward', tg_table_name using errcode = 'restrict_violation';
end
$$;

-- The holder changes with the epoch, a digest with its sequence, and records decide from the first one on.
create trigger session_heads_no_rewind
  before update on session_heads
  for each row
  when (
    new.session_id <> old.session_id
    or new.session_epoch < old.session_epoch
    or new.session_epoch = old.session_epoch
      and (new.held_by, new.held_since) is distinct from (old.held_by, old.held_since)
    or old.has_records and not new.has_records
    or new.event_sequence < old.event_sequence
    or new.event_sequence = old.event_sequence and new.lineage_sha256 <> old.lineage_sha256
    or new.trace_sequence < old.trace_sequence
    or new.trace_sequence = old.trace_sequence and new.trace_sha256 <> old.trace_sha256
  )
  execute function refuse_rewind();

create trigger tenant_heads_no_rewind
  before update on tenant_heads
  for each row
  when (
    new.trace_sequence < old.trace_sequence
    or new.trace_sequence = old.trace_sequence and new.trace_sha256 <> old.trace_sha256
  )
  execute function refuse_rewind();

-- The newest envelope is one that was sealed since the head was last written: its boundary's event lies behind the tip
-- that the head had until now. Both are immutable, so that an older envelope never becomes the newest again.
create function guard_newest_envelope() returns trigger
language plpgsql
as $$
begin
  if not exists (
    select from public.envelopes as sealed
    join public.trace_events as boundary
      on boundary.tenant_id = sealed.tenant_id
      and boundary.event_id = sealed.trace_event_id
      and boundary.occurred_at = sealed.created_at
    where sealed.tenant_id = new.tenant_id
      and sealed.envelope_id = new.newest_envelope_id
      and sealed.session_id = new.session_id
      and boundary.session_id = new.session_id
      and boundary.sequence > old.trace_sequence
  ) then
    raise exception 'a session''s newest envelope is never an older one' using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;

create trigger session_heads_newest_envelope
  before update on session_heads
  for each row
  when (new.newest_envelope_id is distinct from old.newest_envelope_id)
  execute function guard_newest_envelope();

-- The order in which events are read is the database's to give. Whoever could choose transaction_id could put an event
-- where every reader has been already.
revoke insert on trace_events from continuity_gate_service;
grant insert (
  event_id, event_type, schema_version, occurred_at, tenant_id, session_id, principal_id, actor, trace_id, span_id,
  envelope_id, decision_id, status, reason, payload, sequence, previous_sha256, event_sha256
) on trace_events to continuity_gate_service;

-- No event stands before the first. What is stored already was counted by the gate.
alter table trace_events add constraint trace_events_sequence_counts check (sequence > 0) not valid;
