import { EventEmitter, on, once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { tempDir } from '@reins/testing';
import type { CliContext } from '../context.ts';
import { runProgram } from '../program.ts';
import { compileWatch } from './watch.ts';

const folder = await tempDir('compile');
afterAll(() => rmSync(folder, { recursive: true }));

async function reins(args: readonly string[], drained?: () => Promise<void>) {
  const output = { out: '', err: '' };
  const out = (text: string): void => {
    output.out += text;
  };
  const err = (text: string): void => {
    output.err += text;
  };
  const exit = await runProgram(args, { env: {}, out, err, ...(drained && { drained }) });
  return { exit, ...output };
}

const WORKSPACE = 'agents: {id: a, model: m}\nmcp_registry: {servers: {}}\n';
const request = { workspace_id: 'w', workspace_yaml: WORKSPACE, references: { 'AGENTS.md': 'Be kind.' } };

describe('compile --batch', () => {
  async function batch(lines: readonly (string | Buffer)[], drained?: () => Promise<void>) {
    const file = join(folder, 'batch.jsonl');
    writeFileSync(file, Buffer.concat(lines.map((line) => Buffer.concat([Buffer.from(line), Buffer.from('\n')]))));
    const { exit, out, err } = await reins(['compile', '--batch', file], drained);
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    return out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  test('compiles every recorded case as recorded, except for the listed deviations', async () => {
    const testdata = new URL('../../../../libs/workspace-plan/testdata/', import.meta.url);
    const deviations = JSON.parse(readFileSync(new URL('deviations.json', testdata), 'utf8')) as object;
    const cases = readFileSync(new URL('compile-cases-open.jsonl', testdata), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; input: object; observed: Record<string, unknown> });
    const answers = await batch(cases.map(({ input }) => JSON.stringify(input)));
    expect(answers).toHaveLength(cases.length);
    for (const [i, { id, observed }] of cases.entries()) {
      if (Object.hasOwn(deviations, id)) continue;
      const { ok, plan, error, references } = answers[i] as Record<string, unknown>;
      expect({ id, ok, plan, references }).toEqual({
        id,
        ok: observed.ok,
        plan: observed.plan,
        references: observed.references,
      });
      expect(codeAndPath(error)).toEqual(codeAndPath(observed.error));
    }
  });

  test('an invalid line gets an error, and the following lines are compiled', async () => {
    const good = JSON.stringify(request);
    const answers = await batch([
      good,
      'no JSON',
      '[1]',
      '{"workspace_id": 5, "workspace_yaml": ""}',
      JSON.stringify({ ...request, references: { 'AGENTS.md': 5 } }),
      Buffer.from([0x7b, 0xff, 0x7d]),
      '',
      `${good}\r`,
      JSON.stringify({ ...request, references: undefined }),
    ]);
    expect(answers.map(({ ok, error }) => (ok ? 'ok' : codeAndPath(error)))).toEqual([
      'ok',
      { code: 'request_invalid', path: null },
      { code: 'request_invalid', path: null },
      { code: 'request_invalid', path: 'workspace_id' },
      { code: 'request_invalid', path: 'references.AGENTS.md' },
      { code: 'request_invalid', path: null },
      'ok',
      'ok',
    ]);
    for (const { error } of answers.slice(1, 6)) expect(Object.keys(error as object)).toHaveLength(4);
  });

  test('waits until standard output has drained', async () => {
    const reader = new EventEmitter();
    let waits = 0;
    const lines = Array.from({ length: 400 }, () => JSON.stringify({ ...request, pad: 'x'.repeat(4096) }));
    const answers = batch(lines, async () => {
      waits += 1;
      reader.emit('waiting');
      if (waits === 1) await once(reader, 'drained');
    });
    await once(reader, 'waiting');
    await new Promise((resolve) => setImmediate(resolve));
    expect(waits).toBe(1);
    reader.emit('drained');
    expect(await answers).toHaveLength(400);
    expect(waits).toBeGreaterThan(5);
  });

  test('a missing file is wrong usage', async () => {
    expect(await reins(['compile', '--batch', join(folder, 'none')])).toMatchObject({ exit: 2 });
    expect(await reins(['compile'])).toMatchObject({ exit: 2 });
    expect(await reins(['compile', '--batch', '--watch'])).toMatchObject({ exit: 2 });
  });
});

function codeAndPath(error: unknown): unknown {
  const { code, path } = (error ?? {}) as Record<string, unknown>;
  return { code, path };
}

describe('workspace-runtime-plan', () => {
  const contract = (operation: string, body: unknown) =>
    reins([
      'workspace-runtime-plan',
      operation,
      '--request-base64',
      Buffer.from(JSON.stringify(body)).toString('base64'),
    ]);

  test('15: collect-references returns the references, exit code 0', async () => {
    const workspace_yaml = `${WORKSPACE}applications: [{app_id: a, config_path: apps/a/app.runtime.yaml}]\n`;
    const collected = await contract('collect-references', { workspace_yaml });
    expect(collected).toMatchObject({ exit: 0, err: '' });
    expect(JSON.parse(collected.out)).toEqual({ ok: true, references: ['AGENTS.md', 'apps/a/app.runtime.yaml'] });
  });

  test('16: compile of an invalid workspace returns the error, exit code 0', async () => {
    const refused = await contract('compile', { ...request, workspace_yaml: 'agents: 1' });
    expect(refused.exit).toBe(0);
    const { ok, error } = JSON.parse(refused.out) as { ok: boolean; error: object };
    expect({ ok, error }).toMatchObject({ ok: false, error: { code: 'workspace_general_missing', path: 'agents' } });
    expect(Object.keys(error).sort()).toEqual(['code', 'hint', 'message', 'path']);
  });

  test('compile returns the plan on one line', async () => {
    const compiled = await contract('compile', request);
    expect(compiled).toMatchObject({ exit: 0, err: '' });
    expect(compiled.out.trimEnd()).not.toContain('\n');
    expect(JSON.parse(compiled.out)).toMatchObject({ ok: true, plan: { resolved_prompts: { a: 'Be kind.' } } });
  });

  test('collect-references of invalid YAML also returns the error', async () => {
    const unread = await contract('collect-references', { workspace_yaml: '[' });
    expect(unread.exit).toBe(0);
    expect(JSON.parse(unread.out)).toMatchObject({
      ok: false,
      error: { code: 'workspace_config_invalid_yaml', path: 'workspace.yaml', hint: null },
    });
  });

  test('a missing or unknown operation, or a missing request, is 2; an invalid request is 1', async () => {
    for (const args of [[], ['compile'], ['dance', '--request-base64', 'e30=']]) {
      const { exit, out, err } = await reins(['workspace-runtime-plan', ...args]);
      expect({ exit, out }).toEqual({ exit: 2, out: '' });
      expect(err).not.toBe('');
    }
    expect(await contract('compile', 'text')).toMatchObject({ exit: 1, out: '' });
    expect(await reins(['workspace-runtime-plan', 'compile', '--request-base64', '%%'])).toMatchObject({ exit: 1 });
  });
});

interface Answer {
  readonly ok: boolean;
  readonly plan?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: string; readonly message: string };
}

test('a manifest that links out of the workspace counts as missing', async () => {
  const dir = mkdtempSync(join(folder, 'link-'));
  writeFileSync(join(folder, 'outside.yaml'), 'app_id: a\nmcp: {port: 3000}\n');
  symlinkSync(join(folder, 'outside.yaml'), join(dir, 'app.yaml'));
  writeFileSync(join(dir, 'workspace.yaml'), `${WORKSPACE}applications: [{app_id: a, config_path: app.yaml}]\n`);
  const { exit, out } = await reins(['compile', dir, '--json']);
  expect(exit).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    error: { code: 'app_config_not_found', path: 'applications[0].config_path' },
  });
});

test('reports an AGENTS.md that links out of the workspace', async () => {
  const dir = mkdtempSync(join(folder, 'link-'));
  writeFileSync(join(folder, 'outside.md'), 'not for this workspace');
  symlinkSync('../outside.md', join(dir, 'AGENTS.md'));
  writeFileSync(join(dir, 'workspace.yaml'), WORKSPACE);
  const { exit, out } = await reins(['compile', dir, '--json']);
  expect(exit).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ error: { code: 'tree_entry_refused', path: 'AGENTS.md' } });
});

test('explains why a manifest counts as missing', async () => {
  const dir = mkdtempSync(join(folder, 'link-'));
  writeFileSync(join(folder, 'outside.yaml'), 'app_id: a\nmcp: {port: 3000}\n');
  symlinkSync(join(folder, 'outside.yaml'), join(dir, 'app.yaml'));
  writeFileSync(join(dir, 'workspace.yaml'), `${WORKSPACE}applications: [{app_id: a, config_path: app.yaml}]\n`);
  const { exit, err } = await reins(['compile', dir]);
  expect(exit).toBe(1);
  expect(err).toMatch(/^tree_entry_refused at app\.yaml: the symlink target is outside the tree/);
  expect(err).toContain('app_config_not_found');
});

test.each([
  ['workspace.yaml', '../outside.yaml', 'is outside the tree'],
  ['workspace.yaml', 'nowhere.yaml', 'is not in the workspace'],
  ['config', '../outside', 'is outside the tree'],
  ['config/agents.yaml', '../../outside.yaml', 'is outside the tree'],
  ['AGENTS.md', 'nowhere', 'is not in the workspace'],
  ['AGENTS.md', 'AGENTS.md', 'is not in the workspace'],
  ['AGENTS.md', 'docs', 'the path is a folder'],
  ['stages', 'nowhere', 'is not in the workspace'],
])('reports a %s that links to %s and returns no plan', async (path, target, message) => {
  const dir = mkdtempSync(join(folder, 'link-'));
  mkdirSync(join(dir, 'docs'));
  writeFileSync(join(dir, 'docs/a.md'), 'text');
  const inventory =
    'kind: Agent\nmetadata: {name: a}\nspec: {model: m}\n---\nkind: Model\nmetadata: {name: m}\nspec: {provider: p, model: x}\n';
  if (path.startsWith('config/')) mkdirSync(join(dir, 'config'));
  if (path.startsWith('config/')) writeFileSync(join(dir, 'config/all.yaml'), inventory);
  else if (path !== 'workspace.yaml' && path !== 'config')
    writeFileSync(join(dir, 'workspace.yaml'), `${WORKSPACE}pipeline: {}\n`);
  symlinkSync(target, join(dir, path));
  const { exit, out } = await reins(['compile', dir, '--json']);
  expect(exit).toBe(1);
  const refused = { code: 'tree_entry_refused', path, message: expect.stringContaining(message) };
  expect(JSON.parse(out)).toMatchObject({ error: refused });
});

test('reports a folder in place of the prompt', async () => {
  const dir = mkdtempSync(join(folder, 'folder-'));
  mkdirSync(join(dir, 'AGENTS.md'));
  writeFileSync(join(dir, 'AGENTS.md/part.md'), 'Be kind.');
  writeFileSync(join(dir, 'workspace.yaml'), WORKSPACE);
  const { exit, err } = await reins(['compile', dir]);
  expect({ exit, err }).toMatchObject({ exit: 1, err: expect.stringContaining('at AGENTS.md: the path is a folder') });
});

test('reads an AGENTS.md that links to a file of the workspace', async () => {
  const dir = mkdtempSync(join(folder, 'link-'));
  writeFileSync(join(dir, 'CLAUDE.md'), 'the prompt');
  symlinkSync('CLAUDE.md', join(dir, 'AGENTS.md'));
  writeFileSync(join(dir, 'workspace.yaml'), WORKSPACE);
  const { exit, out } = await reins(['compile', dir, '--json']);
  expect(exit).toBe(0);
  expect(Object.values((JSON.parse(out) as Answer).plan?.resolved_prompts ?? {})).toEqual(['the prompt']);
});

describe('compile --watch', () => {
  test('prints every state of the inputs once, including files in new folders, until it is stopped', async () => {
    const dir = mkdtempSync(join(folder, 'watch-'));
    writeFileSync(join(dir, 'workspace.yaml'), WORKSPACE);
    const output = new EventEmitter();
    const ended = new AbortController();
    const context: CliContext = {
      env: {},
      stateDir: dir,
      json: true,
      out: (text) => void output.emit('answer', JSON.parse(text)),
      drained: () => Promise.resolve(),
      typed: (text) => text,
      note: () => undefined,
    };
    const answers = on(output, 'answer', { signal: AbortSignal.timeout(55_000) });
    const watching = compileWatch(context, dir, ended.signal);
    const answer = async () => (await answers.next()).value?.[0] as Answer;
    expect((await answer()).ok).toBe(true);
    writeFileSync(
      join(dir, 'workspace.yaml'),
      `${WORKSPACE}applications: [{app_id: x, config_path: apps/x/app.yaml}]\n`,
    );
    expect((await answer()).error?.code).toBe('app_config_not_found');
    mkdirSync(join(dir, 'apps/x'), { recursive: true });
    writeFileSync(join(dir, 'apps/x/app.yaml'), 'app_id: x\nmcp: {port: 3000}\n');
    expect((await answer()).plan).toMatchObject({ resolved_applications: [{ app_id: 'x' }] });
    writeFileSync(join(dir, 'apps/x/app.yaml'), 'app_id: x\nmcp: {port: 3001}\n');
    expect((await answer()).plan).toMatchObject({ resolved_applications: [{ mcp: { port: 3001 } }] });
    rmSync(join(dir, 'apps'), { recursive: true });
    mkdirSync(join(dir, 'apps/x'), { recursive: true });
    writeFileSync(join(dir, 'apps/x/app.yaml'), 'app_id: x\nmcp: {port: 3002}\n');
    expect((await answer()).plan).toMatchObject({ resolved_applications: [{ mcp: { port: 3002 } }] });
    writeFileSync(join(dir, 'apps/x/app.yaml'), 'app_id: x\nmcp: {port: 3003}\n');
    expect((await answer()).plan).toMatchObject({ resolved_applications: [{ mcp: { port: 3003 } }] });
    const catalog = 'mcp_registry: {servers: {}, catalog: {workspace.x: {module_path: tools.x, symbol: x}}}\n';
    writeFileSync(join(dir, 'workspace.yaml'), `agents: {id: a, model: m}\n${catalog}`);
    expect((await answer()).error?.code).toBe('workspace_module_invalid');
    mkdirSync(join(dir, 'tools'));
    writeFileSync(join(dir, 'tools/x.mjs'), 'export const y = 1;');
    expect((await answer()).error?.message).toContain("no export 'x'");
    writeFileSync(join(dir, 'tools/x.mjs'), 'export const x = () => 1;');
    expect((await answer()).ok).toBe(true);

    writeFileSync(join(dir, 'notes.txt'), 'no input');
    writeFileSync(join(dir, 'AGENTS.md'), 'Be kind.');
    expect((await answer()).plan).toMatchObject({ resolved_prompts: { a: 'Be kind.' } });
    ended.abort();
    expect(await watching).toBe(0);
  });
});
