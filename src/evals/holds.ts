/**
 * Where a value does not hold what is wanted of it, as a JSON pointer with both; undefined if it does. Objects may hold
 * more than what is wanted, arrays may not.
 */
export function missingIn(actual: unknown, wanted: unknown, pointer = ''): string | undefined {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(actual) || actual.length !== wanted.length) return differs(actual, wanted, pointer);
    return firstOf(wanted.map((item, index) => missingIn(actual[index], item, `${pointer}/${index}`)));
  }
  if (isObject(wanted)) {
    if (!isObject(actual)) return differs(actual, wanted, pointer);
    return firstOf(
      Object.entries(wanted).map(([key, item]) => missingIn(actual[key], item, `${pointer}/${key}`)),
    );
  }
  return Object.is(actual, wanted) ? undefined : differs(actual, wanted, pointer);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of an object that may be none. */
export function memberOf(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

/** A member that is a list; empty if there is none. */
export function listIn(value: unknown, key: string): readonly unknown[] {
  const list = memberOf(value, key);
  return Array.isArray(list) ? list : [];
}

function differs(actual: unknown, wanted: unknown, pointer: string): string {
  return `${pointer || 'the body'} is ${actual === undefined ? 'not there' : JSON.stringify(actual)}, wanted ${JSON.stringify(wanted)}`;
}

function firstOf(faults: readonly (string | undefined)[]): string | undefined {
  return faults.find((fault) => fault !== undefined);
}
