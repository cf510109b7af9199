import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { tempDir } from '@reins/testing';
import { installedHermes } from '../../conformance/index.ts';
import { installedRuntime } from '../../executables/installed.ts';
import { hermesAdapter } from './adapter.ts';

const harnessesDir = await installedHermes();
const real = installedRuntime(harnessesDir, 'hermes')?.executable as string;
const PROBE_MS = 180_000;

/** A stand-in for Hermes. `$hermes` is the real one. */
async function executable(script: string): Promise<string> {
  const path = join(await tempDir('hermes'), 'hermes');
  await writeFile(path, `#!/bin/bash\nhermes=${real}\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

const probeOf = (settings: { command?: string }) =>
  hermesAdapter.probe({ settings, path: process.env.PATH ?? '', providers: {}, harnessesDir }, PROBE_MS);

test('the probe accepts the tested Hermes, and names the missing provider alone', async () => {
  expect(await probeOf({})).toMatchObject({
    healthy: false,
    version: '0.19.0',
    reason: 'no model provider is configured',
  });
});

test.each([
  ['is another program', 'echo "git version 2.39"', 'git version'],
  ['renamed the command', 'echo "invalid choice: acp" >&2; exit 2', 'invalid choice: acp'],
  ['renamed a method', 'sed -u "s|session/new|session/open|" | "$hermes" "$@"', 'Method not found'],
  ['cannot load sessions', '"$hermes" "$@" | sed -u "s|.loadSession.:true|\\"loadSession\\":false|"', 'session/load'],
  [
    'does not load plugins',
    'sed -i "s/.enabled.: *\\[.reins.\\]/\\"enabled\\":[]/" "$HERMES_HOME/config.yaml"; exec "$hermes" "$@"',
    'does not load the plugin',
  ],
])('the probe says that an executable that %s cannot be used', async (_, script, reason) => {
  const health = await probeOf({ command: await executable(script) });
  expect(health).toMatchObject({ healthy: false, hint: expect.stringContaining('harness.hermes.command') });
  expect((health as { reason: string }).reason).toContain(reason);
});
