import { expect, vi } from 'vitest';

import { valueAt } from './edit-json.js';
import type { TestApp } from './test-app.js';

type Parameters = Readonly<Record<string, string>>;

/** The events of one page. */
export function eventsOf(body: unknown): unknown[] {
  const events = valueAt(body, '/events');
  return Array.isArray(events) ? (events as unknown[]) : [];
}

/** Follows the cursor from page to page to the end, and returns every page. */
export async function readPages(gate: TestApp, parameters: Parameters): Promise<unknown[][]> {
  const pages: unknown[][] = [];
  let cursor: unknown;
  do {
    const page = await gate.get('/trace-events', {
      ...parameters,
      ...(typeof cursor === 'string' && { cursor }),
    });
    expect(page.status).toBe(200);
    pages.push(eventsOf(page.body));
    cursor = valueAt(page.body, '/next_cursor');
  } while (cursor !== null);
  return pages;
}

/**
 * All events that match, once there are as many as expected: a transaction of anyone on the server, another test's too,
 * holds up what began after it.
 */
export async function readTrace(gate: TestApp, parameters: Parameters, count: number): Promise<unknown[]> {
  return vi.waitFor(
    async () => {
      const events = (await readPages(gate, { limit: '1000', ...parameters })).flat();
      expect(events).toHaveLength(count);
      return events;
    },
    { timeout: 15_000, interval: 50 },
  );
}
