import { Type, type Static } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';

import { edited, type Edit } from '../../support/edit-json.js';
import { refusalOf, requestNames, validRequests } from '../../support/parse-requests.js';
import { readFixture } from '../../support/read-fixture.js';

const Fault = Type.Object(
  {
    set: Type.Optional(Type.String()),
    to: Type.Optional(Type.Unknown()),
    remove: Type.Optional(Type.String()),
    error: Type.String(),
  },
  { additionalProperties: false },
);
type Fault = Static<typeof Fault>;

const faults = Type.Array(Fault, { minItems: 2 });
const { orders } = readFixture(
  'error-precedence.json',
  Type.Object({ orders: Type.Object({ seal: faults, rehydrate: faults, inspect: faults }) }),
);

describe.each(requestNames)('%s', (request) => {
  it.each(orders[request])('a single fault is told: $error', (fault) => {
    expect(refusalOf(request, edited(validRequests[request], merged(fault)))?.error).toBe(fault.error);
  });

  it.each(withLaterFaults(orders[request]))(
    'is told before every later fault: $error',
    ({ fault, later }) => {
      const told = later.map(
        (other) => refusalOf(request, edited(validRequests[request], merged(fault, other)))?.error,
      );

      expect(told).toEqual(later.map(() => fault.error));
    },
  );
});

function withLaterFaults(order: readonly Fault[]) {
  return order
    .map((fault, index) => ({
      fault,
      error: fault.error,
      later: order.slice(index + 1).filter((other) => areIndependent(fault, other)),
    }))
    .filter(({ later }) => later.length > 0);
}

function merged(...all: Fault[]): Edit {
  return {
    set: Object.fromEntries(all.flatMap(({ set, to }) => (set === undefined ? [] : [[set, to]]))),
    remove: all.flatMap(({ remove }) => remove ?? []),
  };
}

/** Two faults at one place, or one inside the other, can't be had at once. */
function areIndependent(one: Fault, other: Fault): boolean {
  const [a, b] = [placeOf(one), placeOf(other)];
  return a !== b && !a.startsWith(`${b}/`) && !b.startsWith(`${a}/`);
}

function placeOf({ set, remove }: Fault): string {
  return set ?? remove ?? '';
}
