-- Ten questions that operators ask of the trace, each runnable as a member of continuity_gate_reader. psql runs them as
-- they stand: \i queries.sql, or one at a time. :'tenant' and the like are psql variables.

-- 1. What happened in this session, from boundary to resume?
select sequence, occurred_at, event_type, status, reason, actor, trace_id
from trace_events
where tenant_id = :'tenant' and session_id = :'session'
order by sequence;

-- 2. Was this run allowed to continue, from which envelope, and under which versions?
select
  resumed.occurred_at,
  resumed.envelope_id,
  resumed.payload -> 'versions_reloaded' as versions,
  resumed.payload ->> 'session_epoch' as session_epoch,
  boundary.occurred_at as sealed_at,
  boundary.payload ->> 'summary_sha256' as summary_sha256
from trace_events as resumed
left join trace_events as boundary
  on boundary.tenant_id = resumed.tenant_id
  and boundary.event_id = (resumed.payload ->> 'boundary_event_id')::uuid
where resumed.tenant_id = :'tenant'
  and resumed.trace_id = :'trace'
  and resumed.event_type = 'context_rehydration';

-- 3. Which side effects have to be settled, and for how long have they been waiting?
select tenant_id, session_id, idempotency_key, capability_name, age
from reconciliation_backlog
order by age desc;

-- 4. Why do runs stop, hour by hour?
select hour, reason, sum(failures) as failures
from validation_failures_hourly
where tenant_id = :'tenant' and hour >= clock_timestamp() - interval '1 day'
group by hour, reason
order by hour desc, failures desc;

-- 5. Which boundaries have nobody behind them: sealed, and never asked about again?
select session_id, envelope_id, trigger, sealed_at
from session_continuity
where tenant_id = :'tenant' and outcome is null and sealed_at < clock_timestamp() - interval '15 minutes'
order by sealed_at;

-- 6. How long does it take from boundary to decision?
select
  trigger,
  count(*) as decisions,
  percentile_cont(0.5) within group (order by extract(epoch from gap)) as median_seconds,
  percentile_cont(0.99) within group (order by extract(epoch from gap)) as p99_seconds
from session_continuity
where tenant_id = :'tenant' and outcome is not null
group by trigger;

-- 7. Who keeps acting for a session that somebody else has resumed?
select session_id, actor, count(*) as attempts, max(occurred_at) as last_seen, held_by, held_since
from stale_runtimes
where tenant_id = :'tenant'
group by session_id, actor, held_by, held_since
order by attempts desc;

-- 8. Who changed which record, and when?
select occurred_at, actor, session_id, payload ->> 'kind' as kind, payload ->> 'id' as id, payload ->> 'revision' as revision
from trace_events
where tenant_id = :'tenant'
  and event_type = 'control_record_written'
  and occurred_at >= clock_timestamp() - interval '1 day'
order by occurred_at desc;

-- 9. Who found out what had become of an unknown effect, and on what evidence?
select
  occurred_at,
  payload ->> 'idempotency_key' as idempotency_key,
  payload ->> 'outcome' as outcome,
  payload ->> 'reconciled_by' as reconciled_by,
  payload -> 'evidence_refs' as evidence_refs
from trace_events
where tenant_id = :'tenant' and event_type = 'side_effect_reconciled'
order by occurred_at desc;

-- 10. Which callers were turned away?
select occurred_at, actor, payload ->> 'route' as route, reason
from trace_events
where tenant_id = :'tenant' and payload ->> 'phase' = 'access'
order by occurred_at desc;
