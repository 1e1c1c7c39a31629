-- Nothing that a reader may take or hold stops the gate. Advisory locks are everyone's to take, whoever can work out their
-- keys; rows and tables are locked here instead, which takes a right that readers don't have.

-- What each approval id is about: one action of one session, whether its approval or its side effect was written first.
-- Whoever writes the other one waits on the primary key until the first has committed.
create table approval_actions (
  tenant_id text not null,
  approval_id text not null,
  session_id text not null,
  capability_name text not null,
  action_digest text not null,
  constraint approval_actions_pkey primary key (tenant_id, approval_id)
);

create trigger approval_actions_no_change
  before update or delete on approval_actions
  for each row execute function refuse_change('approval_actions');
create trigger approval_actions_no_truncate
  before truncate on approval_actions
  for each statement execute function refuse_change('approval_actions');

alter table approval_actions enable row level security;
create policy tenant on approval_actions to continuity_gate_service
  using (tenant_id = current_tenant())
  with check (tenant_id = current_tenant());
create policy every_tenant on approval_actions for select to continuity_gate_reader using (true);
grant select, insert on approval_actions to continuity_gate_service;
grant select on approval_actions to continuity_gate_reader;

-- Writers that are under way still go by the advisory lock: they are waited for.
lock table approvals, side_effects in share mode;
insert into approval_actions
select tenant_id, approval_id, session_id, capability_name, action_digest from approvals
union
select tenant_id, approval_id, session_id, capability_name, action_digest from side_effects;

create or replace function guard_action_binding() returns trigger
language plpgsql
as $$
begin
  insert into public.approval_actions (tenant_id, approval_id, session_id, capability_name, action_digest)
  values (new.tenant_id, new.approval_id, new.session_id, new.capability_name, new.action_digest)
  on conflict (tenant_id, approval_id) do nothing;
  if not found and not exists (
    select from public.approval_actions as bound
    where bound.tenant_id = new.tenant_id
      and bound.approval_id = new.approval_id
      and (bound.session_id, bound.capability_name, bound.action_digest)
        = (new.session_id, new.capability_name, new.action_digest)
  ) then
    raise exception 'an approval and its side effect are about different actions' using errcode = 'restrict_violation';
  end if;
  return null;
end
$$;

-- As before, but for its locks. A partition that is made for its parent takes a lock that waits for everyone who has read
-- the trace in a transaction that is still open, with all writers of events behind it; one that is made by itself and
-- attached then waits for no reader and no writer.
create or replace function ensure_trace_partitions(months_ahead integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  month_start timestamptz := date_trunc('month', clock_timestamp(), 'UTC');
  partition_name text;
begin
  if months_ahead not between 0 and 120 then
    raise exception 'months_ahead must be between 0 and 120' using errcode = 'invalid_parameter_value';
  end if;
  -- Replicas that start at once would otherwise race for the same names.
  lock table public.trace_events in share update exclusive mode;
  for month in 0..months_ahead loop
    partition_name := format('trace_events_%s', to_char(month_start at time zone 'UTC', 'YYYY_MM'));
    if to_regclass(format('public.%I', partition_name)) is null then
      execute format(
        'create table public.%I (like public.trace_events including defaults including constraints)',
        partition_name
      );
      execute format(
        'alter table public.trace_events attach partition public.%I for values from (%L) to (%L)',
        partition_name,
        month_start,
        month_start + interval '1 month'
      );
      -- Truncate triggers are not inherited by partitions.
      execute format(
        'create trigger trace_events_no_truncate before truncate on public.%I
           for each statement execute function public.refuse_change(%L)',
        partition_name,
        'trace_events'
      );
    end if;
    month_start := month_start + interval '1 month';
  end loop;
end
$$;

-- Dropping a partition does wait for readers, and lets writers wait behind it: not for long.
alter function drop_trace_partitions(timestamptz) set lock_timeout = '1s';

-- Where readers of the trace have to stop: before the oldest transaction that may still commit an event. An open
-- transaction of someone who can write none, or of another database of the server, holds nobody up. Which transaction is
-- whose is told by the lock that each holds on its own id; one that ended since the snapshot was taken holds none, and its
-- events are told the next time.
create function trace_horizon() returns xid8
language sql stable
as $$
  select coalesce(min(unfinished.xid), pg_snapshot_xmax(pg_current_snapshot()))
  from pg_snapshot_xip(pg_current_snapshot()) as unfinished (xid)
  where not exists (
    select
    from pg_locks as held
    join pg_stat_activity as holder on holder.pid = held.pid
    where held.locktype = 'transactionid'
      and held.transactionid = unfinished.xid::xid
      and held.mode = 'ExclusiveLock'
      and held.granted
      and not (
        holder.datname = current_database()
        and (
          pg_has_role(holder.usesysid, 'continuity_gate_service', 'member')
          or pg_has_role(
            holder.usesysid,
            (select relowner from pg_class where oid = 'public.trace_events'::regclass),
            'member'
          )
          or has_any_column_privilege(holder.usesysid, 'public.trace_events', 'insert')
        )
      )
  )
$$;
