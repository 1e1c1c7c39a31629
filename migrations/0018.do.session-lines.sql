-- Sessions that belong together: one that another has started stops with it, and one that takes another's work over is
-- bound by all that bound that one.
alter table sessions
  add column parent_session_id text,
  add column predecessor_session_id text;
grant select (parent_session_id, predecessor_session_id) on sessions to continuity_gate_reader;

create index sessions_parent_idx on sessions (tenant_id, parent_session_id)
  where parent_session_id is not null;
-- The work of a session is taken over once.
create unique index sessions_predecessor_key on sessions (tenant_id, predecessor_session_id)
  where predecessor_session_id is not null;

-- Whether the session is one of these or one that they descend from. Two that are linked at the same time don't see each
-- other: whoever asks holds the tenant's head until its transaction ends. It comes behind the session's, and whoever begins
-- with the tenant's takes no session's.
create function line_leads_back(the_tenant text, the_session text, the_ancestors text[]) returns boolean
language plpgsql volatile
as $$
begin
  insert into public.tenant_heads (tenant_id) values (the_tenant) on conflict (tenant_id) do nothing;
  perform from public.tenant_heads where tenant_id = the_tenant for update;
  if the_session = any(the_ancestors) then
    return true;
  end if;
  -- Nothing leads back to a session that nobody descends from: most are linked when they begin.
  if not exists (select from public.sessions where tenant_id = the_tenant and parent_session_id = the_session)
    and not exists (select from public.sessions where tenant_id = the_tenant and predecessor_session_id = the_session)
  then
    return false;
  end if;
  return exists (
    with recursive line (session_id) as (
      select unnest(the_ancestors)
      union
      select ancestor.session_id
      from line
      join public.sessions as held on held.tenant_id = the_tenant and held.session_id = line.session_id
      cross join lateral (values (held.parent_session_id), (held.predecessor_session_id)) as ancestor (session_id)
      where ancestor.session_id is not null
    )
    select from line where line.session_id = the_session
  );
end
$$;

create function guard_session_line() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'UPDATE' and (
    old.parent_session_id is not null and new.parent_session_id is distinct from old.parent_session_id
    or old.predecessor_session_id is not null
      and new.predecessor_session_id is distinct from old.predecessor_session_id
  ) then
    raise exception 'what a session descends from never changes' using errcode = 'restrict_violation';
  end if;
  if public.line_leads_back(
    new.tenant_id,
    new.session_id,
    array_remove(array[new.parent_session_id, new.predecessor_session_id], null)
  ) then
    raise exception 'a session does not descend from itself' using errcode = 'restrict_violation';
  end if;
  return null;
end
$$;

create trigger sessions_guard_first_line after insert on sessions
  for each row
  when (new.parent_session_id is not null or new.predecessor_session_id is not null)
  execute function guard_session_line();
create trigger sessions_guard_line after update on sessions
  for each row
  when (
    (new.parent_session_id, new.predecessor_session_id)
      is distinct from (old.parent_session_id, old.predecessor_session_id)
  )
  execute function guard_session_line();
