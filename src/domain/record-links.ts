import {
  textIn,
  type LinkRefusal,
  type RecordFields,
  type RecordKeys,
  type RecordKind,
  type RecordLink,
} from './records/record-kind.js';

/** A record that is written: its ids and what it is to say. */
export interface WrittenRecord {
  readonly keys: RecordKeys;
  readonly fields: RecordFields;
}

/** The value by which a link finds its record; undefined: this one has none, and so links to nothing. */
export function linkValue({ by }: RecordLink, { keys, fields }: WrittenRecord): string | undefined {
  const value = keys[by] ?? fields[by];
  return typeof value === 'string' ? value : undefined;
}

/** Why a record can't go with those that it is linked to, which come in the order of its links; undefined: it can. */
export function linkRefusal(
  { keys: ids, links = [] }: RecordKind,
  { keys, fields }: WrittenRecord,
  linked: readonly (RecordFields | undefined)[],
): { readonly code: LinkRefusal; readonly field: string } | undefined {
  for (const [index, link] of links.entries()) {
    const other = linked[index];
    if (!other) continue;
    const field =
      'unique' in link
        ? ids.some((id) => keys[id] !== other[id]) && link.by
        : link.agree.find((name) => fields[name] !== other[name]);
    if (field) return { code: link.refusal, field };
  }
  return undefined;
}

/** The session that a record belongs to, from its path or from its body; undefined: the whole tenant. */
export function sessionOf({ sessionField }: RecordKind, { keys, fields }: WrittenRecord): string | undefined {
  return sessionField === undefined ? undefined : (keys[sessionField] ?? textIn(fields, sessionField));
}

/** What the trace calls a record: its innermost id; a policy is the tenant's only one. */
export function recordId({ name, keys: ids }: RecordKind, keys: RecordKeys): string {
  const innermost = ids.at(-1);
  return innermost === undefined ? name : (keys[innermost] ?? name);
}
