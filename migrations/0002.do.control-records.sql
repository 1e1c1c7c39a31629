-- Records: the current control state, each kind written by its own system of record.
--
-- Every record has a revision, counted by the database, and the time of its last change. What never changes, and which
-- status may follow which, is held here too, so that no program can write around it.

-- Which status may follow which. A status that is not the first of any row is final.
create table status_transitions (
  status_column text not null,
  from_status text not null,
  to_status text not null,
  constraint status_transitions_pkey primary key (status_column, from_status, to_status)
);

insert into status_transitions (status_column, from_status, to_status) values
  ('principal_status', 'active', 'suspended'),
  ('principal_status', 'active', 'removed'),
  ('principal_status', 'suspended', 'active'),
  ('principal_status', 'suspended', 'removed'),
  ('principal_status', 'removed', 'active'),
  ('principal_status', 'removed', 'suspended'),
  ('session_status', 'active', 'cancelled'),
  ('session_status', 'active', 'ended'),
  ('obligation_status', 'open', 'discharged'),
  ('constraint_status', 'active', 'withdrawn'),
  ('constraint_status', 'withdrawn', 'active'),
  ('approval_status', 'approved', 'pending'),
  ('approval_status', 'approved', 'rejected'),
  ('approval_status', 'approved', 'revoked'),
  ('approval_status', 'approved', 'expired'),
  ('approval_status', 'pending', 'approved'),
  ('approval_status', 'pending', 'rejected'),
  ('approval_status', 'pending', 'revoked'),
  ('approval_status', 'pending', 'expired'),
  ('side_effect_status', 'not_started', 'side_effect_committed'),
  ('side_effect_status', 'not_started', 'side_effect_unknown'),
  -- By reconciliation only.
  ('side_effect_status', 'side_effect_unknown', 'side_effect_committed'),
  ('side_effect_status', 'side_effect_unknown', 'not_started');

create table policies (
  tenant_id text not null,
  policy_version text not null,
  revision bigint not null default 1,
  updated_at timestamptz not null default clock_timestamp(),
  constraint policies_pkey primary key (tenant_id)
);

create table capabilities (
  tenant_id text not null,
  capability_name text not null,
  capability_version text not null,
  revision bigint not null default 1,
  updated_at timestamptz not null default clock_timestamp(),
  constraint capabilities_pkey primary key (tenant_id, capability_name)
);

create table principals (
  tenant_id text not null,
  principal_id text not null,
  principal_status text not null,
  revision bigint not null default 1,
  updated_at timestamptz not null default clock_timestamp(),
  constraint principals_pkey primary key (tenant_id, principal_id),
  constraint principals_status_is_known check (principal_status in ('active', 'suspended', 'removed'))
);

create table sessions (
  tenant_id text not null,
  session_id text not null,
  session_status text not null,
  principal_id text not null,
  authorization_mode text not null,
  delegated_principal_id text not null,
  delegated_scope text not null,
  idempotency_key text not null,
  checkpoint_ref text not null,
  sandbox_snapshot_ref text,
  budget_remaining double precision,
  objective text,
  revision bigint not null default 1,
  updated_at timestamptz not null default clock_timestamp(),
  constraint sessions_pkey primary key (tenant_id, session_id),
  constraint sessions_status_is_known check (session_status in ('active', 'cancelled', 'ended')),
  constraint sessions_mode_is_known
    check (authorization_mode in ('platform_owned', 'user_delegated', 'human_approved')),
  constraint sessions_budget_is_finite check (budget_remaining >= 0 and budget_remaining < 'infinity')
);

create table obligations (
  tenant_id text not null,
  session_id text not null,
  obligation_id text not null,
  obligation_status text not null,
  evidence_refs text[],
  revision bigint not null default 1,
  updated_at timestamptz not null default clock_timestamp(),
  constraint obligations_pkey primary key (tenant_id, session_id, obligation_id),
  constraint obligations_status_is_known check (obligation_status in ('open', 'discharged')),
  constraint obligations_discharged_with_evidence
    check (obligation_status = 'open' or coalesce(cardinality(evidence_refs), 0) > 0)
);

create table constraints (
  tenant_id text not null,
  constraint_ref text not null,
  session_id text not null,
  text text not null,
  forbids_capability text,
  constraint_status text not null,
  -- Over the text and what it forbids: what an envelope freezes.
  sha256 text not null,
  revision bigint not null default 1,
  updated_at timestamptz not null default clock_timestamp(),
  constraint constraints_pkey primary key (tenant_id, constraint_ref),
  constraint constraints_status_is_known check (constraint_status in ('active', 'withdrawn'))
);

create index constraints_session_idx on constraints (tenant_id, session_id);

create table approvals (
  tenant_id text not null,
  approval_id text not null,
  session_id text not null,
  capability_name text not null,
  action_digest text not null,
  approval_status text not null,
  expires_at timestamptz not null,
  revision bigint not null default 1,
  updated_at timestamptz not null default clock_timestamp(),
  constraint approvals_pkey primary key (tenant_id, approval_id),
  constraint approvals_status_is_known
    check (approval_status in ('approved', 'pending', 'rejected', 'revoked', 'expired'))
);

-- The ledger. One approval binds one side effect.
create table side_effects (
  tenant_id text not null,
  idempotency_key text not null,
  session_id text not null,
  capability_name text not null,
  approval_id text not null,
  action_digest text not null,
  side_effect_status text not null,
  revision bigint not null default 1,
  updated_at timestamptz not null default clock_timestamp(),
  constraint side_effects_pkey primary key (tenant_id, idempotency_key),
  constraint side_effects_approval_key unique (tenant_id, approval_id),
  constraint side_effects_status_is_known
    check (side_effect_status in ('not_started', 'side_effect_committed', 'side_effect_unknown'))
);

create index side_effects_unknown_idx on side_effects (tenant_id, updated_at)
  where side_effect_status = 'side_effect_unknown';
create index side_effects_unknown_of_session_idx on side_effects (tenant_id, session_id)
  where side_effect_status = 'side_effect_unknown';

-- The session's event log: in the order of the gate, each event digested together with all before it.
create table session_events (
  tenant_id text not null,
  session_id text not null,
  sequence bigint not null,
  event_id text not null,
  event_type text not null,
  content_sha256 text not null,
  occurred_at text,
  lineage_sha256 text not null,
  constraint session_events_pkey primary key (tenant_id, session_id, sequence),
  constraint session_events_event_key unique (tenant_id, session_id, event_id)
);

create trigger session_events_no_change
  before update or delete on session_events
  for each row execute function refuse_change('session_events');
create trigger session_events_no_truncate
  before truncate on session_events
  for each statement execute function refuse_change('session_events');

-- Arguments: the status column, or an empty string, and then the columns that never change.
create function guard_record() returns trigger
language plpgsql
as $$
<<guard>>
declare
  old_row jsonb := to_jsonb(old);
  new_row jsonb := to_jsonb(new);
  status_column text := tg_argv[0];
  frozen_column text;
begin
  foreach frozen_column in array array['tenant_id'] || coalesce(tg_argv[1:], '{}'::text[]) loop
    if old_row -> frozen_column is distinct from new_row -> frozen_column then
      raise exception '%.% never changes', tg_table_name, frozen_column using errcode = 'restrict_violation';
    end if;
  end loop;
  if status_column <> ''
    and old_row -> status_column is distinct from new_row -> status_column
    and not exists (
      select from public.status_transitions as allowed
      where allowed.status_column = guard.status_column
        and allowed.from_status = old_row ->> guard.status_column
        and allowed.to_status = new_row ->> guard.status_column
    )
  then
    raise exception '%.% does not go from % to %', tg_table_name, status_column,
      old_row ->> status_column, new_row ->> status_column using errcode = 'restrict_violation';
  end if;
  new.revision := old.revision + 1;
  new.updated_at := clock_timestamp();
  return new;
end
$$;

create trigger policies_guard before update on policies
  for each row execute function guard_record('');
create trigger capabilities_guard before update on capabilities
  for each row execute function guard_record('', 'capability_name');
create trigger principals_guard before update on principals
  for each row execute function guard_record('principal_status', 'principal_id');
create trigger sessions_guard before update on sessions
  for each row execute function guard_record('session_status', 'session_id');
create trigger obligations_guard before update on obligations
  for each row execute function guard_record('obligation_status', 'session_id', 'obligation_id');
create trigger constraints_guard before update on constraints
  for each row execute function guard_record('constraint_status', 'constraint_ref', 'session_id');
create trigger approvals_guard before update on approvals
  for each row execute function guard_record(
    'approval_status', 'approval_id', 'session_id', 'capability_name', 'action_digest'
  );
create trigger side_effects_guard before update on side_effects
  for each row execute function guard_record(
    'side_effect_status', 'idempotency_key', 'session_id', 'capability_name', 'approval_id', 'action_digest'
  );

create function guard_approval_expiry() returns trigger
language plpgsql
as $$
begin
  if new.expires_at > old.expires_at then
    raise exception 'approvals.expires_at is only ever earlier' using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;

create trigger approvals_guard_expiry before update on approvals
  for each row execute function guard_approval_expiry();

-- An approval and the side effect that rests on it are about the same action of the same session. Two sessions' writers
-- don't wait for each other's heads: without the lock neither would see what the other has not committed yet.
create function guard_action_binding() returns trigger
language plpgsql
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(new.tenant_id || ' ' || new.approval_id, 0));
  if exists (
    select from public.approvals as approval
    join public.side_effects as effect using (tenant_id, approval_id)
    where tenant_id = new.tenant_id
      and approval_id = new.approval_id
      and (approval.session_id, approval.capability_name, approval.action_digest)
        <> (effect.session_id, effect.capability_name, effect.action_digest)
  ) then
    raise exception 'an approval and its side effect are about different actions' using errcode = 'restrict_violation';
  end if;
  return null;
end
$$;

create trigger approvals_guard_binding after insert on approvals
  for each row execute function guard_action_binding();
create trigger side_effects_guard_binding after insert on side_effects
  for each row execute function guard_action_binding();

-- How each unknown effect was settled. One that was settled as not started may be started again, and settled again.
create table reconciliations (
  tenant_id text not null,
  idempotency_key text not null,
  -- The revision of the side effect that this settlement makes.
  revision bigint not null,
  reconciled_at timestamptz not null,
  outcome text not null,
  evidence_refs text[] not null,
  reconciled_by text not null,
  constraint reconciliations_pkey primary key (tenant_id, idempotency_key, revision),
  constraint reconciliations_side_effect_fkey foreign key (tenant_id, idempotency_key)
    references side_effects (tenant_id, idempotency_key),
  constraint reconciliations_with_evidence check (cardinality(evidence_refs) > 0),
  constraint reconciliations_settle check (outcome in ('side_effect_committed', 'not_started'))
);

create function guard_settlement() returns trigger
language plpgsql
as $$
begin
  if not exists (
    select from public.reconciliations as settled
    where settled.tenant_id = new.tenant_id
      and settled.idempotency_key = new.idempotency_key
      and settled.revision = new.revision
      and settled.outcome = new.side_effect_status
  ) then
    raise exception 'an unknown side effect is settled by a reconciliation only' using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;

-- Its name comes after side_effects_guard, which counts the revision: triggers run in the order of their names.
create trigger side_effects_guard_settlement before update on side_effects
  for each row
  when (old.side_effect_status = 'side_effect_unknown' and new.side_effect_status <> 'side_effect_unknown')
  execute function guard_settlement();

create trigger reconciliations_no_change
  before update or delete on reconciliations
  for each row execute function refuse_change('reconciliations');
create trigger reconciliations_no_truncate
  before truncate on reconciliations
  for each statement execute function refuse_change('reconciliations');

do $$
declare
  table_name text;
begin
  foreach table_name in array array[
    'policies', 'capabilities', 'principals', 'sessions', 'obligations', 'constraints', 'approvals', 'side_effects',
    'session_events', 'reconciliations'
  ] loop
    execute format('alter table %I enable row level security', table_name);
    execute format(
      'create policy tenant on %I to continuity_gate_service
         using (tenant_id = current_tenant())
         with check (tenant_id = current_tenant())',
      table_name
    );
    execute format('grant select, insert on %I to continuity_gate_service', table_name);
    if table_name not in ('session_events', 'reconciliations') then
      execute format('grant update on %I to continuity_gate_service', table_name);
    end if;
  end loop;
end
$$;

grant select on status_transitions to continuity_gate_service, continuity_gate_reader;

-- Whether the gate holds any record of the session: from then on records alone decide.
alter table session_heads add column has_records boolean not null default false;
