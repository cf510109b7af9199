import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { tempDir, until } from '@reins/testing';
import { childEnvironment } from './environment.ts';
import { HarnessProcess, type ShutdownTimeouts } from './harness-process.ts';
import { listRunProcesses } from './process-table.ts';

/** Long timeouts: a step is skipped only when a test sets a short one. */
const LONG_TIMEOUTS = { protocolMs: 60_000, sigtermMs: 60_000, sigkillMs: 60_000 };

async function start(script: string, shutdownTimeouts: Partial<ShutdownTimeouts> = {}) {
  const runToken = randomUUID();
  const homeDir = await tempDir('process');
  const lines: string[] = [];
  const waiting: (() => void)[] = [];
  const child = new HarnessProcess(
    {
      command: process.execPath,
      args: ['-e', script],
      cwd: homeDir,
      environment: childEnvironment({ homeDir, runToken, path: process.env.PATH ?? '' }),
      runToken,
      takesInput: true,
      shutdownTimeouts: { ...LONG_TIMEOUTS, ...shutdownTimeouts },
    },
    {
      line: (text) => {
        lines.push(text);
        for (const resolve of waiting.splice(0)) resolve();
      },
      lineTooLong: () => undefined,
    },
  );
  const firstLine = () => new Promise<void>((resolve) => (lines.length > 0 ? resolve() : waiting.push(resolve)));
  const leftover = async () => (await listRunProcesses()).filter(({ token }) => token === runToken).length;
  return { child, lines, firstLine, leftover, homeDir, runToken };
}

const ORPHAN = `require('node:child_process').spawn('sleep', ['300'], { detached: true, stdio: 'inherit' }).unref();`;

describe('HarnessProcess', () => {
  test('has only the variables of the given environment', async () => {
    process.env.REINS_TEST_SECRET = 'leaked';
    const { child, lines, homeDir, runToken } = await start('console.log(JSON.stringify(process.env))');
    delete process.env.REINS_TEST_SECRET;
    await child.exited;
    const environment = JSON.parse(lines[0] ?? '{}') as Record<string, string>;
    expect(Object.keys(environment).sort()).toEqual([
      ...['HOME', 'LANG', 'PATH', 'REINS_RUN_TOKEN', 'TERM', 'TMPDIR', 'TZ'],
      ...['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'],
    ]);
    expect(environment).toMatchObject({ HOME: homeDir, REINS_RUN_TOKEN: runToken });
  });

  test('exits by itself when its input closes', async () => {
    const { child, lines } = await start(
      `process.stdin.on('data', (data) => console.log('got ' + data)).on('end', () => process.exit(3))`,
    );
    child.send({ hello: 'world' });
    await until(() => lines.length > 0);
    expect(await child.finish()).toEqual({ code: 3, signal: null });
    expect(lines).toEqual(['got {"hello":"world"}', '']);
  });

  test('is stopped by SIGTERM, or by SIGKILL when it ignores SIGTERM', async () => {
    const stubborn = await start(`process.stdin.resume(); setInterval(() => {}, 1000); console.log('up')`, {
      protocolMs: 200,
    });
    await stubborn.firstLine();
    expect(await stubborn.child.stop(() => stubborn.child.closeInput())).toEqual({ code: null, signal: 'SIGTERM' });
    const unresponsive = await start(
      `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')`,
      {
        sigtermMs: 300,
      },
    );
    await unresponsive.firstLine();
    expect(await unresponsive.child.stop()).toEqual({ code: null, signal: 'SIGKILL' });
  });

  test('gives the descendants of a shell their time to end, although the shell ends at once', async () => {
    const slow = `process.on('SIGTERM', () => setTimeout(() => { console.log('saved'); process.exit(); }, 300)); console.log('up'); setInterval(() => {}, 1000);`;
    const { child, lines, firstLine } = await start(
      `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(slow)}], { stdio: 'inherit' });`,
    );
    await firstLine();
    expect(await child.stop()).toEqual({ code: null, signal: 'SIGTERM' });
    expect(lines).toEqual(['up', 'saved']);
  });

  test('reports its exit after its descendants in all sessions are gone', async () => {
    const { child, leftover, lines } = await start(`${ORPHAN} console.log('out')`);
    expect((await child.exited).code).toBe(0);
    expect(await leftover()).toBe(0);
    expect(lines).toEqual(['out']);
  });

  test('leaves no descendants when it is killed', async () => {
    const { child, leftover, firstLine } = await start(
      `${ORPHAN} process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')`,
      { sigtermMs: 300 },
    );
    await firstLine();
    expect(await leftover()).toBe(2);
    await child.stop();
    expect(await leftover()).toBe(0);
  });

  test('keeps the tail of stderr', async () => {
    const { child } = await start(`console.error('why it failed'); process.exitCode = 1`);
    await child.exited;
    expect(child.stderr).toBe('why it failed\n');
  });

  test('reports an executable that cannot be started', async () => {
    const homeDir = await tempDir('process');
    const spec = {
      command: `${homeDir}/missing`,
      args: [],
      cwd: homeDir,
      environment: {},
      runToken: 'none',
      takesInput: false,
    };
    const child = new HarnessProcess(spec, { line: () => undefined, lineTooLong: () => undefined });
    expect((await child.stop()).error?.message).toMatch(/ENOENT/);
  });
});
