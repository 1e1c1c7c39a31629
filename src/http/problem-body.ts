import { problems, problemType, type Problem } from './problems.js';

/** The body of an error: RFC 9457 problem details. */
export function problemBody(problem: Problem, requestId: string) {
  return {
    type: problemType(problem.code),
    status: problem.status,
    ...membersOf(problem, requestId),
    ...problem.extension,
  };
}

/** The same for `/rehydrate`, where every error is a stop. */
export function stopProblemBody(problem: Problem, requestId: string) {
  return {
    status: 'continuity_validation_failed',
    reason: problem.code,
    authorized: false,
    requires_reauthorization: true,
    ...membersOf(problem, requestId),
    ...problem.extension,
  };
}

function membersOf({ code, message, faults }: Problem, request_id: string) {
  return { title: problems[code].title, detail: message, code, errors: faults, request_id };
}
