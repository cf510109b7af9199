import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { tempDir } from '@reins/testing';
import { type ConformanceSubject, drive, installedOpencode } from '../../conformance/index.ts';
import { installedRuntime } from '../../executables/installed.ts';
import { opencodeAdapter } from './adapter.ts';

const harnessesDir = await installedOpencode();
const real = installedRuntime(harnessesDir, 'opencode')?.executable as string;

/** A stand-in for OpenCode. `$opencode` is the real one. */
async function executable(script: string): Promise<string> {
  const path = join(await tempDir('opencode'), 'opencode');
  await writeFile(path, `#!/bin/bash\nopencode=${real}\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

const PROBE_MS = 180_000;
const environmentOf = (command: string) => ({ settings: { command }, path: process.env.PATH ?? '', providers: {} });

/** Prints the version of the real OpenCode, and does something else when a run starts it. */
const starting = (script: string) => `[ "$1" = --version ] && exec "$opencode" "$@"; ${script}`;
/** Passes the messages of the real OpenCode on, changed by sed. */
const rewritten = (output: string) => starting(`"$opencode" "$@" | sed -u '${output}'`);

describe('the probe', () => {
  test('accepts the tested OpenCode, and names the missing provider alone', async () => {
    const environment = { settings: {}, path: process.env.PATH ?? '', providers: {}, harnessesDir };
    expect(await opencodeAdapter.probe(environment, PROBE_MS)).toEqual({
      healthy: false,
      version: '1.18.33',
      providers: [],
      reason: 'no model provider is configured',
      hint: expect.any(String),
    });
  });

  test.each([
    ['does not exist', '/nowhere/opencode', '/nowhere/opencode'],
    ['is another program', 'echo "git version 2.39"', 'git version'],
    ['renamed the command', starting('echo "Unknown command: debug" >&2; exit 1'), 'Unknown command: debug'],
    ['exits instead of answering', starting('exit 7'), 'code 7'],
    [
      'does not know a setting',
      starting('sed -i "s/.default_agent.:/\\"first_agent\\":/" "$OPENCODE_CONFIG"; exec "$opencode" "$@"'),
      'default_agent',
    ],
    [
      'renamed an endpoint',
      rewritten('s|/session/{sessionID}/abort|/session/{sessionID}/stop|'),
      'POST /session/{sessionID}/abort',
    ],
    ['renamed an event', rewritten('s|"session.idle"|"session.rests"|g'), 'the event session.idle'],
  ])('says that an executable that %s cannot be used', async (_, script, reason) => {
    const command = script.startsWith('/') ? script : await executable(script);
    const health = await opencodeAdapter.probe(environmentOf(command), PROBE_MS);
    expect(health).toMatchObject({ healthy: false, hint: expect.stringContaining('harness.opencode.command') });
    expect((health as { reason: string }).reason).toContain(reason);
  });
});

const subject = (command: string): ConformanceSubject => ({
  adapter: opencodeAdapter,
  settings: { command },
  endpoint: () => ({ api: 'openai-completions', baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'sk-canary-99' }),
  instruction: (_scenario, text) => text,
  folder: () => tempDir('opencode-run'),
});

test('an endpoint with another protocol is refused with the setting to change', async () => {
  const endpoint = { api: 'openai-responses', baseUrl: 'http://127.0.0.1:9/v1', apiKey: '' } as const;
  const driven = await drive(subject(real), 'text', 'Hello.', { endpoint });
  expect((await driven.result()).result).toMatchObject({
    status: 'failed',
    error: { code: 'harness_unsupported', hint: expect.stringContaining('providers.scripted.api') },
  });
});

test('an OpenCode that exits without a result has an unknown outcome, and gets no key as an argument', async () => {
  const command = await executable('echo "no such flag: $@" >&2; exit 0');
  const { result } = await (await drive(subject(command), 'text', 'Hello.')).result();
  expect(result).toMatchObject({ status: 'unknown', error: { code: 'harness_exited' } });
  expect(JSON.stringify(result)).toContain('no such flag: debug wait');
  expect(JSON.stringify(result)).not.toContain('sk-canary-99');
});
