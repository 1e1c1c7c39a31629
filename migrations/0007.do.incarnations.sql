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
