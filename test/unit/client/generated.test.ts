import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

it("the client's types and schemas are those of the API document", { timeout: 60_000 }, async () => {
  const check = promisify(execFile)('node', ['src/client/scripts/generate.js', '--check']);

  await expect(check).resolves.toMatchObject({ stderr: '' });
});
