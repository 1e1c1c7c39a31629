import { expect } from 'vitest';

import { codeBlocks } from './markdown.js';

/**
 * Commands in a page that are to be run, and what the page says they print.
 *
 * A block in the language `bash` is a step; all of them are run from the top, in one shell. The block right behind it is
 * its answer, and its language says how it is compared:
 *
 * - `http`: what `curl -i` prints. The status line is the same; each header that is given is there; the body is compared
 *   like `json`.
 * - `json`: an object may have more members than are given; arrays have as many items.
 * - `text`: line by line, without regard to how wide columns are drawn.
 *
 * In all three, `…` in a string stands for any characters. Commands that are not to be run stand in blocks of the
 * language `sh`.
 */
export interface Step {
  readonly heading: string;
  readonly line: number;
  readonly script: string;
  /** What to compare with what `readAnswer` makes of the output, by `toEqual`. */
  readonly expected: unknown;
  readonly readAnswer: (output: string) => unknown;
}

/** The steps of a page. Throws for a `bash` block without an answer. */
export function stepsOf(markdown: string): Step[] {
  const blocks = codeBlocks(markdown);
  return blocks.flatMap(({ language, text: script, line, heading }, index) => {
    if (language !== 'bash') return [];
    const answer = blocks[index + 1];
    const format = formats.get(answer?.language ?? '');
    if (!answer?.follows || !format) throw new Error(`The commands of line ${line} have no answer`);
    const expected = matching(format(answer.text));
    return [{ heading, line, script, expected, readAnswer: format }];
  });
}

/** How an answer is read, on the page and off it, so that the two can be compared. */
const formats = new Map<string, (text: string) => unknown>([
  ['http', readHttp],
  ['json', (text) => JSON.parse(text) as unknown],
  ['text', readLines],
]);

function readHttp(text: string): Record<string, unknown> {
  const [, head = '', body = ''] = /^([\s\S]*?)\n\n([\s\S]*)$/.exec(text.replaceAll('\r\n', '\n')) ?? [];
  const [status, ...headerLines] = head.split('\n');
  const headers = headerLines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status, headers: Object.fromEntries(headers), body: JSON.parse(body) as unknown };
}

function readLines(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.replaceAll(/ +/g, ' ').replaceAll(/-{2,}/g, '--').trim());
}

/** The value as a pattern: members may be missing from it, and `…` matches anything. */
function matching(value: unknown): unknown {
  if (typeof value === 'string' && value.includes('…')) return expect.stringMatching(wildcard(value));
  if (Array.isArray(value)) return value.map(matching);
  if (typeof value !== 'object' || value === null) return value;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(value).map(([key, member]) => [key, matching(member)])),
  );
}

function wildcard(text: string): RegExp {
  const parts = text.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`);
}
