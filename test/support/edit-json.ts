/** Changes to a JSON value, by JSON pointer; the empty pointer stands for the whole value. */
export interface Edit {
  set?: Readonly<Record<string, unknown>>;
  remove?: readonly string[];
}

/** A deep copy of a JSON value with the changes made. */
export function edited(value: unknown, { set = {}, remove = [] }: Edit): unknown {
  let copy: unknown = structuredClone(value);
  for (const [pointer, member] of Object.entries(set)) {
    if (pointer === '') copy = member;
    else defineMember(copy, keysOf(pointer), member);
  }
  for (const pointer of remove) removeMember(copy, keysOf(pointer));
  return copy;
}

/** The value at a JSON pointer, undefined where there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  return keysOf(pointer).reduce(memberOf, value);
}

function defineMember(root: unknown, keys: readonly string[], member: unknown): void {
  // Not an assignment: a member called __proto__ is to be a member, as JSON.parse makes it.
  Object.defineProperty(parentOf(root, keys), lastOf(keys), {
    value: member,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

function removeMember(root: unknown, keys: readonly string[]): void {
  Reflect.deleteProperty(parentOf(root, keys), lastOf(keys));
}

function parentOf(root: unknown, keys: readonly string[]): object {
  const parent = keys.slice(0, -1).reduce(memberOf, root);
  if (typeof parent === 'object' && parent !== null) return parent;
  throw new Error(`Nothing to change at /${keys.join('/')}`);
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  const member: unknown = Reflect.get(value, key);
  return member;
}

function lastOf(keys: readonly string[]): string {
  return keys.at(-1) ?? '';
}

function keysOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The JSON pointers of all members and entries, at any depth, that the test picks. */
export function pointersIn(value: unknown, picks: (member: unknown) => boolean, from = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const members: [string, unknown][] = Object.entries(value);
  return members.flatMap(([key, member]) => {
    const pointer = `${from}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return [...(picks(member) ? [pointer] : []), ...pointersIn(member, picks, pointer)];
  });
}
