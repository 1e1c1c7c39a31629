import { existsSync } from 'node:fs';

import { chromium, type Browser } from 'playwright-core';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** A headless browser of the machine, or of CHROMIUM; undefined if there is none. Nothing is downloaded. */
export async function openBrowser(): Promise<Browser | undefined> {
  const executablePath = process.env['CHROMIUM'] ?? places.find((place) => existsSync(place));
  if (executablePath === undefined) return undefined;
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  });
}
