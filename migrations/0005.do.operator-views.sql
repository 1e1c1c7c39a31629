-- What people and their monitoring ask of the store. Views run with the rights of whoever asks, so that the row-level
-- security of the tables holds for them too.

-- Counts and ages over all tenants, and nothing else of them: the service itself sees one tenant at a time.
create function unresolved_effects(out count bigint, out oldest_seconds double precision)
language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select count(*), coalesce(extract(epoch from clock_timestamp() - min(updated_at)), 0)
  from side_effects
  where side_effect_status = 'side_effect_unknown'
$$;

revoke all on function unresolved_effects() from public;
grant execute on function unresolved_effects() to continuity_gate_service, continuity_gate_reader;

-- What has to be settled before its session can go on, oldest first.
create view reconciliation_backlog with (security_invoker = true) as
select
  tenant_id,
  session_id,
  idempotency_key,
  capability_name,
  approval_id,
  updated_at as unknown_since,
  clock_timestamp() - updated_at as age
from side_effects
where side_effect_status = 'side_effect_unknown'
order by updated_at;

-- How often the gate stopped, by hour and reason.
create view validation_failures_hourly with (security_invoker = true) as
select
  tenant_id,
  date_trunc('hour', occurred_at) as hour,
  payload ->> 'phase' as phase,
  status,
  reason,
  count(*) as failures
from trace_events
where event_type = 'continuity_validation_failed'
group by tenant_id, date_trunc('hour', occurred_at), payload ->> 'phase', status, reason;

-- One row a boundary: what was sealed, and what first came of it.
create view session_continuity with (security_invoker = true) as
select
  boundary.tenant_id,
  boundary.session_id,
  boundary.envelope_id,
  boundary.occurred_at as sealed_at,
  boundary.payload ->> 'trigger' as trigger,
  boundary.trace_id as source_trace_id,
  outcome.occurred_at as decided_at,
  outcome.event_type as outcome,
  outcome.status,
  outcome.reason,
  outcome.trace_id,
  outcome.occurred_at - boundary.occurred_at as gap
from trace_events as boundary
left join lateral (
  select occurred_at, event_type, status, reason, trace_id
  from trace_events
  where trace_events.tenant_id = boundary.tenant_id
    and trace_events.envelope_id = boundary.envelope_id
    and trace_events.session_id = boundary.session_id
    and trace_events.event_type in ('context_rehydration', 'continuity_validation_failed')
    and trace_events.payload ->> 'phase' is distinct from 'compaction'
    and trace_events.sequence > boundary.sequence
  order by trace_events.sequence
  limit 1
) as outcome on true
where boundary.event_type in ('context_compaction', 'reset_boundary');

-- Who acted for a session after someone else had resumed it, and who holds it now.
create view stale_runtimes with (security_invoker = true) as
select
  event.tenant_id,
  event.session_id,
  event.occurred_at,
  event.actor,
  event.trace_id,
  event.payload ->> 'phase' as phase,
  head.session_epoch,
  head.held_by,
  head.held_since
from trace_events as event
join session_heads as head using (tenant_id, session_id)
where event.event_type = 'continuity_validation_failed'
  and event.payload -> 'findings' @> '[{"reason": "stale_epoch"}]';

grant select on reconciliation_backlog, validation_failures_hourly, session_continuity, stale_runtimes
to continuity_gate_reader;
