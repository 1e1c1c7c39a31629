/**
 * A page of a log that is numbered without gaps, from one entry more than it may hold: the entry that is too many says
 * that there is a next page.
 */
export function sequencePageOf<T extends { readonly sequence: number }>(
  entries: readonly T[],
  limit: number,
): { shown: T[]; next_after: number | null } {
  const shown = entries.slice(0, limit);
  return { shown, next_after: entries.length > limit ? (shown.at(-1)?.sequence ?? null) : null };
}
