import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { OverloadedError } from '../../../src/app/store-errors.js';
import { Turns } from '../../../src/store/turns.js';

describe('turns', () => {
  it('come one after the other for the same key, in the order of arrival', async () => {
    const turns = new Turns({ maxWaiting: 10, patienceMs: 5_000 });
    const log: string[] = [];
    const work = (name: string) =>
      turns.take('key', async () => {
        log.push(`${name} begins`);
        await sleep(1);
        log.push(`${name} ends`);
      });

    await Promise.all([work('a'), work('b'), work('c')]);

    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('of different keys do not wait for each other', async () => {
    const turns = new Turns({ maxWaiting: 10, patienceMs: 5_000 });
    const busy = blocker();
    const first = turns.take('one', () => busy.untilReleased);

    expect(await turns.take('other', () => Promise.resolve('done'))).toBe('done');

    busy.release();
    await first;
  });

  it('pass on when the work fails, and its error is the one that is told', async () => {
    const turns = new Turns({ maxWaiting: 10, patienceMs: 5_000 });
    const failing = turns.take('key', () => Promise.reject(new Error('a bug')));
    const next = turns.take('key', () => Promise.resolve('done'));

    await expect(failing).rejects.toThrow('a bug');
    expect(await next).toBe('done');
  });

  it('are refused at once to one more than may wait, and only for that key', async () => {
    const turns = new Turns({ maxWaiting: 1, patienceMs: 5_000 });
    const busy = blocker();
    const first = turns.take('key', () => busy.untilReleased);
    const second = turns.take('key', () => Promise.resolve('done'));

    await expect(turns.take('key', () => Promise.resolve())).rejects.toBeInstanceOf(OverloadedError);
    expect(await turns.take('other', () => Promise.resolve('done'))).toBe('done');

    busy.release();
    await first;
    expect(await second).toBe('done');
  });

  it('are given up when they do not come in time, and those behind still have theirs', async () => {
    const turns = new Turns({ maxWaiting: 10, patienceMs: 50 });
    const busy = blocker();
    const first = turns.take('key', () => busy.untilReleased);
    let begun = false;
    const late = turns.take('key', () => {
      begun = true;
      return Promise.resolve();
    });

    await expect(late).rejects.toBeInstanceOf(OverloadedError);
    const behind = turns.take('key', () => Promise.resolve('done'));
    busy.release();

    expect(await behind).toBe('done');
    expect(begun).toBe(false);
    await first;
  });
});

function blocker(): { readonly untilReleased: Promise<void>; release(): void } {
  let release: () => void = () => {
    throw new Error('The promise has not begun');
  };
  const untilReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    untilReleased,
    release: () => {
      release();
    },
  };
}
