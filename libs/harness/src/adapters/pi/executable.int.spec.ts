import { randomUUID } from 'node:crypto';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { tempDir, until } from '@reins/testing';
import { type ConformanceSubject, drive } from '../../conformance/index.ts';
import { listRunProcesses } from '../../process/process-table.ts';
import { piAdapter } from './adapter.ts';

/** An executable that an operator may have configured by mistake. */
async function executable(script: string): Promise<string> {
  const path = join(await tempDir('pi'), 'pi');
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

const subject = (command: string): ConformanceSubject => ({
  adapter: piAdapter,
  settings: { command },
  endpoint: () => ({ api: 'openai-completions', baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'sk-canary-99' }),
  instruction: (_scenario, text) => text,
  folder: () => tempDir('pi-run'),
});

const resultOf = async (command: string) => {
  const driven = await drive(subject(command), 'text', 'Hello.');
  return { ...(await driven.result()), run: driven.run };
};

describe('an executable that is not pi', () => {
  test('is stopped when it writes another protocol, and the failure contains the output', async () => {
    const { result, leftover } = await resultOf(await executable('echo "Welcome to pi!"; exec sleep 300'));
    expect(result).toMatchObject({ status: 'failed', error: { code: 'harness_protocol_invalid' } });
    expect(JSON.stringify(result)).toContain('Welcome to pi!');
    expect(leftover).toBe(0);
  });

  test('has an unknown outcome when it exits without a result, whatever its exit code', async () => {
    for (const code of [0, 3]) {
      const { result } = await resultOf(await executable(`echo "no such flag" >&2; exit ${code}`));
      expect(result).toMatchObject({ status: 'unknown', error: { code: 'harness_exited' } });
      expect(JSON.stringify(result)).toContain('no such flag');
    }
  });

  test('fails when it writes an endless line', async () => {
    const { result } = await resultOf(await executable('yes | tr -d "\\n" | head -c 20000000; exec sleep 300'));
    expect(result).toMatchObject({ status: 'failed', error: { code: 'harness_protocol_invalid' } });
  });

  test('fails when it settles without a message', async () => {
    const { result } = await resultOf(await executable(`echo '{"type":"agent_settled"}'; exec sleep 300`));
    expect(result).toMatchObject({ status: 'failed', error: { code: 'harness_protocol_invalid' } });
  });

  test('fails when it does not exist', async () => {
    const { result } = await resultOf('/nowhere/pi');
    expect(result).toMatchObject({ status: 'failed', retryable: true, error: { code: 'harness_start_failed' } });
  });

  test.each([
    ['does not exist', '/nowhere/pi', 'ENOENT'],
    ['is echo', '/bin/echo', 'it prints "'],
    ['fails', 'echo "no such flag" >&2; exit 3', 'it prints "no such flag"'],
    ['prints nothing', 'exit 0', 'it exited with code 0 without output'],
    ['prints a version and is another program', 'echo 1.2.3', 'it does not answer in RPC mode'],
    ['refuses an argument of a run', 'case "$*" in *--no-approve*) echo no >&2; exit 1;; esac; echo 1.2.3', 'RPC mode'],
    ['speaks another protocol', 'echo 1.2.3; [ "$1" = --version ] || exec head -n 1', 'RPC mode'],
  ])('is unhealthy when it %s, with the setting to change', async (_, command, reason) => {
    const settings = { command: command.startsWith('/') ? command : await executable(command) };
    const environment = { settings, path: process.env.PATH ?? '', providers: {} };
    const health = await piAdapter.probe(environment, 20_000);
    expect(health).toMatchObject({
      healthy: false,
      reason: expect.stringContaining(reason),
      hint: expect.stringContaining('harness.pi.command'),
    });
    expect((health as { reason: string }).reason).toContain(settings.command);
  });

  test('is unhealthy when it hangs, and is stopped with what it started', async () => {
    const command = await executable('sleep 300 & exec sleep 300');
    const probeToken = `probe-${randomUUID()}`;
    const environment = { settings: { command }, path: process.env.PATH ?? '', providers: {}, probeToken };
    const probing = piAdapter.probe(environment, 5_000);
    const own = async () => (await listRunProcesses()).filter(({ token }) => token === probeToken);
    await until(async () => (await own()).length === 2, { what: 'the processes of the probe' });
    expect(await probing).toMatchObject({
      healthy: false,
      reason: expect.stringContaining('it printed nothing before the timeout'),
    });
    expect(await own()).toEqual([]);
  });

  test('gets neither API key nor prompt as an argument', async () => {
    const { result } = await resultOf(await executable('echo "$@" >&2; exit 1'));
    const text = JSON.stringify(result);
    expect(text).toContain('--mode rpc');
    expect(text).not.toContain('sk-canary-99');
    expect(text).not.toContain('Hello.');
    expect(text).not.toContain('You are tested.');
  });
});
