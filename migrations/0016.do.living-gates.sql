-- The gates that serve on this database now, each with the keys that its receipts are signed with and that it publishes:
-- one that publishes none of another's would have its receipts refused wherever the other's keys were fetched.
--
-- A gate says every few seconds that it lives. Nothing is decided by this table, and a program that doesn't know it serves on.
create table living_gates (
  gate_id uuid not null,
  -- Thumbprints by RFC 7638.
  signs_with text not null,
  publishes text[] not null,
  seen_at timestamptz not null default clock_timestamp(),
  constraint living_gates_pkey primary key (gate_id)
);

grant select, insert, update, delete on living_gates to continuity_gate_service;
grant select on living_gates to continuity_gate_reader;
