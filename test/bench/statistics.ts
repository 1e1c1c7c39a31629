/** The value below which a share of the values lies, by the nearest rank; NaN of nothing. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? NaN : (low + high) / 2;
}

/** The median of every number of some rows alike: one outlying round moves none of them. */
export function medianOf<Key extends string>(
  rows: readonly Readonly<Record<Key, number>>[],
  keys: readonly Key[],
): Record<Key, number> {
  const entries = keys.map((key) => [key, median(rows.map((row) => row[key]))] as const);
  return Object.fromEntries(entries) as Record<Key, number>;
}
