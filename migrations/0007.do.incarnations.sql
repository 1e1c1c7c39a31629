-- A store that was restored from a backup has gone back in time: its epochs and sequences will be given out again. Each
-- life of the store has an incarnation, named beside every epoch and in every receipt, so that what was given out in an
-- earlier life is refused. An operator begins a new one after a restore.
create table store_incarnations (
  incarnation uuid not null default gen_random_uuid(),
  -- 1 for the store as it was made.
  life bigint not null,
  began_at timestamptz not null default clock_timestamp(),
  constraint store_incarnations_pkey primary key (life)
);

insert into store_incarnations (life) values (1);

create trigger store_incarnations_no_change
  before update or delete on store_incarnations
  for each row execute function refuse_change('store_incarnations');
create trigger store_incarnations_no_truncate
  before truncate on store_incarnations
  for each statement execute function refuse_change('store_incarnations');

grant select on store_incarnations to continuity_gate_service, continuity_gate_reader;

-- The life that the store is in. Read with every decision: a program that remembered it would miss a restore.
create function current_incarnation() returns uuid
language sql stable parallel safe
as $$ select incarnation from public.store_incarnations order by life desc limit 1 $$;

-- What the holder of a session was given to load, and whether it says that it has loaded exactly that. Both name the epoch
-- that they are about: a program of an earlier release moves the epoch on without knowing of them.
alter table session_heads
  add column context_view_sha256 text,
  add column context_view_epoch bigint,
  add column acknowledged_epoch bigint,
  add column acknowledged_at timestamptz;

-- Who acted for a session after someone else had resumed it, and who holds one without ever having said what it loaded.
create or replace view stale_runtimes with (security_invoker = true) as
select
  event.tenant_id,
  event.session_id,
  event.occurred_at,
  event.actor,
  event.trace_id,
  event.payload ->> 'phase' as phase,
  head.session_epoch,
  head.held_by,
  head.held_since,
  head.acknowledged_epoch is not distinct from head.session_epoch as acknowledged
from trace_events as event
join session_heads as head using (tenant_id, session_id)
where event.event_type = 'continuity_validation_failed'
  and event.payload -> 'findings' @> '[{"reason": "stale_epoch"}]'
union all
select
  tenant_id,
  session_id,
  held_since,
  held_by,
  null,
  'acknowledgement',
  session_epoch,
  held_by,
  held_since,
  false
from session_heads
where session_epoch > 0 and acknowledged_epoch is distinct from session_epoch;
