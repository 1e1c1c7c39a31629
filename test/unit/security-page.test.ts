import { existsSync, readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { anchorsOf, linkTargets, tableRows } from '../support/markdown.js';

const page = readFileSync('SECURITY.md', 'utf8');

it('links to no file, test or heading that is not there', () => {
  const missing = linkTargets(page).filter((target) => {
    const [path = '', anchor] = target.split('#');
    if (!existsSync(path)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(path, 'utf8')).includes(anchor);
  });

  expect(missing).toEqual([]);
});

it('shows for every claim what holds it', () => {
  const rows = tableRows(page, 'Who could do harm', 'What they can do', 'What they cannot do', 'Shown by');

  expect(rows.length).toBeGreaterThan(8);
  expect(rows.filter(([, , , shownBy = '']) => linkTargets(shownBy).length === 0)).toEqual([]);
});
