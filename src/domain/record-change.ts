import { textIn, type LinkRefusal, type RecordFields, type RecordKind } from './records/record-kind.js';

/** Why a record can't become what was asked for. */
export type ChangeRefusal =
  'record_field_frozen' | 'status_transition_refused' | 'expiry_extended' | 'session_cycle' | LinkRefusal;

/** What a PUT does to a record. */
export type RecordChange =
  | { readonly kind: 'created' | 'changed' | 'unchanged' }
  | { readonly kind: 'refused'; readonly code: ChangeRefusal; readonly field: string };

/** Decides what a PUT does to a record, by the rules of its kind alone. */
export function decideRecordChange(
  kind: RecordKind,
  current: RecordFields | undefined,
  proposed: RecordFields,
): RecordChange {
  if (!current) return { kind: 'created' };
  const changed = Object.keys(kind.fields).filter((field) => !isSame(current[field], proposed[field]));
  if (changed.length === 0) return { kind: 'unchanged' };
  const { frozen: never, descendsFrom: onceSet = [] } = kind;
  const frozen = changed.find(
    (field) => never.includes(field) || (onceSet.includes(field) && current[field] != null),
  );
  if (frozen !== undefined) return { kind: 'refused', code: 'record_field_frozen', field: frozen };
  if (kind.status && changed.includes(kind.status.field) && !mayFollow(kind.status, current, proposed)) {
    return { kind: 'refused', code: 'status_transition_refused', field: kind.status.field };
  }
  if (
    kind.onlyEarlier !== undefined &&
    isLater(textIn(proposed, kind.onlyEarlier), textIn(current, kind.onlyEarlier))
  ) {
    return { kind: 'refused', code: 'expiry_extended', field: kind.onlyEarlier };
  }
  return { kind: 'changed' };
}

/** What a PUT says that the record descends from and that it didn't say before, each with its field. */
export function newAncestors(
  { descendsFrom = [] }: RecordKind,
  current: RecordFields | undefined,
  proposed: RecordFields,
): { readonly field: string; readonly id: string }[] {
  return descendsFrom.flatMap((field) => {
    const id = proposed[field];
    return typeof id === 'string' && id !== current?.[field] ? [{ field, id }] : [];
  });
}

function mayFollow(
  { field, next }: NonNullable<RecordKind['status']>,
  current: RecordFields,
  proposed: RecordFields,
): boolean {
  return next[textIn(current, field)]?.includes(textIn(proposed, field)) ?? false;
}

/** Both are in UTC with six fraction digits, so that their text sorts by time. */
function isLater(proposed: string, current: string): boolean {
  return proposed > current;
}

function isSame(one: RecordFields[string] | undefined, other: RecordFields[string] | undefined): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}
