-- Where a chain begins once retention has dropped what came before: the last event that was dropped. Written by the
-- retention command before it drops a partition, so that what is left can still be verified from here on.
create table trace_anchors (
  tenant_id text not null,
  -- Null for the chain of what belongs to the tenant alone.
  session_id text,
  sequence bigint not null,
  event_sha256 text not null,
  recorded_at timestamptz not null default clock_timestamp(),
  constraint trace_anchors_chain unique nulls not distinct (tenant_id, session_id, sequence)
);

create trigger trace_anchors_no_change
  before update or delete on trace_anchors
  for each row execute function refuse_change('trace_anchors');
create trigger trace_anchors_no_truncate
  before truncate on trace_anchors
  for each statement execute function refuse_change('trace_anchors');

alter table trace_anchors enable row level security;
create policy tenant on trace_anchors to continuity_gate_service
  using (tenant_id = current_tenant())
  with check (tenant_id = current_tenant());
grant select on trace_anchors to continuity_gate_service, continuity_gate_reader;
create policy every_tenant on trace_anchors for select to continuity_gate_reader using (true);

-- Drops the trace partitions that ended before a moment, and anchors every chain that they held a part of. For the owner
-- alone: the service never deletes evidence.
create function drop_trace_partitions(ended_before timestamptz) returns setof text
language plpgsql
as $$
declare
  partition record;
begin
  for partition in
    select child.relname as name
    from pg_inherits
    join pg_class as child on child.oid = inhrelid
    where inhparent = 'public.trace_events'::regclass
      and child.relname ~ '^trace_events_\d{4}_\d{2}$'
      and (to_date(substr(child.relname, 14), 'YYYY_MM') + interval '1 month') at time zone 'UTC' <= ended_before
    order by child.relname
  loop
    -- The last event of each chain in the partition, unless a later one is anchored already.
    execute format(
      'insert into public.trace_anchors (tenant_id, session_id, sequence, event_sha256)
         select distinct on (tenant_id, session_id) tenant_id, session_id, sequence, event_sha256
         from public.%I
         order by tenant_id, session_id, sequence desc
         on conflict do nothing',
      partition.name
    );
    execute format('drop table public.%I', partition.name);
    return next partition.name;
  end loop;
end
$$;

revoke all on function drop_trace_partitions(timestamptz) from public;
