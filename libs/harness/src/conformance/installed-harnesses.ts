import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CODEX, HERMES, type InstallableRuntime, LITELLM, OPENCODE } from '../executables/catalog.ts';
import { installRuntime } from '../executables/install.ts';

/** The state folder of this repository. */
const STATE = fileURLToPath(new URL('../../../../.reins', import.meta.url));

const installing = new Map<string, Promise<string>>();

/** Returns the folder with the tested Codex. */
export const installedCodex = (): Promise<string> => installedHarness(CODEX);

/** Returns the folder with the tested Hermes. */
export const installedHermes = (): Promise<string> => installedHarness(HERMES);

/** Returns the folder with the tested LiteLLM. */
export const installedLitellm = (): Promise<string> => installedHarness(LITELLM);

/** Returns the folder with the tested OpenCode. */
export const installedOpencode = (): Promise<string> => installedHarness(OPENCODE);

/**
 * Returns the folder with the tested executable. Installs it as `reins harness install` does, once for all tests of this
 * repository: `REINS_TEST_HARNESSES`, or `.reins/harnesses`.
 */
function installedHarness(runtime: InstallableRuntime): Promise<string> {
  const { runtimeId } = runtime;
  const dir = process.env.REINS_TEST_HARNESSES ?? join(STATE, 'harnesses');
  const installed = installing.get(runtimeId) ?? install(runtime, dir);
  installing.set(runtimeId, installed);
  return installed;
}

async function install(runtime: InstallableRuntime, dir: string): Promise<string> {
  await installRuntime({ dir, runtime, environment: process.env });
  return dir;
}
