import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi, type TestContext } from 'vitest';

import { httpGate } from '../../../src/evals/http-gate.js';
import { filterScenarios, loadScenarios } from '../../../src/evals/load-scenarios.js';
import { htmlReport } from '../../../src/evals/report/html-report.js';
import { runEvals, type Result } from '../../../src/evals/run-evals.js';
import { openBrowser } from './chromium.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { whileWeakened } from './rules-in-force.js';
import { weakenedGates } from './weakened-gates.js';

vi.mock(import('../../../src/domain/decide.js'), async (original) => {
  const { deciding } = await import('./rules-in-force.js');
  return deciding(await original());
});

const contrasts = new URL('./contrasts-on-page.js', import.meta.url);

/** The report as a reviewer sees it, of a weakened gate: some passed, some missed, one pending. */

let app: TestApp;
let folder: string;
let browser: Browser | undefined;
let results: Result[];
let page: Page;
const requests: string[] = [];
const complaints: string[] = [];

beforeAll(async () => {
  app = await createTestApp();
  const gate = httpGate(await app.app.listen({ host: '127.0.0.1', port: 0 }));
  const scenarios = filterScenarios(await loadScenarios(), ['markup-and-code', 'timed-out', 'cg-034']);
  const weakened = weakenedGates.find(({ name }) => name === 'does not know unknown_side_effect');
  if (!weakened) throw new Error('There is no such gate');
  results = await whileWeakened(weakened, () => runEvals({ gate, scenarios }));
  folder = await mkdtemp(join(tmpdir(), 'continuity-gate-report-'));
  const file = join(folder, 'report.html');
  await writeFile(file, htmlReport(results, 'a weakened gate'));
  browser = await openBrowser();
  if (!browser) return;
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`A dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(pathToFileURL(file).href);
});

afterAll(async () => {
  await browser?.close();
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

/** Skipped where the machine has no browser: counted, with the reason. */
const inBrowser = (name: string, test: () => Promise<void>) => {
  it(name, async ({ skip }: TestContext) => {
    if (!browser) skip('There is no Chromium on this machine: install one, or name it by CHROMIUM');
    await test();
  });
};

describe('the report in a browser', () => {
  inBrowser('shows every scenario with its result', async () => {
    expect(await page.title()).toBe('Continuity evals of a weakened gate');
    expect(await page.locator('details.scenario').count()).toBe(results.length);
    expect(await page.locator('details.scenario.missed').count()).toBe(2);
    expect(await page.locator('details.scenario.pending').count()).toBe(1);
    expect(await page.locator('header').innerText()).toContain('2 missed');
  });

  inBrowser('opens a scenario by its cell, with both paths side by side', async () => {
    const title = 'The ticket write timed out, then the context was compacted';
    await page.getByRole('link', { name: `missed: ${title}` }).click();

    const scenario = page.locator('details.scenario', { hasText: title });
    const paths = scenario.locator('.path');
    await paths.nth(0).waitFor({ state: 'visible' });
    const [left, right] = [await paths.nth(0).boundingBox(), await paths.nth(1).boundingBox()];
    expect(left?.y).toBe(right?.y);
    expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0) - 1);
    expect(await paths.nth(0).innerText()).toContain('reauthorization_required');
    expect(await paths.nth(1).innerText()).toContain('nobody knows whether ticket-intent-017 has happened');
    expect(await scenario.locator('.checks').innerText()).toContain('As strict as with the full history');
  });

  inBrowser('is reached and opened by the keyboard alone', async () => {
    const summary = page.locator('details.scenario.passed > summary').first();
    await summary.focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('details.scenario.passed').first().getAttribute('open')).not.toBeNull();
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
  });

  inBrowser('shows markup in a summary as text, and what is invisible by its number', async () => {
    const scenario = page.locator('details.scenario', { hasText: 'markup, code and control' });
    await page.evaluate('document.querySelectorAll("details").forEach((each) => { each.open = true; })');
    const text = await scenario.innerText();
    expect(text).toContain("<script>alert('approved')</script>");
    expect(text).toContain('<U+202E>');
    expect(await page.locator('script').count()).toBe(0);
  });

  inBrowser('hides on demand what was not missed', async () => {
    await page.getByLabel('Show only what was missed').check();
    expect(await page.locator('details.scenario:visible').count()).toBe(2);
    await page.getByLabel('Show only what was missed').uncheck();
  });

  inBrowser('stacks the paths on a narrow screen and never scrolls sideways', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    const wide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
    expect(wide).toBe(false);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  inBrowser('can be read in light and in dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const found = await page.evaluate<number[]>(await readFile(contrasts, 'utf8'));
      expect(found.length).toBeGreaterThan(50);
      expect(Math.min(...found)).toBeGreaterThanOrEqual(4.5);
    }
  });

  inBrowser('asks for nothing beside itself, and nothing in it runs', async () => {
    expect(requests.filter((url) => !url.startsWith('file:'))).toEqual([]);
    expect(requests).toHaveLength(1);
    expect(complaints).toEqual([]);
    await Promise.resolve();
  });
});
