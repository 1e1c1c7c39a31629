-- The governed store: sealed envelopes, decisions and the trace of both.
--
-- Three roles, none of which may log in by itself: the migrating user owns every object; the service works as
-- continuity_gate_service and owns nothing; continuity_gate_reader is for people with SQL. Roles belong to the whole
-- server, so another database of it may have made them already.
--
-- The tenant comes first in every key, and row-level security holds each transaction to the tenant that it names in
-- continuity.tenant_id. A transaction that names none sees nothing.

do $$
declare
  role_name text;
begin
  foreach role_name in array array['continuity_gate_service', 'continuity_gate_reader'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      begin
        execute format('create role %I nologin', role_name);
      exception when duplicate_object or unique_violation then
        null; -- made by another database's migration at the same moment
      end;
    end if;
  end loop;
end
$$;

grant usage on schema public to continuity_gate_service, continuity_gate_reader;

-- The tenant that the current transaction speaks for; null when it names none.
create function current_tenant() returns text
language sql stable parallel safe
as $$ select nullif(current_setting('continuity.tenant_id', true), '') $$;

-- RFC 3339 in UTC with six fraction digits: how times stand in events and answers, to the microsecond.
create function rfc3339(instant timestamptz) returns text
language sql stable strict parallel safe
as $$ select to_char(instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') $$;

-- One row a session, locked before anything of the session is read or written: the order of everything that happens
-- to it. The lock order is Idempotency-Key, then session head, then tenant head.
create table session_heads (
  tenant_id text not null,
  session_id text not null,
  session_epoch bigint not null default 0,
  held_by text,
  held_since timestamptz,
  newest_envelope_id text,
  event_sequence bigint not null default 0,
  lineage_sha256 text not null default repeat('0', 64),
  trace_sequence bigint not null default 0,
  trace_sha256 text not null default repeat('0', 64),
  constraint session_heads_pkey primary key (tenant_id, session_id),
  constraint session_heads_epoch_is_held check ((session_epoch = 0) = (held_by is null)),
  constraint session_heads_held_since check ((held_by is null) = (held_since is null))
);

-- The same for what belongs to a tenant and to no session.
create table tenant_heads (
  tenant_id text not null,
  trace_sequence bigint not null default 0,
  trace_sha256 text not null default repeat('0', 64),
  constraint tenant_heads_pkey primary key (tenant_id)
);

-- Accepted envelopes; immutable. The session's epoch and the event are part of the first answer, which is repeated.
create table envelopes (
  tenant_id text not null,
  envelope_id text not null,
  session_id text not null,
  -- json keeps the text as it was written: the first answer is repeated to the letter.
  envelope json not null,
  envelope_sha256 text not null,
  lineage_sha256 text,
  last_sequence bigint,
  constraint_digests jsonb not null default '{}',
  session_epoch bigint not null,
  created_at timestamptz not null,
  trace_event_id uuid not null,
  trace_event_type text not null,
  constraint envelopes_pkey primary key (tenant_id, envelope_id),
  constraint envelopes_session_fkey foreign key (tenant_id, session_id)
    references session_heads (tenant_id, session_id)
);

create index envelopes_session_idx on envelopes (tenant_id, session_id, created_at);

-- What each approval of a session was first sealed under. Sealing it again under other versions is refused.
create table approval_bindings (
  tenant_id text not null,
  session_id text not null,
  approval_id text not null,
  policy_version text not null,
  capability_version text not null,
  action_digest text not null,
  envelope_id text not null,
  constraint approval_bindings_pkey primary key (tenant_id, session_id, approval_id),
  constraint approval_bindings_envelope_fkey foreign key (tenant_id, envelope_id)
    references envelopes (tenant_id, envelope_id)
);

-- Every answer of a rehydration with the facts that it was made from, so that it can be made again.
create table decisions (
  tenant_id text not null,
  decision_id uuid not null,
  session_id text not null,
  envelope_id text not null,
  trace_id text not null,
  decided_at timestamptz not null,
  status text not null,
  reason text not null,
  findings jsonb not null,
  facts jsonb not null,
  session_epoch bigint,
  held_by text,
  trace_event_id uuid not null,
  trace_event_type text not null,
  constraint decisions_pkey primary key (tenant_id, decision_id),
  constraint decisions_epoch_only_after_a_go
    check ((status = 'reauthorization_required') = (session_epoch is not null))
);

create index decisions_session_idx on decisions (tenant_id, session_id, decided_at);

-- Idempotency-Key of /rehydrate: the decision that a repeated request gets again. A concurrent duplicate waits on the
-- primary key until the first has committed.
create table idempotency_keys (
  tenant_id text not null,
  idempotency_key text not null,
  request_sha256 text not null,
  decision_id uuid not null,
  created_at timestamptz not null,
  constraint idempotency_keys_pkey primary key (tenant_id, idempotency_key)
);

create index idempotency_keys_created_idx on idempotency_keys (created_at);

-- The trace. Partitioned by month, so that retention drops whole partitions and nothing is ever deleted row by row.
--
-- transaction_id orders readers behind every transaction that may still commit an earlier event; position orders the
-- events of one transaction.
create table trace_events (
  event_id uuid not null,
  event_type text not null,
  schema_version text not null,
  occurred_at timestamptz not null,
  tenant_id text not null,
  session_id text,
  principal_id text,
  actor text not null,
  trace_id text,
  span_id text,
  envelope_id text,
  decision_id uuid,
  status text,
  reason text,
  payload jsonb not null,
  sequence bigint not null,
  previous_sha256 text not null,
  event_sha256 text not null,
  transaction_id xid8 not null default pg_current_xact_id(),
  position bigint generated always as identity,
  constraint trace_events_pkey primary key (tenant_id, event_id, occurred_at),
  constraint trace_events_chain unique nulls not distinct (tenant_id, session_id, sequence, occurred_at)
) partition by range (occurred_at);

create index trace_events_reader_idx on trace_events (tenant_id, transaction_id, position);
create index trace_events_envelope_idx on trace_events (tenant_id, envelope_id)
  where envelope_id is not null;
create index trace_events_trace_idx on trace_events (tenant_id, trace_id) where trace_id is not null;

-- Append-only, also for the owner of the table.
create function refuse_change() returns trigger
language plpgsql
as $$
begin
  raise exception '% is append-only: % is refused', tg_argv[0], tg_op
    using errcode = 'restrict_violation';
end
$$;

create trigger trace_events_no_change
  before update or delete on trace_events
  for each row execute function refuse_change('trace_events');
create trigger trace_events_no_truncate
  before truncate on trace_events
  for each statement execute function refuse_change('trace_events');
create trigger envelopes_no_change
  before update or delete on envelopes
  for each row execute function refuse_change('envelopes');
create trigger envelopes_no_truncate
  before truncate on envelopes
  for each statement execute function refuse_change('envelopes');
create trigger decisions_no_change
  before update or delete on decisions
  for each row execute function refuse_change('decisions');
create trigger decisions_no_truncate
  before truncate on decisions
  for each statement execute function refuse_change('decisions');

-- Makes the partitions of this month and of the months ahead. The service calls it at start and once a day, so that an
-- insert never meets a month that has no partition; it runs as the owner because the service owns nothing.
create function ensure_trace_partitions(months_ahead integer) returns void
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
  perform pg_advisory_xact_lock(hashtext('continuity-gate partitions'));
  for month in 0..months_ahead loop
    partition_name := format('trace_events_%s', to_char(month_start at time zone 'UTC', 'YYYY_MM'));
    if to_regclass(format('public.%I', partition_name)) is null then
      execute format(
        'create table public.%I partition of public.trace_events for values from (%L) to (%L)',
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

revoke all on function ensure_trace_partitions(integer) from public;
grant execute on function ensure_trace_partitions(integer) to continuity_gate_service;

select ensure_trace_partitions(12);

do $$
declare
  table_name text;
begin
  foreach table_name in array array[
    'session_heads', 'tenant_heads', 'envelopes', 'approval_bindings', 'decisions', 'idempotency_keys', 'trace_events'
  ] loop
    execute format('alter table %I enable row level security', table_name);
    execute format(
      'create policy tenant on %I to continuity_gate_service
         using (tenant_id = current_tenant())
         with check (tenant_id = current_tenant())',
      table_name
    );
  end loop;
end
$$;

grant select on schema_migrations to continuity_gate_service, continuity_gate_reader;
grant select, insert, update on session_heads, tenant_heads to continuity_gate_service;
grant select, insert on
  envelopes,
  approval_bindings,
  decisions,
  trace_events
to continuity_gate_service;
grant select, insert, update, delete on idempotency_keys to continuity_gate_service;
