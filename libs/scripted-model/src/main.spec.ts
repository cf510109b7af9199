import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ask } from './testing/clients.ts';

const MAIN = new URL('./main.ts', import.meta.url).pathname;

/** Starts the entry point from its source as a process. */
function start(...options: string[]): ChildProcess {
  return spawn(process.execPath, ['--conditions=reins-source', MAIN, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function firstLine(child: ChildProcess): Promise<{ port: number; url: string }> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  return JSON.parse(text) as { port: number; url: string };
}

describe('the scripted model as a process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('prints its address, responds, and exits on %s', async (signal) => {
    const folder = await mkdtemp(join(tmpdir(), 'reins-model-'));
    const scenarios = join(folder, 'scenarios.json');
    await writeFile(scenarios, JSON.stringify({ mine: [{ text: 'Mine.' }] }));
    const child = start('--scenarios', scenarios, '--chunk-ms', '1');
    const exited = once(child, 'exit');
    try {
      const { port, url } = await firstLine(child);
      expect(url).toBe(`http://127.0.0.1:${port}`);
      expect((await ask(`${url}/s/mine`, 'anthropic', { user: 'Go.' }, true)).text).toBe('Mine.');
      child.kill(signal);
      expect(await exited).toEqual([0, null]);
    } finally {
      child.kill('SIGKILL');
      await rm(folder, { recursive: true });
    }
  });

  it.each([
    [['--port', 'x'], /--port must be a whole number/],
    [['--unknown'], /--unknown/],
    [['--scenarios', '/nowhere.json'], /nowhere\.json/],
    [['--log', '/nowhere/log.jsonl'], /nowhere\/log\.jsonl/],
  ])('rejects %j with exit code 2', async (options, message) => {
    const child = start(...options);
    let stderr = '';
    child.stderr?.on('data', (chunk) => {
      stderr += String(chunk);
    });
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
