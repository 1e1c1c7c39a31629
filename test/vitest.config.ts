import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The unit project starts nothing; the others share one Postgres server a run. */
export default defineConfig({
  root,
  test: {
    projects: [
      project('unit', {}),
      project('integration', {
        globalSetup: 'test/support/global-setup.ts',
        testTimeout: 30_000,
        hookTimeout: 60_000,
      }),
      project('e2e', {
        globalSetup: 'test/support/global-setup.ts',
        testTimeout: 60_000,
        hookTimeout: 60_000,
      }),
      // What takes minutes; `npm test` leaves it to `npm run test:races`.
      project('races', {
        globalSetup: 'test/support/global-setup.ts',
        testTimeout: 300_000,
        hookTimeout: 60_000,
        // Each file keeps every processor busy by itself.
        fileParallelism: false,
      }),
    ],
  },
});

function project(
  name: string,
  options: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration {
  return { root, test: { name, include: [`test/${name}/**/*.test.ts`], ...options } };
}
