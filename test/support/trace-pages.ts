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

/** All events that match, once there are as many as expected. */
export async function readTrace(gate: TestApp, parameters: Parameters, count: number): Promise<unknown[]> {
  return eventually(async () => {
    const events = (await readPages(gate, { limit: '1000', ...parameters })).flat();
    expect(events).toHaveLength(count);
    return events;
  });
}

/**
 * What every check of which events the trace shows goes through: it is made again until it passes. The trace stops
 * before the oldest transaction that it can't rule out to write an event, and that may be one of another test's
 * database on the server, which ends as the trace is read. So an event is shown late, and may even be missing again.
 */
export function eventually<T>(check: () => Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 15_000, interval: 50 });
}
