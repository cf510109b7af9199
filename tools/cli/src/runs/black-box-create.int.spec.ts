import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { Workbench } from './testing/command-line.ts';

/** Numbered compatibility cases, through the CLI: creating runs, bare runs, and the location of runs. */
const bench = await Workbench.make();
afterAll(() => bench.remove());

const linear = bench.process('linear', 'return { a: await ctx.task(step, { n: 1 }) };');
const create = (id: string, ...args: string[]) => bench.json(['run:create', '--run-id', id, ...args]);
const events = async (run: string) => (await bench.json(['run:events', run])).events as JsonObject[];
const first = async (run: string) => (await events(run))[0]?.data as JsonObject;

describe('run:create', () => {
  test('a run with inputs has run.json, inputs.json and one RUN_CREATED', async () => {
    await create('c1', '--entry', linear, '--inputs', '{"n":1}');
    expect(bench.read('c1', 'inputs.json')).toEqual({ n: 1 });
    expect(bench.read('c1', 'run.json')).toMatchObject({
      runId: 'c1',
      entrypoint: { importPath: '../../../linear.mjs' },
    });
    expect(await events('c1')).toMatchObject([{ seq: 1, type: 'RUN_CREATED', data: { inputs: { n: 1 } } }]);
  });

  test('without inputs there is no inputs.json', async () => {
    await create('c2', '--entry', linear);
    expect(existsSync(join(bench.runs, 'c2', 'inputs.json'))).toBe(false);
    expect(await first('c2')).toMatchObject({ inputs: null });
  });

  test('a relative runs folder is resolved in the scope, and the output is absolute', async () => {
    const { runDir } = await bench.json(['run:create', '--runs-dir', 'elsewhere', '--entry', linear, '--run-id', 'c3']);
    expect(isAbsolute(String(runDir))).toBe(true);
    expect(runDir).toBe(join(bench.root, 'elsewhere', 'c3'));
  });

  test('a prompt is in run.json and in RUN_CREATED, or in neither', async () => {
    await create('c4', '--entry', linear, '--prompt', 'do it');
    expect([bench.read('c4', 'run.json').prompt, ((await first('c4')).metadata as JsonObject).prompt]).toEqual([
      'do it',
      'do it',
    ]);
    await create('c4b', '--entry', linear);
    expect([bench.read('c4b', 'run.json').prompt, ((await first('c4b')).metadata as JsonObject).prompt]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('a harness is in run.json and in the data of every event', async () => {
    await create('c5', '--entry', linear, '--harness', 'claude-code');
    await bench.json(['run:iterate', 'c5']);
    expect(bench.read('c5', 'run.json').harness).toBe('claude-code');
    expect((await events('c5')).map(({ data }) => (data as JsonObject).harness)).toEqual([
      'claude-code',
      'claude-code',
    ]);
  });

  test('the parent run is in run.json and in RUN_CREATED', async () => {
    const nested = { parentRunId: 'p', parentEffectId: 'e' };
    await create('c6', '--entry', linear, '--nested', JSON.stringify(nested));
    expect(bench.read('c6', 'run.json').nested).toEqual(nested);
    expect((await first('c6')).metadata).toMatchObject({ nested });
  });

  test('refuses invalid inputs with every violation, and creates no run', async () => {
    const strict = bench.process(
      'strict',
      'return inputs;',
      'export const inputSchema = { type: "object", required: ["n"], properties: { n: { type: "number" }, s: { type: "string" } } };',
    );
    const { exit, json } = await bench.reins([
      'run:create',
      '--run-id',
      'c7',
      '--entry',
      strict,
      '--inputs',
      '{"s":1}',
    ]);
    expect(exit).toBe(1);
    expect(json.errors).toMatchObject([{ code: 'request_invalid' }, { path: 'inputs/s' }]);
    expect(existsSync(join(bench.runs, 'c7'))).toBe(false);
  });

  test.each(['', ' ', '../escape', 'a/b'])('%j is not a valid run id', async (id) => {
    expect(await bench.reins(['run:create', '--run-id', id, '--entry', linear])).toMatchObject({ exit: 2 });
    expect(existsSync(join(bench.root, 'escape'))).toBe(false);
  });

  test('refuses an id in use, and leaves the run unchanged', async () => {
    await create('twice', '--entry', linear);
    const before = readFileSync(join(bench.runs, 'twice', 'run.json'), 'utf8');
    expect(await bench.reins(['run:create', '--run-id', 'twice'])).toMatchObject({ exit: 1 });
    expect(readFileSync(join(bench.runs, 'twice', 'run.json'), 'utf8')).toBe(before);
  });

  test('process files next to the runs are modules, unless a package.json exists', async () => {
    await create('c12', '--entry', linear);
    const path = join(bench.root, 'state', 'package.json');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ type: 'module' });
    writeFileSync(path, '{"type":"commonjs"}');
    await create('c12b', '--entry', linear);
    expect(readFileSync(path, 'utf8')).toBe('{"type":"commonjs"}');
  });

  test('a dry run reports what it would create, and writes nothing', async () => {
    const answer = await create('dry', '--entry', linear, '--process-id', 'p', '--dry-run');
    expect(answer).toMatchObject({ dryRun: true, runId: 'dry', processId: 'p', entry: linear, runsDir: bench.runs });
    expect(existsSync(join(bench.runs, 'dry'))).toBe(false);
  });

  test.each([
    ['a file that is not there', ['--entry', '/nowhere.mjs#process'], 1],
    ['an export that is not there', ['--entry', `${linear}#other`], 1],
    ['no module before #', ['--entry', '#process'], 2],
    ['inputs that are not JSON', ['--entry', linear, '--inputs', '{'], 2],
  ])('%s is refused', async (_, args, exit) => {
    const error = exit === 2 ? { code: 'wrong_usage', hint: expect.any(String) } : {};
    expect(await bench.reins(['run:create', ...args])).toMatchObject({ exit, json: { error } });
  });

  test.each([null, 5, -1.5e3, true, false])('parses the inputs %j as JSON', async (inputs) => {
    const id = `in${String(inputs).replace('.', '_')}`;
    await create(id, '--entry', linear, '--inputs', JSON.stringify(inputs));
    expect(await first(id)).toMatchObject({ inputs });
  });

  test('every command reports a missing process file in the same way', async () => {
    const missing = { exit: 1, json: { error: { code: 'process_not_found', hint: expect.any(String) } } };
    const gone = bench.process('gone', 'return 1;');
    await create('gone', '--entry', gone);
    await create('unassigned');
    rmSync(gone);
    for (const args of [
      ['run:create', '--entry', gone],
      ['run:assign-process', 'unassigned', '--entry', gone],
      ['run:iterate', 'gone'],
      ['replay', 'gone'],
    ])
      expect(await bench.reins(args)).toMatchObject(missing);
  });

  test('the completion proof is not in the journal, and shown only after the run has completed', async () => {
    await create('proof', '--entry', linear, '--completion-proof', 'PROOF');
    await bench.json(['run:iterate', 'proof']);
    expect(JSON.stringify(await events('proof'))).not.toContain('PROOF');
    expect((await bench.json(['run:status', 'proof'])).completionProof).toBeNull();
    const [task] = (await bench.json(['task:list', 'proof'])).tasks as JsonObject[];
    await bench.json(['task:post', 'proof', String(task?.effectId), '--status', 'ok', '--value-inline', '1']);
    expect(await bench.json(['run:iterate', 'proof'])).toMatchObject({ completionProof: 'PROOF', output: { a: 1 } });
    expect((await bench.json(['run:status', 'proof'])).completionProof).toBe('PROOF');
  });
});

describe('bare runs', () => {
  test('a dry run changes nothing; after the assignment the run continues', async () => {
    await create('bare');
    expect(await bench.reins(['run:iterate', 'bare'])).toMatchObject({
      exit: 1,
      json: { error: { code: 'process_missing', hint: expect.stringContaining('run:assign-process') } },
    });
    const assign = [
      'run:assign-process',
      'bare',
      '--entry',
      `${linear}#process`,
      '--process-id',
      'mine',
      '--inputs',
      '{"x":1}',
    ];
    expect(await bench.json([...assign, '--dry-run'])).toMatchObject({
      assigned: false,
      previousEntrypoint: 'bare-run',
    });
    expect(await events('bare')).toHaveLength(1);
    expect(await bench.json(assign)).toMatchObject({
      assigned: true,
      processId: 'mine',
      previousEntrypoint: 'bare-run',
    });
    expect(bench.read('bare', 'run.json')).toMatchObject({ processId: 'mine', entrypoint: { exportName: 'process' } });
    expect(bench.read('bare', 'inputs.json')).toEqual({ x: 1 });
    expect((await events('bare')).map(({ type }) => type)).toEqual(['RUN_CREATED', 'PROCESS_ASSIGNED']);
    expect(await bench.json(['run:iterate', 'bare'])).toMatchObject({ status: 'waiting', reason: 'node-pending' });
  });

  test('replaces an assigned process only with --force', async () => {
    await create('forced', '--entry', linear);
    await bench.json(['run:iterate', 'forced']);
    const assign = ['run:assign-process', 'forced', '--entry', linear];
    expect(await bench.reins(assign)).toMatchObject({ exit: 1, json: { error: { code: 'process_already_assigned' } } });
    expect(await bench.json([...assign, '--force'])).toMatchObject({ assigned: true, force: true });
    expect(await bench.json(['run:iterate', 'forced'])).toMatchObject({ status: 'waiting', count: 1 });
  });

  test.each([
    ['--entry is missing', ['bare'], 2],
    ['there is no such run', ['unknown', '--entry', linear], 1],
    ['there is no such file', ['bare78', '--entry', '/nowhere.mjs'], 1],
    ['the run is missing', [], 2],
  ])('assigning a process: %s', async (_, args, exit) => {
    if (args[0] === 'bare78') await create('bare78');
    expect(await bench.reins(['run:assign-process', ...args])).toMatchObject({ exit });
  });

  test('assigns the process only to an open run of the same session that has no process', async () => {
    const make = (session: string, ...args: string[]) =>
      bench.json(['run:create', '--session-id', session, '--harness', 'h', ...args]);
    const bare = await make('s1');
    expect((await make('s2', '--entry', linear)).runId).not.toBe(bare.runId);
    expect(await make('s1', '--entry', linear)).toMatchObject({ runId: bare.runId, adopted: true });
    expect((await make('s1', '--entry', linear)).runId).not.toBe(bare.runId);
    const ended = await make('s3');
    await bench.json(['run:halt', String(ended.runId)]);
    expect((await make('s3', '--entry', linear)).runId).not.toBe(ended.runId);
  });

  test('reports only bare runs that can be continued', async () => {
    const own = await Workbench.make();
    const run = (...args: string[]) => own.json(args);
    expect(await run('instructions:babysit-skill')).toMatchObject({ existingRun: null });
    const { runId } = await run('run:create', '--prompt', 'p');
    await run('run:create', '--entry', own.process('p', 'return 1;'));
    const halted = await run('run:create');
    await run('run:halt', String(halted.runId));
    const answer = await run('instructions:babysit-skill');
    expect(answer.existingRuns).toMatchObject([{ runId, isBareRun: true, prompt: 'p' }]);
    expect(JSON.stringify(answer)).not.toContain('completionProof":"');
    own.remove();
  });
});

describe('location of runs', () => {
  test('the environment, the repository, an id or a path', async () => {
    await create('here', '--entry', linear);
    const path = join(bench.runs, 'here');
    const other = join(bench.root, 'other');
    mkdirSync(other, { recursive: true });
    const env = { BABYSITTER_RUNS_DIR: other };
    expect(await bench.reins(['run:status', 'here'], env)).toMatchObject({ exit: 1 });
    expect(await bench.reins(['run:status', 'here', '--runs-dir', bench.runs], env)).toMatchObject({ exit: 0 });
    expect(await bench.reins(['run:status', path], env)).toMatchObject({ exit: 0 });
  });

  test('a copied directory keeps the id of its run', async () => {
    await create('original', '--entry', linear);
    await bench.json(['run:iterate', 'original']);
    const copy = join(bench.root, 'state', 'runs', 'copy');
    const { cpSync } = await import('node:fs');
    cpSync(join(bench.runs, 'original'), copy, { recursive: true });
    expect(await bench.json(['replay', copy])).toMatchObject({ identical: true, runId: 'original' });
    rmSync(copy, { recursive: true });
  });
});
