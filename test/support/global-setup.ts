import type { TestProject } from 'vitest/node';
import { startTestServer, type TestServer } from './test-server.js';

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: { readonly connectionString: string; readonly templateDatabase: string };
  }
}

/** Vitest loads this file once for each project that uses it: the one server of the run is kept where both see it. */
const shared: typeof globalThis & {
  continuityGateTestServer?: { server: Promise<TestServer>; users: number };
} = globalThis;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = (shared.continuityGateTestServer ??= { server: startTestServer(), users: 0 });
  run.users += 1;
  const server = await run.server;
  project.provide('testServer', {
    connectionString: server.connectionString,
    templateDatabase: server.templateDatabase,
  });
  return async () => {
    run.users -= 1;
    if (run.users > 0) return;
    delete shared.continuityGateTestServer;
    await server.stop();
  };
}
