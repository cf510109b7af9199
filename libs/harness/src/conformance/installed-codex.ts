import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installableRuntime } from '../executables/catalog.ts';
import { installRuntime } from '../executables/install.ts';

/** The state folder of this repository. */
const STATE = fileURLToPath(new URL('../../../../.reins', import.meta.url));

let installing: Promise<string> | undefined;

/**
 * Returns the folder with the tested Codex. Installs it as `reins harness install` does, once for all tests of this
 * repository: `REINS_TEST_HARNESSES`, or `.reins/harnesses`.
 */
export function installedCodex(): Promise<string> {
  installing ??= install(process.env.REINS_TEST_HARNESSES ?? join(STATE, 'harnesses'));
  return installing;
}

async function install(dir: string): Promise<string> {
  const runtime = installableRuntime('codex');
  if (runtime === undefined) throw new Error('codex cannot be installed');
  await installRuntime({ dir, runtime, environment: process.env });
  return dir;
}
