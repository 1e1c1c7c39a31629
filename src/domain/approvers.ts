import type { ActionFacts } from './actions.js';

/**
 * Whether an approval was decided by whoever asked for it, by someone who may not, or by too few. Nothing is asked of a
 * source that keeps no approvers; where it keeps any, an approval that nobody is named for is one that nobody gave.
 */
export function approversDontSuffice({ approval }: ActionFacts): boolean {
  if (!approval) return false;
  const { requested_by, decided_by, self_approval, eligible_approvers, required_approvals } = approval;
  const decisions =
    approval.decisions ?? (decided_by === undefined ? [] : [{ decided_by, decision: 'approved' }]);
  const keepsApprovers = [requested_by, eligible_approvers, required_approvals].some(isKept);
  if (decisions.length === 0 && !keepsApprovers) return false;

  const rejected = new Set(decidersOf(decisions, 'rejected'));
  // Each counts once, however often they decided; and whoever rejected it once hasn't approved it.
  const approved = new Set(decidersOf(decisions, 'approved').filter((decider) => !rejected.has(decider)));
  const deciders = [...approved, ...(decided_by === undefined ? [] : [decided_by])];
  return (
    deciders.some((decider) => decider === requested_by && self_approval !== true) ||
    deciders.some((decider) => eligible_approvers?.includes(decider) === false) ||
    // Nobody has approved yet what is pending or rejected: the rules behind this one say so.
    (!isUndecided(approval) && approved.size - rejected.size < (required_approvals ?? 1))
  );
}

type ApprovalFacts = NonNullable<ActionFacts['approval']>;

function isUndecided({ approval_status }: ApprovalFacts): boolean {
  return approval_status === 'pending' || approval_status === 'rejected';
}

function isKept(statement: unknown): boolean {
  return statement !== undefined;
}

function decidersOf(decisions: readonly { decided_by: string; decision: string }[], decision: string) {
  return decisions.filter((decided) => decided.decision === decision).map(({ decided_by }) => decided_by);
}
