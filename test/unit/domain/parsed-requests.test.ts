import { inspect } from 'node:util';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { AttestedControlState } from '../../../src/domain/control-state.js';
import { summaryDigest } from '../../../src/domain/digest.js';
import { ContinuityEnvelope, InspectedEnvelope } from '../../../src/domain/envelope/v1.js';
import { readerOf } from '../../../src/domain/reader/reader.js';
import { parseTimestamp } from '../../../src/domain/time.js';
import { edited, pointersIn, valueAt } from '../../support/edit-json.js';
import { parsers, refusalOf, requestNames, validRequests } from '../../support/parse-requests.js';

const validEnvelope = valueAt(validRequests.seal, '/continuity_envelope');
const validState = valueAt(validRequests.inspect, '/current_state');

/** Only one of a few values, or not kept as text: what the properties over free text leave alone. */
const bound =
  /\/(schema_version|authorization_mode|side_effect_status|approval_status|reset_reason|approval_expires_at|summary_sha256|summary|now)$/;

const padding = fc.string({
  unit: fc.constantFrom(' ', '\t', '\r', '\n', '\f', '\u0085', '\u00a0', '\u2028', '\u3000'),
  maxLength: 4,
});

const line = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 30 })
  .map((text) => text.replace(/\p{Cc}/gu, '').replace(/^\p{White_Space}+|\p{White_Space}+$/gu, ''))
  .filter((text) => text !== '');

const illFormed = fc.string({
  unit: fc.constantFrom('\ud800', '\udc00', '\0', '\u0085', 'a', '😀'),
  maxLength: 20,
});
const junk = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 2, arbitrary: illFormed },
  {
    weight: 2,
    arbitrary: fc.dictionary(
      fc.oneof(illFormed, fc.constantFrom('__proto__', 'toString', '')),
      fc.jsonValue(),
    ),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 5_000 }).map(nested) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      Number.POSITIVE_INFINITY,
      -0,
      2 ** 53,
      'x'.repeat(2 ** 20),
      '\0'.repeat(2 ** 16),
    ),
  },
);

describe.each([
  {
    artifact: 'an envelope',
    parse: readerOf(ContinuityEnvelope),
    valid: validEnvelope,
    schema: ContinuityEnvelope,
  },
  {
    artifact: 'an inspected envelope',
    parse: readerOf(InspectedEnvelope),
    valid: validEnvelope,
    schema: InspectedEnvelope,
  },
  {
    artifact: 'a state',
    parse: readerOf(AttestedControlState),
    valid: validState,
    schema: AttestedControlState,
  },
])('$artifact', ({ parse, valid, schema }) => {
  it('is read as it was written, with its keys in the order of its schema', () => {
    expect(parse(valid)).toEqual(valid);
    expect(Object.keys(parse(valid))).toEqual(Object.keys(schema.properties));
  });

  it('is read the same whatever order its keys come in', () => {
    expect(JSON.stringify(parse(withReversedKeys(valid)))).toBe(JSON.stringify(parse(valid)));
  });

  it('shares nothing with what was sent', () => {
    const sent = structuredClone(valid);

    parse(sent).exact_constraint_refs?.push('constraint:added');

    expect(sent).toEqual(valid);
  });

  it('takes no field from a prototype', () => {
    const [firstField] = Object.keys(schema.properties);
    expect(() => parse(inheritorOf(valid))).toThrow(`Continuity field is required: ${firstField ?? ''}`);
  });

  it('is absent from itself where a field is undefined', () => {
    const parsed = parse(edited(valid, { set: { '/sandbox_snapshot_ref': undefined } }));

    expect(Object.hasOwn(parsed, 'sandbox_snapshot_ref')).toBe(false);
  });

  it('keeps any text that is allowed, and reads the same again from what it was read to', () => {
    const pointers = pointersIn(valid, isText).filter((pointer) => !bound.test(pointer));
    fc.assert(
      fc.property(fc.array(line, { minLength: pointers.length, maxLength: pointers.length }), (lines) => {
        const sent = edited(valid, {
          set: Object.fromEntries(pointers.map((pointer, i) => [pointer, lines[i]])),
        });

        const parsed = parse(sent);

        expect(parsed).toEqual(sent);
        expect(parse(parsed)).toEqual(parsed);
        expect(JSON.parse(JSON.stringify(parsed))).toEqual(parsed);
      }),
    );
  });
});

describe.each(requestNames)('%s', (request) => {
  const valid = validRequests[request];

  it('is read the same whatever white space surrounds its strings', () => {
    const pointers = pointersIn(valid, isText);
    fc.assert(
      fc.property(
        fc.array(padding, { minLength: pointers.length, maxLength: pointers.length }),
        (paddings) => {
          const padded = pointers.map((pointer, i): [string, unknown] => [
            pointer,
            `${paddings.at(i) ?? ''}${String(valueAt(valid, pointer))}${paddings.at(-i) ?? ''}`,
          ]);
          expect(parsers[request](edited(valid, { set: Object.fromEntries(padded) }))).toEqual(
            parsers[request](valid),
          );
        },
      ),
    );
  });

  it('is read or refused in stable words, whatever stands anywhere in it', () => {
    const places = ['', ...pointersIn(valid, () => true)];
    fc.assert(
      fc.property(fc.constantFrom(...places), junk, (place, value) => {
        expectStableWords(refusalOf(request, edited(valid, { set: { [place]: value } })));
      }),
      { numRuns: 500 },
    );
  });

  it('is read or refused in stable words when it is no JSON value at all', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
        (body) => {
          expectStableWords(refusalOf(request, body));
        },
      ),
    );
  });

  it('leaves the text of the summary behind and keeps its digest', () => {
    fc.assert(
      fc.property(fc.uuid(), (secret) => {
        const parsed = parsers[request](edited(valid, { set: { '/summary': ` ${secret}\n` } }));

        expect(inspect(parsed, { depth: null, showHidden: true })).not.toContain(secret);
        expect(parsed.summary_sha256).toBe(summaryDigest(secret));
      }),
    );
  });
});

describe('what the parsers hand on', () => {
  it('holds everything of a sealing but the summary', () => {
    expect(parsers.seal(validRequests.seal)).toEqual(
      edited(validRequests.seal, {
        set: { '/summary_sha256': summaryDigest(String(valueAt(validRequests.seal, '/summary'))) },
        remove: ['/summary'],
      }),
    );
  });

  it('holds everything of a rehydration but the summary', () => {
    expect(parsers.rehydrate(validRequests.rehydrate)).toEqual(
      edited(validRequests.rehydrate, {
        set: { '/summary_sha256': summaryDigest(String(valueAt(validRequests.rehydrate, '/summary'))) },
        remove: ['/summary'],
      }),
    );
  });

  it('holds the moment of an inspection as an instant', () => {
    expect(parsers.inspect(validRequests.inspect).now).toBe(parseTimestamp('2026-07-21T17:00:00Z'));
  });

  it('holds a presented event range that comes without state', () => {
    const stateless = edited(validRequests.rehydrate, { remove: ['/current_state'] });

    expect(parsers.rehydrate(stateless).source_event_range).toEqual({
      first: 'event-0001',
      last: 'event-0142',
    });
  });

  it('holds minus zero as zero, as JSON text and the store do', () => {
    const request = edited(validRequests.seal, {
      set: { '/session_epoch': -0, '/continuity_envelope/budget_remaining': -0 },
    });

    const { session_epoch, continuity_envelope } = parsers.seal(request);

    expect([session_epoch, continuity_envelope.budget_remaining]).toEqual([0, 0]);
  });

  it('holds nothing for an optional field that was absent', () => {
    const least = edited(validRequests.rehydrate, {
      remove: ['/source_event_range', '/session_epoch', '/runtime_id', '/current_state'],
    });

    expect(Object.keys(parsers.rehydrate(least))).toEqual([
      'envelope_id',
      'tenant_id',
      'principal_id',
      'session_id',
      'trace_id',
      'summary_sha256',
    ]);
  });
});

function expectStableWords(refusal: ReturnType<typeof refusalOf>): void {
  if (refusal === undefined) return;
  expect(refusal.error).toMatch(/^Continuity /);
  for (const text of [refusal.error, refusal.pointer]) {
    expect(text.isWellFormed()).toBe(true);
    expect(text.length).toBeLessThan(1_300);
  }
  expect(refusal.pointer).toMatch(/^(\/|$)/);
}

function withReversedKeys(value: unknown): unknown {
  return Object.fromEntries(Object.entries(objectOf(value)).reverse());
}

/** An object without members of its own that seems to have all of the value's. */
function inheritorOf(value: unknown): unknown {
  return Object.setPrototypeOf({}, objectOf(value));
}

function objectOf(value: unknown): object {
  if (typeof value === 'object' && value !== null) return value;
  throw new Error('This artifact is no object');
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function nested(depth: number): unknown {
  let value: unknown = 0;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { nested: value };
  return value;
}
