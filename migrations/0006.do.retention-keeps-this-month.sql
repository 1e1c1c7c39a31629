-- Retention lets go of months that are over, and of no other. Without the partition of the current month the gate can
-- write no event and so decide nothing, and nobody means to drop it: a day in the future is a slip of the pen.
create or replace function drop_trace_partitions(ended_before timestamptz) returns setof text
language plpgsql
as $$
declare
  this_month timestamptz := date_trunc('month', clock_timestamp(), 'UTC');
  partition record;
begin
  if ended_before > this_month then
    raise exception 'only months that are over can be dropped, and this one began on %',
      to_char(this_month at time zone 'UTC', 'YYYY-MM-DD')
      using errcode = 'invalid_parameter_value';
  end if;
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
