// Runs the suites that its arguments name in one process, the tests of each below its name.

import { basename } from 'node:path';
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';

for (const file of process.argv.slice(2)) {
  describe(basename(file), async () => {
    await import(pathToFileURL(file));
  });
}
