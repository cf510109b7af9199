import { cpSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { type CodeModule, type ProcessManifest, processManifest } from '@reins/journal';
import { Workbench } from './testing/command-line.ts';

/** Runs in directories that keep the code of their process, with sandboxed processes as for users. */
const bench = await Workbench.make();
afterAll(() => bench.remove());

const reins = (...args: string[]) => bench.forPeople([...args, '--json'], {}, false);
async function json(...args: string[]): Promise<JsonObject> {
  const answer = await reins(...args);
  if (answer.exit !== 0) throw new Error(`${args.join(' ')}: ${answer.out}${answer.err}`);
  return answer.json;
}

const MAIN = `import { next } from './lib/next.ts';
import old from 'old';
export async function process(inputs, ctx) {
  const step = { id: 'step', build: (args) => ({ kind: 'node', title: 'Step ' + args.n }) };
  const one = await ctx.task(step, { n: next(0) });
  const two = await ctx.task(step, { n: next(1) });
  return { one, two, old: old(two) };
}
`;

let projects = 0;
/** A project with a process of several modules and a package, and a run that waits for its first task. */
async function started() {
  projects += 1;
  const project = `project-${projects}`;
  const files = {
    'package.json': '{"type": "module"}',
    'process/main.mjs': MAIN,
    'process/lib/next.ts': 'export const next = (n: number): number => n + 1;\n',
    'node_modules/old/package.json': '{"name": "old", "main": "lib/index"}',
    'node_modules/old/lib/index.js': "module.exports = (n) => require('./part') + n;\n",
    'node_modules/old/lib/part.js': 'module.exports = 40;\n',
  };
  for (const [name, content] of Object.entries(files)) bench.file(join(project, name), content);
  const root = join(bench.root, project);
  const runs = join(root, 'runs');
  const entry = `${join(root, 'process/main.mjs')}#process`;
  await json('run:create', '--entry', entry, '--run-id', 'r', '--runs-dir', runs);
  const run = join(runs, 'r');
  await json('run:iterate', run);
  await post(run, 1);
  return { root, run, entry };
}

async function post(run: string, value: unknown): Promise<void> {
  const { tasks } = (await json('task:list', run, '--pending')) as unknown as { tasks: [{ effectId: string }] };
  await json('task:post', run, tasks[0].effectId, '--status', 'ok', '--value-inline', JSON.stringify(value));
}

const elsewhere = (name: string): string => join(bench.root, 'elsewhere', `${name}-${projects}`);

/** Iterates and answers the run until it has completed, then replays and verifies it. */
async function completes(run: string, note: RegExp): Promise<void> {
  const iterated = await reins('run:iterate', run);
  expect(iterated.err).toMatch(note);
  await post(run, 2);
  expect(await json('run:iterate', run)).toMatchObject({ status: 'completed', output: { one: 1, two: 2, old: 42 } });
  expect(await json('replay', run, '--verify')).toMatchObject({ identical: true, verified: true });
  expect(await types(run)).not.toContain('PROCESS_CODE_CHANGED');
}

const types = async (run: string) => ((await json('run:events', run)).events as JsonObject[]).map(({ type }) => type);

describe('a run keeps the code of its process', () => {
  test('and continues in a copy on another machine, without the code at its path', async () => {
    const { root, run } = await started();
    const copy = elsewhere('copy');
    cpSync(run, copy, { recursive: true });
    rmSync(root, { recursive: true });
    await completes(copy, /there is no .*main\.mjs: used the code that the run keeps \(process\/[0-9a-f]{64}\.json\)/);
  });

  test('but not from a folder that a link leads to', async () => {
    const { root, run } = await started();
    const copy = elsewhere('linked');
    cpSync(run, copy, { recursive: true });
    renameSync(join(copy, 'process'), join(bench.root, `secrets-${projects}`));
    symlinkSync(join(bench.root, `secrets-${projects}`), join(copy, 'process'));
    rmSync(root, { recursive: true });
    expect((await reins('run:iterate', copy)).json.errors).toMatchObject([
      { code: 'process_not_found', message: expect.stringContaining('process is a symbolic link') },
    ]);
  });

  test('and continues from a bundle', async () => {
    const { root, run } = await started();
    const bundle = join(bench.root, `bundle-${projects}.json`);
    await json('journal', 'export', run, '-o', bundle);
    rmSync(root, { recursive: true });
    const { runDir } = await json('journal', 'import', bundle, '--runs-dir', elsewhere('imported'));
    await completes(String(runDir), /used the code that the run keeps/);
  });

  test('and continues as a fork', async () => {
    const { root, run } = await started();
    renameSync(join(root, 'process'), join(root, 'moved'));
    const fork = await json('fork', run, '--at', '3', '--runs-dir', elsewhere('forks'));
    await completes(String(fork.runDir), /used the code that the run keeps/);
  });

  test('when a package of the unchanged code is missing', async () => {
    const { root, run } = await started();
    rmSync(join(root, 'node_modules'), { recursive: true });
    await completes(run, /cannot be loaded .*: used the code that the run keeps/);
  });

  test('and of a process that is assigned later', async () => {
    const { root, entry } = await started();
    const run = join(root, 'runs', 'bare');
    await json('run:create', '--run-id', 'bare', '--runs-dir', join(root, 'runs'));
    await json('run:assign-process', run, '--entry', entry);
    const copy = elsewhere('assigned');
    cpSync(run, copy, { recursive: true });
    rmSync(root, { recursive: true });
    await json('run:iterate', copy);
    await post(copy, 1);
    await completes(copy, /used the code that the run keeps/);
  });

  test('but uses changed code at its path, which names the changed module', async () => {
    const { root, run } = await started();
    const before = elsewhere('before');
    cpSync(run, before, { recursive: true });
    const next = join(root, 'process/lib/next.ts');
    writeFileSync(next, `${readFileSync(next, 'utf8')}// changed\n`);
    const { err } = await reins('run:iterate', run);
    expect(err).toMatch(
      /the code at .*main\.mjs differs from the recorded code in process\/lib\/next\.ts \(recorded: process/,
    );
    expect(await types(run)).toContain('PROCESS_CODE_CHANGED');
    const { files } = await json('diff', before, run);
    expect(files).toEqual([{ path: 'code/process/lib/next.ts', change: 'changed' }]);
    rmSync(join(root, 'process'), { recursive: true });
    await post(run, 2);
    expect(await json('run:iterate', run)).toMatchObject({ status: 'completed' });
    expect(await json('replay', run, '--verify')).toMatchObject({ identical: true, verified: true });
  });

  test('and reports an error in changed code', async () => {
    const { root, run } = await started();
    writeFileSync(join(root, 'process/main.mjs'), `${MAIN}\nexport const = 1;\n`);
    const { exit, json: answer } = await reins('run:iterate', run);
    expect(exit).toBe(1);
    expect(answer.errors).toMatchObject([{ code: 'process_invalid' }]);
  });

  test('and continues the same code in another folder as unchanged', async () => {
    const { root, run } = await started();
    // Without a package.json the folder of the module is the folder of the process.
    rmSync(join(root, 'package.json'));
    rmSync(join(root, 'runs', '..', 'node_modules', 'old'), { recursive: true });
    bench.file(`project-${projects}/process/node_modules/old/package.json`, '{"name": "old", "main": "lib/index"}');
    await reins('run:iterate', run);
    expect(await types(run)).not.toContain('PROCESS_CODE_CHANGED');
  });
});

describe('a changed copy of a module', () => {
  const copies = (run: string): string[] => readdirSync(join(run, 'process', 'sha256'));
  const copyOf = (run: string, text: string): string => {
    const name = copies(run).find((one) => readFileSync(join(run, 'process', 'sha256', one), 'utf8').includes(text));
    return join(run, 'process', 'sha256', name ?? '');
  };

  test('is named, and restored from the original', async () => {
    const { run } = await started();
    const path = copyOf(run, 'n + 1');
    writeFileSync(path, 'export const next = () => 7;\n');
    const verified = await reins('run:verify', run);
    expect(verified.exit).toBe(1);
    expect(verified.json.problems).toMatchObject([
      {
        message: expect.stringMatching(
          /^process\/sha256\/.*: the copy of the module process\/lib\/next\.ts does not match/,
        ),
      },
    ]);
    expect(await json('run:repair-journal', run, '--dry-run')).toMatchObject({ repaired: false });
    expect((await reins('run:verify', run)).exit).toBe(1);
    expect(await json('run:repair-journal', run)).toMatchObject({
      repaired: true,
      whole: false,
      restored: [{ path: expect.stringContaining('process/sha256/'), from: expect.stringContaining('next.ts') }],
    });
    expect(await json('run:verify', run)).toMatchObject({ ok: true });
    expect(await json('run:repair-journal', run)).toMatchObject({ repaired: false, whole: true });
  });

  test('is restored even when another module of the original has changed', async () => {
    const { root, run } = await started();
    rmSync(copyOf(run, 'module.exports = 40'));
    writeFileSync(join(root, 'process/main.mjs'), `${MAIN}// changed\n`);
    await json('run:repair-journal', run);
    expect(await json('run:verify', run)).toMatchObject({ ok: true });
  });

  test('is named as lost when the original is gone, too', async () => {
    const { root, run } = await started();
    writeFileSync(copyOf(run, 'n + 1'), 'export const next = () => 7;\n');
    rmSync(join(root, 'process'), { recursive: true });
    const iterated = await reins('run:iterate', run);
    expect(iterated.exit).toBe(1);
    expect(iterated.json.errors).toMatchObject([
      {
        code: 'process_not_found',
        message: expect.stringContaining('module process/lib/next.ts does not match its hash'),
      },
    ]);
    const repaired = await reins('run:repair-journal', run);
    expect(repaired.exit).toBe(1);
    expect(repaired.json).toMatchObject({ lost: [expect.stringMatching(/^process\/sha256\//)] });
  });

  test('and a lost or changed list of modules are restored from the original', async () => {
    const { run } = await started();
    const [list = ''] = readdirSync(join(run, 'process')).filter((name) => name.endsWith('.json'));
    const path = join(run, 'process', list);
    for (const damage of [
      () => rmSync(path),
      () => writeFileSync(path, readFileSync(path, 'utf8').replace('next', 'past')),
    ]) {
      damage();
      expect((await reins('run:verify', run)).json.problems).toMatchObject([{ path: `process/${list}` }]);
      await json('run:repair-journal', run);
      expect(await json('run:verify', run)).toMatchObject({ ok: true });
    }
  });

  test('is not served under another name: a list that the modules contradict is refused', async () => {
    const { root, run } = await started();
    const [list = ''] = readdirSync(join(run, 'process')).filter((name) => name.endsWith('.json'));
    const path = join(run, 'process', list);
    const { entry, modules } = JSON.parse(readFileSync(path, 'utf8')) as ProcessManifest;
    const main = modules[entry] as CodeModule;
    const forged = { ...main, imports: { ...main.imports, './lib/next.ts': 'node_modules/old/lib/index.js' } };
    writeFileSync(path, JSON.stringify(processManifest(entry, { ...modules, [entry]: forged })));
    const wrong = 'imports ./lib/next.ts, which is not node_modules/old/lib/index.js';
    expect((await reins('run:verify', run)).json.problems).toMatchObject([{ message: expect.stringContaining(wrong) }]);
    rmSync(join(root, 'process'), { recursive: true });
    expect((await reins('run:iterate', run)).json.errors).toMatchObject([{ message: expect.stringContaining(wrong) }]);
  });
});
