-- Who asked for an approval, who decided it, and who may: null where the approvals' system of record doesn't say.
alter table approvals
  add column requested_by text,
  add column decided_by text,
  add column self_approval boolean,
  add column eligible_approvers text[],
  add column required_approvals integer,
  -- Not jsonb: that would order the members anew, and an equal write would be a change.
  add column decisions json,
  add constraint approvals_required_are_few check (required_approvals between 1 and 16);

-- Whether calls of a capability need an approval. Null: they do.
alter table capabilities add column approval_required boolean;
