import { Type } from '@sinclair/typebox';
import { expect, it } from 'vitest';

import { canonicalDigest } from '../../../src/domain/digest.js';
import { stopStatusOf } from '../../../src/domain/decide.js';
import { isAskedAt, rules, rulesVersion } from '../../../src/domain/rules.js';
import { readFixture } from '../../support/read-fixture.js';

/** Digest of each version's reasons in their order, with what they decide and when they are asked. */
const versions = readFixture('rules-versions.json', Type.Record(Type.String(), Type.String()));

it('the rules have another version once their reasons, their order or what they decide are others', () => {
  const digest = canonicalDigest(
    rules.map((rule) => [
      rule.reason,
      stopStatusOf(rule),
      isAskedAt('sealing', rule),
      isAskedAt('rehydration', rule),
    ]),
  );

  expect(versions[rulesVersion]).toBe(digest);
});
