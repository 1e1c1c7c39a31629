/** Whether a value that the source holds is another one; what it doesn't hold is not compared. */
export function differs<T>(held: T | null | undefined, expected: T | null): boolean {
  return held !== undefined && held !== null && held !== expected;
}

/** Whether anything of what is wanted isn't held. */
export function missesAny(held: readonly string[], wanted: readonly string[]): boolean {
  const set = new Set(held);
  return wanted.some((item) => !set.has(item));
}

/** Whether nothing is left of a budget, or less than is claimed; null is a budget without a limit. */
export function budgetIsExhausted(remaining: number | null, claimed: number | null): boolean {
  if (remaining === null) return claimed !== null;
  return remaining <= 0 || remaining < (claimed ?? 0);
}

/** Whether more is left than was claimed; what was claimed without a limit can't grow. */
export function budgetHasGrown(remaining: number | null, claimed: number | null): boolean {
  return claimed !== null && (remaining === null || remaining > claimed);
}
