import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { tempDir } from '@reins/testing';
import { type ConformanceSubject, drive, installedCodex } from '../../conformance/index.ts';
import { installedRuntime } from '../../executables/installed.ts';
import { codexAdapter } from './adapter.ts';

const harnessesDir = await installedCodex();
const real = installedRuntime(harnessesDir, 'codex')?.executable as string;

/** A stand-in for Codex. `$codex` is the real one. */
async function executable(script: string): Promise<string> {
  const path = join(await tempDir('codex'), 'codex');
  await writeFile(path, `#!/bin/bash\ncodex=${real}\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

const environmentOf = (command: string) => ({ settings: { command }, path: process.env.PATH ?? '', providers: {} });

const subject = (command: string): ConformanceSubject => ({
  adapter: codexAdapter,
  settings: { command },
  endpoint: () => ({ api: 'openai-responses', baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'sk-canary-99' }),
  instruction: (_scenario, text) => text,
  folder: () => tempDir('codex-run'),
});

const resultOf = async (command: string) => (await drive(subject(command), 'text', 'Hello.')).result();

/** Passes the messages of the real Codex on, changed by sed. */
const REWRITTEN = (input: string, output: string) =>
  `[ "$1" = --version ] && exec "$codex" "$@"; sed -u '${input}' | "$codex" "$@" | sed -u '${output}'`;

describe('the probe', () => {
  test.each([
    ['does not exist', '/nowhere/codex', '/nowhere/codex'],
    ['is another program', 'echo "git version 2.39"', 'git version'],
    [
      'renamed a flag',
      'if [ "$1" = --version ]; then exec "$codex" "$@"; fi; echo "unexpected argument --strict-config" >&2; exit 2',
      'unexpected argument --strict-config',
    ],
    [
      'does not know a setting',
      'if [ "$1" = --version ]; then exec "$codex" "$@"; fi; sed -i "s/^.web_search. /\\"web_lookup\\" /" "$CODEX_HOME/config.toml"; exec "$codex" "$@"',
      'web_lookup',
    ],
    ['renamed a method', REWRITTEN('s|turn/interrupt|turn/cancel|', ''), 'does not have the method turn/interrupt'],
    ['renamed the method that starts a thread', REWRITTEN('s|thread/start|thread/open|', ''), 'unknown variant'],
    ['exits instead of answering', 'if [ "$1" = --version ]; then exec "$codex" "$@"; fi; exit 7', 'code 7'],
  ])('says that an executable that %s cannot be used', async (_, script, reason) => {
    const command = script.startsWith('/') ? script : await executable(script);
    const health = await codexAdapter.probe(environmentOf(command), 20_000);
    expect(health).toMatchObject({ healthy: false, hint: expect.stringContaining('harness.codex.command') });
    expect((health as { reason: string }).reason).toContain(reason);
  });

  test('names the command that installs a missing Codex', async () => {
    const environment = { ...environmentOf(''), settings: {}, harnessesDir: await tempDir('none') };
    expect(await codexAdapter.probe(environment, 20_000)).toMatchObject({
      healthy: false,
      reason: expect.stringContaining('Codex is not installed'),
      hint: expect.stringContaining('reins harness install codex'),
    });
  });
});

describe('an executable that is not Codex', () => {
  test('is stopped when it writes another protocol', async () => {
    const { result, leftover } = await resultOf(await executable('echo "Welcome!"; exec sleep 300'));
    expect(result).toMatchObject({ status: 'failed', error: { code: 'harness_protocol_invalid' } });
    expect(JSON.stringify(result)).toContain('Welcome!');
    expect(leftover).toBe(0);
  });

  test('has an unknown outcome when it exits without a result, and gets no key as an argument', async () => {
    const { result } = await resultOf(await executable('echo "no such flag: $@" >&2; exit 0'));
    expect(result).toMatchObject({ status: 'unknown', error: { code: 'harness_exited' } });
    expect(JSON.stringify(result)).toContain('no such flag: app-server');
    expect(JSON.stringify(result)).not.toContain('sk-canary-99');
  });

  test('fails when it writes an endless line', async () => {
    const { result } = await resultOf(await executable('yes | tr -d "\\n" | head -c 20000000; exec sleep 300'));
    expect(result).toMatchObject({ status: 'failed', error: { code: 'harness_protocol_invalid' } });
  });
});

test('an endpoint with another protocol is refused with the setting to change', async () => {
  const endpoint = { api: 'openai-completions', baseUrl: 'http://127.0.0.1:9/v1', apiKey: '' } as const;
  const driven = await drive(subject(real), 'text', 'Hello.', { endpoint });
  expect((await driven.result()).result).toMatchObject({
    status: 'failed',
    error: { code: 'harness_unsupported', hint: expect.stringContaining('providers.scripted.api') },
  });
});
