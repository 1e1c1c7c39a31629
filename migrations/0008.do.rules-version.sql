-- The version of the rules that a decision was made by, so that a replay says whether other rules decide otherwise now.
-- Null for what was decided before, and for what a replica of an earlier release decides.
alter table decisions add column rules_version text;
