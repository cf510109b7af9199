import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { tempDir } from '@reins/testing';
import { runProgram } from './program.ts';

const folder = await tempDir('cli');
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a command line with its own environment. */
async function reins(args: readonly string[], env: Record<string, string> = {}) {
  const output = { out: '', err: '' };
  const io = {
    env: { REINS_STATE_DIR: join(folder, 'state'), ...env },
    out: (text: string) => {
      output.out += text;
    },
    err: (text: string) => {
      output.err += text;
    },
  };
  return { exit: await runProgram(args, io), ...output };
}

const workspace = (yaml: string): string => {
  const dir = mkdtempSync(join(folder, 'ws-'));
  writeFileSync(join(dir, 'workspace.yaml'), yaml);
  return dir;
};

test('hints name commands as the user typed them', async () => {
  const { err } = await reins(['requests', 'list'], { npm_command: 'exec' });
  expect(err).toContain('`npx reins up`');
  expect((await reins(['requests', 'list'])).err).toContain('`reins up`');
});

describe('exit codes', () => {
  test('0: help', async () => {
    expect(await reins(['--help'])).toMatchObject({ exit: 0 });
    expect(await reins(['--version'])).toMatchObject({ exit: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  test.each([
    [['dance']],
    [['run']],
    [['run', '.', '--bad']],
    [['run', folder]],
    [['run', folder, '--input', 'x', '--stage', 'dance=pi']],
    [['run', folder, '--input', 'x', '--inputs', '{}']],
    [['run', folder, '--inputs', '{']],
  ])('2: %j is not a valid command line', async (args) => {
    const { exit, err } = await reins(args);
    expect(exit).toBe(2);
    expect(err).not.toBe('');
  });

  test.each([
    [['dead', 'show'], "missing required argument 'seq'", 'reins dead show --help'],
    [['dead', 'sho'], "unknown command 'sho'", 'Did you mean show?'],
    [['dance'], "unknown command 'dance'", 'reins --help'],
    [['help', 'dance'], "unknown command 'dance'", 'reins --help'],
    [['help', 'dead', 'dance'], "unknown command 'dance'", 'reins dead --help'],
    [['complete'], "missing required argument 'shell'", 'reins complete --help'],
    [['dead'], 'reins dead needs a command', 'reins dead --help'],
    [[], 'reins needs a command', 'reins --help'],
  ])('2: %j is reported with code and hint, as text and as JSON', async (args, message, hint) => {
    const { err } = await reins(args);
    expect(err).toContain(`wrong_usage: ${message}\n  `);
    expect(err.includes('Usage:')).toBe(message.includes('needs a command'));
    for (const line of [
      [...args, '--json'],
      ['--json', ...args],
    ]) {
      const result = await reins(line);
      expect(result).toMatchObject({ exit: 2, err: '' });
      const { error, errors } = JSON.parse(result.out);
      expect([error.code, error.message, errors]).toEqual(['wrong_usage', message, [error]]);
      expect(error.hint).toContain(hint);
    }
  });

  test.each([
    [['run:statsu', 'x'], "unknown command 'run:statsu'", 'Did you mean run:status?'],
    [['run:status'], "missing required argument 'run'", undefined],
    [['run:status', 'x', '--nope'], "unknown option '--nope'", undefined],
  ])('2: %j is reported as JSON like every other error', async (args, message, hint) => {
    const { exit, out } = await reins([...args, '--json']);
    expect(exit).toBe(2);
    expect(JSON.parse(out)).toMatchObject({ error: { code: 'wrong_usage', message, ...(hint && { hint }) } });
  });

  test('3: the gateway is unknown or does not respond', async () => {
    expect(await reins(['requests', 'list'])).toMatchObject({ exit: 3 });
    const { exit, err } = await reins(['requests', 'list'], { REINS_URL: 'http://127.0.0.1:1' });
    expect(exit).toBe(3);
    expect(err).toContain('service_unavailable');
  });
});

test.each([[['complete']], [['completion']], [['--json', '--state-dir', 'x', 'complete']]])(
  '%j prints the completion script',
  async (words) => {
    const printed = jest.spyOn(console, 'log').mockImplementation(() => {});
    expect(await reins([...words, 'bash'])).toMatchObject({ exit: 0 });
    expect(printed.mock.calls.join()).toContain('# bash completion for reins');
    printed.mockRestore();
  },
);

test.each([
  [['help'], /^Usage: reins \[/, / complete\|completion \[options\] <shell> /],
  [['help', 'dead'], /^Usage: reins dead \[/, / show \[options\] <seq>/],
  [['help', 'dead', 'list'], /^Usage: reins dead list \[/, /--stream <stream>/],
  [['dead', 'help', 'list'], /^Usage: reins dead list \[/, /--stream <stream>/],
  [['dead', 'list', '--help'], /^Usage: reins dead list \[/, /--stream <stream>/],
])('%j prints the help', async (args, usage, more) => {
  const { exit, out, err } = await reins(args);
  expect([exit, err]).toEqual([0, '']);
  expect(out).toMatch(usage);
  expect(out).toMatch(more);
});

describe('compile', () => {
  test('reports a workspace that compiles', async () => {
    const dir = workspace('agents: {id: a, model: m}\nmcp_registry: {servers: {}}\n');
    expect(await reins(['compile', dir])).toMatchObject({ exit: 0 });
    const { out } = await reins(['compile', dir, '--json']);
    expect(JSON.parse(out)).toMatchObject({ ok: true, plan: { mode: 'single' } });
  });

  test('prints every problem with its position and fails', async () => {
    const dir = workspace('agents: {id: a}\ntool_registry: {}\n');
    const { exit, err } = await reins(['compile', dir]);
    expect(exit).toBe(1);
    expect(err).toMatch(/workspace\.yaml:1:\d+ error workspace_general_missing/);
    expect(err).toContain('workspace_tool_registry_unsupported');
    const { out } = await reins(['compile', dir, '--json']);
    expect(JSON.parse(out)).toMatchObject({ ok: false, error: { code: 'workspace_general_missing' } });
  });
});

describe('up refuses, before anything starts,', () => {
  test.each([
    ['an unknown runtime of the profile', 'cursor', 'Use one of pi, openai_chat, echo.'],
    ['a runtime of the profile that host.runtimes lacks', 'pi', 'Add pi to host.runtimes, or use one of echo.'],
  ])('%s', async (_, runtime, hint) => {
    const { exit, err } = await reins(['up'], {
      REINS_RUNTIME_PROFILE_DEFAULT: 'echo',
      REINS_RUNTIME_PROFILE_STAGES: JSON.stringify({ execute: runtime }),
      ...(runtime === 'pi' && { REINS_HOST_RUNTIMES: 'echo' }),
    });
    expect(exit).toBe(1);
    expect(err).toMatch(/^runtime_missing at runtime_profile.stages.execute: /);
    expect(err).toContain(hint);
  });

  test('an unknown runtime that workspaces may use', async () => {
    const { exit, err } = await reins(['up'], { REINS_RUNTIME_PROFILE_WORKSPACE_MAY_USE: 'cursor' });
    expect(exit).toBe(1);
    expect(err).toMatch(/^harness_unknown at runtime_profile.workspaceMayUse: unknown runtime "cursor"/);
  });

  test('an unknown runtime in host.runtimes', async () => {
    const { exit, err } = await reins(['up'], {
      REINS_RUNTIME_PROFILE_STAGES: '{"execute":"cursor"}',
      REINS_HOST_RUNTIMES: 'pi,cursor',
    });
    expect(exit).toBe(1);
    expect(err).toMatch(
      /^harness_unknown at host\.runtimes: unknown runtime "cursor"\n {2}Use one of these runtimes: .*codex, .*pi\.\n$/,
    );
  });
});
