import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A module that is replaced would stay so for the next file of the worker. */
const replacingModules = ['test/integration/evals/*.test.ts'];

/**
 * The unit project starts nothing; the others share one Postgres server a run. Test files share their worker, so that
 * each worker loads the service once; those that replace a module of it have workers of their own.
 */
export default defineConfig({
  root,
  test: {
    // Much of a test is waiting for Postgres or another process; by default one processor is left idle.
    maxWorkers: '100%',
    projects: [
      project('unit', { isolate: false }),
      project('integration', {
        exclude: replacingModules,
        isolate: false,
        globalSetup: 'test/support/global-setup.ts',
        testTimeout: 30_000,
        hookTimeout: 60_000,
      }),
      project('evals', {
        include: replacingModules,
        globalSetup: 'test/support/global-setup.ts',
        testTimeout: 30_000,
        hookTimeout: 60_000,
      }),
      project('e2e', {
        isolate: false,
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
