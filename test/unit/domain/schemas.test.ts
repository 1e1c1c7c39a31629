import { Value } from '@sinclair/typebox/value';
import { beforeAll, describe, expect, it } from 'vitest';

import { AttestedControlState } from '../../../src/domain/control-state.js';
import { ContinuityEnvelope, InspectedEnvelope } from '../../../src/domain/envelope/v1.js';
import { InspectRequestBody, RehydrateRequestBody, SealRequestBody } from '../../../src/domain/requests.js';
import { edited, pointersIn, valueAt } from '../../support/edit-json.js';
import { validRequests } from '../../support/parse-requests.js';
import { registerChecks } from '../../support/read-fixture.js';

const validEnvelope = valueAt(validRequests.seal, '/continuity_envelope');
const validState = valueAt(validRequests.inspect, '/current_state');

beforeAll(registerChecks);

describe.each([
  { name: 'ContinuityEnvelope', schema: ContinuityEnvelope },
  { name: 'InspectedEnvelope', schema: InspectedEnvelope },
  { name: 'AttestedControlState', schema: AttestedControlState },
  { name: 'SealRequestBody', schema: SealRequestBody },
  { name: 'RehydrateRequestBody', schema: RehydrateRequestBody },
  { name: 'InspectRequestBody', schema: InspectRequestBody },
])('the schema $name', ({ name, schema }) => {
  it('is known in the API document by its own name', () => {
    expect([schema.$id, schema.title]).toEqual([name, name]);
  });

  it('describes each of its properties', () => {
    const properties = pointersIn(schema, () => true).filter((pointer) => /\/properties\/\w+$/.test(pointer));
    const silent = properties.filter((pointer) => {
      const property = valueAt(schema, pointer);
      const text = valueAt(property, '/description') ?? valueAt(property, '/$ref');
      return typeof text !== 'string' || text === '';
    });

    expect(properties.length).toBeGreaterThan(3);
    expect(silent).toEqual([]);
  });

  it('documents its literals as text', () => {
    const literals = pointersIn(schema, (member) => Array.isArray(valueAt(member, '/enum')));

    for (const pointer of literals) {
      expect([pointer, valueAt(schema, `${pointer}/type`)]).toEqual([pointer, 'string']);
    }
  });

  it('admits no property that it does not describe', () => {
    const objects = ['', ...pointersIn(schema, () => true)].filter(
      (pointer) => valueAt(schema, `${pointer}/type`) === 'object',
    );

    expect(objects.length).toBeGreaterThan(0);
    for (const pointer of objects) {
      expect([pointer, valueAt(schema, `${pointer}/additionalProperties`)]).toEqual([pointer, false]);
    }
  });
});

describe.each([
  { artifact: 'envelope', schema: ContinuityEnvelope, valid: validEnvelope },
  { artifact: 'inspected envelope', schema: InspectedEnvelope, valid: validEnvelope },
  { artifact: 'state', schema: AttestedControlState, valid: validState },
])('the documented $artifact', ({ schema, valid }) => {
  it('is what the parser reads', () => {
    expect([...Value.Errors(schema, valid)]).toEqual([]);
  });

  it.each(pointersIn(valid, () => true))('has another type than an object with a flag at %s', (pointer) => {
    expect(Value.Check(schema, edited(valid, { set: { [pointer]: { authorized: true } } }))).toBe(false);
  });

  it('has no other field', () => {
    expect(Value.Check(schema, edited(valid, { set: { '/authorized': true } }))).toBe(false);
  });
});

it('an envelope has the 28 fields of the reference', () => {
  expect(Object.keys(ContinuityEnvelope.properties)).toHaveLength(28);
  expect(Object.keys(InspectedEnvelope.properties)).toEqual(Object.keys(ContinuityEnvelope.properties));
});

it('an envelope that is sealed may leave out its snapshot and budget, and nothing else', () => {
  const optional = Object.keys(ContinuityEnvelope.properties).filter((key) =>
    Value.Check(ContinuityEnvelope, edited(validEnvelope, { remove: [`/${key}`] })),
  );

  expect(optional).toEqual(['sandbox_snapshot_ref', 'budget_remaining']);
});
