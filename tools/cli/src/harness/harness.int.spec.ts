import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { BUILT_IN_ADAPTERS, createRegistry } from '@reins/harness';
import { installedCodex } from '@reins/harness/conformance';
import { tempDir } from '@reins/testing';
import { runProgram } from '../program.ts';

const harnesses = await installedCodex();

async function reins(args: readonly string[], env: Record<string, string>) {
  const output = { out: '', err: '' };
  const exit = await runProgram(args, {
    env: { PATH: process.env.PATH, ...env },
    out: (text) => {
      output.out += text;
    },
    err: (text) => {
      output.err += text;
    },
  });
  return { exit, ...output };
}

describe('reins harness', () => {
  test('lists the runtimes, probes the installed one, and does not download it again', async () => {
    const env = { REINS_HOST_HARNESSES_DIR: harnesses, REINS_STATE_DIR: await tempDir('state') };
    const { out } = await reins(['harness', 'list', '--json'], env);
    const { runtimes } = JSON.parse(out);
    expect(runtimes.map(({ runtimeId }: { runtimeId: string }) => runtimeId)).toEqual(
      createRegistry(BUILT_IN_ADAPTERS).runtimeIds,
    );
    expect(runtimes).toContainEqual(
      expect.objectContaining({ runtimeId: 'codex', tested: '0.169.0', installed: '0.169.0' }),
    );
    const probed = await reins(['harness', 'probe', 'codex', '--json'], env);
    expect(JSON.parse(probed.out)).toMatchObject({
      runtimes: [{ runtimeId: 'codex', version: '0.169.0', healthy: true }],
    });
    expect(probed.exit).toBe(0);
    expect(await reins(['harness', 'install', 'codex'], env)).toMatchObject({
      exit: 0,
      out: 'codex 0.169.0 is already installed\n',
    });
  }, 60_000);

  test('removes what is installed in the state folder', async () => {
    const state = await tempDir('state');
    const dir = join(state, 'harnesses', 'codex');
    mkdirSync(dirname(dir), { recursive: true });
    symlinkSync(join(harnesses, 'codex'), dir);
    const env = { REINS_STATE_DIR: state };
    expect((await reins(['harness', 'list'], env)).out).toMatch(/codex +0\.169\.0 +0\.169\.0 +\d+ MB/);
    expect(await reins(['harness', 'remove', 'codex'], env)).toMatchObject({ exit: 0, out: 'removed codex\n' });
    expect(await reins(['harness', 'remove', 'codex'], env)).toMatchObject({ out: 'codex is not installed\n' });
    expect((await reins(['harness', 'list'], env)).out).toMatch(/codex +0\.169\.0 +no/);
    expect((await reins(['harness', 'probe', 'codex'], env)).exit).toBe(1);
  }, 60_000);

  test.each([
    [['install', 'pi'], 'harness_unknown'],
    [['install', 'codex@latest'], 'harness_install_failed'],
    [['probe', 'cursor'], 'harness_unknown'],
  ])('refuses %j with %s', async (args, code) => {
    const { exit, err } = await reins(['harness', ...args], { REINS_STATE_DIR: await tempDir('state') });
    expect({ exit, err }).toEqual({ exit: 1, err: expect.stringContaining(code) });
  });
});
