import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The tests that mutants of the decision core have to pass. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/unit/domain/**/*.test.ts'],
    setupFiles: ['test/support/fewer-runs.ts'],
    testTimeout: 60_000,
  },
});
