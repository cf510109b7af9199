import { access } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AdapterEvent } from '@reins/contracts';
import { createRegistry, echoAdapter, type HarnessRun, listRunProcesses } from '@reins/harness';
import { identityOf } from '@reins/service-kit/folders';
import { ExecutorPool } from './executor-pool.ts';
import { MemoryGuard } from './memory-guard.ts';
import type { StageExecutor } from './stage-executor.ts';

let pool: ExecutorPool;
beforeEach(async () => {
  pool = new ExecutorPool({ warm: 1, owner: await identityOf(process.pid), path: process.env.PATH ?? '', heapMb: 256 });
});
afterEach(() => pool.close());

function runOf({ runToken, folder }: StageExecutor, instruction: string): HarnessRun {
  const { workDir, homeDir, sessionDir } = folder;
  const deadlines = { totalMs: 60_000, startupMs: 60_000, idleMs: 60_000, noProgressMs: 60_000 };
  const endpoint = { api: 'openai-completions', baseUrl: '', apiKey: '' } as const;
  return {
    ...{
      effectId: 'e',
      attempt: 1,
      stage: 'execute',
      runToken,
      workDir,
      homeDir,
      sessionDir,
      instruction,
      prompt: instruction,
    },
    ...{
      systemPrompt: '',
      contextMessages: [],
      providerId: '',
      modelId: '',
      endpoint,
      thinkingValue: null,
      mcpServers: [],
    },
    ...{ attachments: [], deadlines, environment: { settings: {}, path: '', providers: {} } },
  };
}

const leftover = async (token: string): Promise<number> =>
  (await listRunProcesses()).filter((item) => item.token === token).length;

describe('executor processes', () => {
  test('are used once and leave nothing behind', async () => {
    const first = await pool.take();
    const second = await pool.take();
    expect(first.runToken).not.toBe(second.runToken);
    const signals: AdapterEvent[] = [];
    const result = await first.run('echo', runOf(first, '@echo stream\n@echo answer hi'), (signal) =>
      signals.push(signal),
    );
    expect(result).toMatchObject({ status: 'ok', output: 'hi' });
    expect(signals.map(({ phase }) => phase)).toEqual(['agent.handoff', 'agent.output.delta']);
    await pool.dispose(first);
    expect(await leftover(first.runToken)).toBe(0);
    await expect(access(first.folder.root)).rejects.toThrow('ENOENT');
  });

  test('are killed with an unknown outcome when they use too much memory', async () => {
    const executor = await pool.take();
    const guard = new MemoryGuard(() => pool.used, { maxBytes: 1, intervalMs: 20 });
    const result = await executor.run('echo', runOf(executor, '@echo hang'), () => undefined);
    guard.stop();
    expect(result).toMatchObject({ status: 'unknown', error: { code: 'stage_executor_lost' } });
  });

  test('are not taken when they died while waiting', async () => {
    const first = await pool.take();
    const owner = await identityOf(process.pid);
    const others = (await listRunProcesses()).filter(
      ({ token }) => token.startsWith(owner) && token !== first.runToken,
    );
    for (const { pid } of others) {
      process.kill(pid, 'SIGKILL');
      while (exists(pid)) await setImmediate();
    }
    const next = await pool.take();
    expect(await next.run('echo', runOf(next, 'alive'), () => undefined)).toMatchObject({ output: 'alive' });
  });
});

describe('in-process execution', () => {
  const registry = createRegistry([echoAdapter]);

  test('emits signals, then the result, and leaves nothing behind', async () => {
    const executor = await pool.takeInProcess(registry, { files: true });
    const phases: (string | undefined)[] = [];
    const result = await executor.run('echo', runOf(executor, '@echo stream\n@echo answer hi'), ({ phase }) =>
      phases.push(phase),
    );
    expect(result).toMatchObject({ status: 'ok', output: 'hi' });
    expect(phases).toEqual(['agent.handoff', 'agent.output.delta']);
    await pool.dispose(executor);
    await expect(access(executor.folder.root)).rejects.toThrow('ENOENT');
  });

  test('can be cancelled, and has an unknown outcome when it is killed', async () => {
    const [cancelled, killed] = [
      await pool.takeInProcess(registry, { files: true }),
      await pool.takeInProcess(registry, { files: true }),
    ];
    const results = [cancelled, killed].map((executor) =>
      executor.run('echo', runOf(executor, '@echo hang'), () => undefined),
    );
    cancelled.cancel('cancelled by the user');
    killed.kill();
    expect(await Promise.all(results)).toMatchObject([
      { status: 'cancelled' },
      { status: 'unknown', error: { code: 'stage_executor_lost' } },
    ]);
    await Promise.all([cancelled, killed].map((executor) => pool.dispose(executor)));
  });

  test('is not available to work that kills its process', () => {
    const stage = 'execute';
    expect(echoAdapter.inProcessWork?.({ instruction: 'hello', stage })).toEqual({ files: false });
    expect(echoAdapter.inProcessWork?.({ instruction: '@echo write a b', stage })).toEqual({ files: true });
    expect(echoAdapter.inProcessWork?.({ instruction: '@echo crash', stage })).toBeUndefined();
  });
});

/** Whether a process exists. A child counts until this process has reaped it. */
function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
