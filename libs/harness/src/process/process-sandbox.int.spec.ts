import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { isReinsError } from '@reins/contracts';
import { tempDir } from '@reins/testing';
import { sandboxes } from '../testing/sandboxes.ts';
import { childEnvironment } from './environment.ts';
import { HarnessProcess, type ShutdownTimeouts } from './harness-process.ts';
import type { ProcessSandbox } from './process-sandbox.ts';
import { listRunProcesses } from './process-table.ts';
import { sweepRun } from './sweep.ts';

/** Long timeouts: a step is skipped only when a test sets a short one. */
const LONG_TIMEOUTS = { protocolMs: 60_000, sigtermMs: 60_000, sigkillMs: 60_000 };

interface StartOptions {
  readonly sandbox: ProcessSandbox;
  readonly command?: string;
  readonly shutdownTimeouts?: Partial<ShutdownTimeouts>;
}

async function start(script: string, { sandbox, command = process.execPath, shutdownTimeouts }: StartOptions) {
  const runToken = randomUUID();
  const homeDir = await tempDir('process');
  const lines: string[] = [];
  const first = Promise.withResolvers<void>();
  const child = new HarnessProcess(
    {
      command,
      args: ['-e', script],
      cwd: homeDir,
      environment: childEnvironment({ homeDir, runToken, path: process.env.PATH ?? '' }),
      runToken,
      sandbox,
      writable: [homeDir],
      takesInput: true,
      shutdownTimeouts: { ...LONG_TIMEOUTS, ...shutdownTimeouts },
    },
    {
      line: (text) => {
        lines.push(text);
        first.resolve();
      },
      lineTooLong: () => undefined,
    },
  );
  const leftover = async () => (await listRunProcesses()).filter(({ token }) => token === runToken).length;
  return { child, lines, firstLine: first.promise, leftover, homeDir, runToken };
}

/** Whether a process of this machine has the argument. */
async function runs(argument: string): Promise<boolean> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return lines.some((line) => line.split('\0').includes(argument));
}

/** A child in another session, with or without the run's token. */
const orphan = (seconds: string, env = 'process.env') =>
  `require('node:child_process').spawn('sleep', ['${seconds}'], { detached: true, stdio: 'ignore', env: ${env} }).unref();`;
const STUBBORN = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')`;

describe.each(await sandboxes())('HarnessProcess in the sandbox $isolation.backend', (sandbox) => {
  test('talks over its pipes, exits when its input closes, and reports its exit code', async () => {
    const { child, lines, firstLine } = await start(
      `process.stdin.on('data', (data) => console.log('got ' + data)).on('end', () => process.exit(3))`,
      { sandbox },
    );
    child.send({ hello: 'world' });
    await firstLine;
    expect(await child.finish()).toEqual({ code: 3, signal: null });
    expect(lines).toEqual(['got {"hello":"world"}', '']);
  });

  test('is stopped by signals with everything that it started', async () => {
    const seconds = `300.${randomUUID().replaceAll(/\D/g, '')}`;
    const { child, firstLine, leftover } = await start(`${orphan(seconds)} ${STUBBORN}`, {
      sandbox,
      shutdownTimeouts: { sigtermMs: 300 },
    });
    await firstLine;
    expect(await runs(seconds)).toBe(true);
    expect((await child.stop()).signal).toMatch(/^SIG(TERM|KILL)$/);
    expect(await leftover()).toBe(0);
    expect(await runs(seconds)).toBe(false);
  });

  test('gets the time to end after SIGTERM, and so do the processes that a shell started', async () => {
    const command = `process.on('SIGTERM', () => setTimeout(() => { require('node:fs').writeFileSync('ended', ''); process.exit(0) }, 300)); setInterval(() => {}, 1000); console.log('up')`;
    const script = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(command)}], { stdio: 'inherit' }); process.on('SIGTERM', () => process.exit(5))`;
    const { child, firstLine, homeDir } = await start(script, { sandbox });
    await firstLine;
    await child.stop();
    expect(await readdir(homeDir)).toContain('ended');
  });

  test('is found and ended by a sweep', async () => {
    const seconds = `300.${randomUUID().replaceAll(/\D/g, '')}`;
    const { child, firstLine, runToken } = await start(`${orphan(seconds)} ${STUBBORN}`, { sandbox });
    await firstLine;
    expect((await sweepRun(runToken)).length).toBeGreaterThan(0);
    await child.exited;
    expect(await runs(seconds)).toBe(false);
  });

  test('reports its exit after its descendants in all sessions are gone', async () => {
    const seconds = `300.${randomUUID().replaceAll(/\D/g, '')}`;
    const { child, leftover } = await start(orphan(seconds), { sandbox });
    expect((await child.exited).code).toBe(0);
    expect(await leftover()).toBe(0);
    expect(await runs(seconds)).toBe(false);
  });

  test('has no descriptors but its own, and sees no process of the host', async () => {
    const script = `const fs = require('node:fs');
      let host; try { host = fs.readFileSync('/proc/${process.pid}/cmdline', 'utf8') } catch {}
      const open = []; for (let fd = 3; fd < 200; fd += 1) try { if (fs.fstatSync(fd).isFile()) open.push(fd) } catch {}
      console.log(JSON.stringify({ host, open }))`;
    const { child, lines } = await start(script, { sandbox });
    await child.exited;
    expect(JSON.parse(lines[0] ?? '{}')).toEqual({ open: [] });
  });

  test('is not started when its executable does not exist', async () => {
    await expect(start('', { sandbox, command: '/nowhere/pi' })).rejects.toMatchObject({
      problems: [{ code: 'harness_start_failed', message: expect.stringContaining('ENOENT') }],
    });
  });
});

test('a process in bubblewrap dies with its sandbox even if it has no run token', async () => {
  const [sandbox] = (await sandboxes()).filter(({ isolation }) => isolation.backend === 'bubblewrap');
  if (!sandbox) return;
  const seconds = `300.${randomUUID().replaceAll(/\D/g, '')}`;
  const { child, firstLine } = await start(`${orphan(seconds, '{ PATH: process.env.PATH }')} ${STUBBORN}`, {
    sandbox,
    shutdownTimeouts: { sigtermMs: 300 },
  });
  await firstLine;
  expect(await runs(seconds)).toBe(true);
  await child.stop();
  expect(await runs(seconds)).toBe(false);
});

test('nothing starts without a sandbox when the host requires one', async () => {
  const isolation = { backend: 'none', program: '', lacks: [] } as const;
  const failure = await start('', { sandbox: { rule: 'required', isolation, hidden: [] } }).catch(
    (error: unknown) => error,
  );
  expect(isReinsError(failure) && failure.problems).toMatchObject([
    { code: 'sandbox_unavailable', hint: expect.stringContaining('host.sandbox') },
  ]);
});
