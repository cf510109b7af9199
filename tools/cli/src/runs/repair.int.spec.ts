import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { Workbench } from './testing/command-line.ts';

/** Repairs runs that lost a part of their journal, and continues them. */
const bench = await Workbench.make();
afterAll(() => bench.remove());

const parallel = bench.process(
  'parallel',
  `const [a, b] = await Promise.all([ctx.task(step, { n: 1 }), ctx.task(step, { n: 2 })]);
   return { a, b, c: await ctx.task(step, { n: 3 }) };`,
);

/** Posts a result to the task with this number. */
async function answer(run: string, value: number): Promise<void> {
  const { tasks } = await bench.json(['task:list', run, '--pending']);
  const { effectId } = (tasks as JsonObject[]).find(({ label }) => label === `Step ${value}`) as JsonObject;
  await bench.json(['task:post', run, String(effectId), '--status', 'ok', '--value-inline', `${value}`]);
}

describe('a run without its journal', () => {
  test('gets its requests and results back and completes', async () => {
    const id = 'without';
    await bench.json(['run:create', '--run-id', id, '--entry', parallel, '--inputs', '{"x":1}']);
    await bench.json(['run:iterate', id]);
    for (const n of [2, 1]) await answer(id, n);
    await bench.json(['run:iterate', id]);
    rmSync(join(bench.runs, id, 'journal'), { recursive: true });

    expect(await bench.reins(['run:verify', id])).toMatchObject({ exit: 1 });
    expect(await bench.reins(['run:rebuild-state', id])).toMatchObject({ exit: 1 });
    const repaired = await bench.reins(['run:repair-journal', id]);
    expect(repaired).toMatchObject({ exit: 1, json: { whole: false, repaired: true, lost: ['journal'] } });
    expect(repaired.json.rescued).toHaveLength(6);
    expect(await bench.json(['run:verify', id])).toMatchObject({ ok: true, entries: 6 });
    await answer(id, 3);
    expect(await bench.json(['run:iterate', id])).toMatchObject({ status: 'completed', output: { a: 1, b: 2, c: 3 } });
  });
});

const steps = bench.process(
  'steps',
  `await ctx.step('one', () => 1); await ctx.task(step, { n: 1 }); return ctx.task(step, { n: 2 });`,
);

describe('a lost entry of a step', () => {
  test('and of its request: warns about entries that nothing is known of', async () => {
    const id = 'step-both';
    await bench.json(['run:create', '--run-id', id, '--entry', steps]);
    await bench.json(['run:iterate', id]);
    for (const version of [3, 2]) writeFileSync(entryOf(join(bench.runs, id), version), '');
    expect(await bench.json(['run:repair-journal', id])).toMatchObject({
      warnings: [expect.stringMatching(/^entries 2, 3 cannot be read or recovered.*replay_nondeterminism/)],
    });
  });

  test.each([
    [
      2,
      'journal',
      'EFFECT_REQUESTED',
      /^the request of effect ef_\w+ is lost, and no other file has it \(steps have no files\)/,
    ],
    [3, 'journal/000003', 'EFFECT_RESOLVED', /^the result of step one, in entry 3, is lost: it runs again/],
  ])('%i is reported, with its effect on the process', async (version, lost, type, warning) => {
    const id = `step-${version}`;
    await bench.json(['run:create', '--run-id', id, '--entry', steps]);
    await bench.json(['run:iterate', id]);
    await answer(id, 1);
    await bench.json(['run:iterate', id]);
    const { events } = await bench.json(['run:events', id]);
    expect((events as JsonObject[])[version - 1]).toMatchObject({ type });
    writeFileSync(entryOf(join(bench.runs, id), version), '');
    expect(await bench.reins(['run:repair-journal', id])).toMatchObject({
      exit: 1,
      json: { lost: [lost], warnings: [expect.stringMatching(warning)] },
    });
    expect(await bench.reins(['run:iterate', id])).toMatchObject({
      exit: 1,
      json: { error: { code: 'replay_nondeterminism' } },
    });
  });
});

const ARCHIVE = fileURLToPath(new URL('../../../../libs/replay/testdata/babysitter-runs.tar.gz', import.meta.url));
execFileSync('tar', ['-xzf', ARCHIVE, '-C', bench.root]);

/** Copies a recorded run directory of babysitter. */
function fixture(name: string, purpose: string): string {
  const copy = join(bench.root, purpose, name);
  cpSync(join(bench.root, 'babysitter', name), copy, { recursive: true });
  const [runId = ''] = readdirSync(join(copy, 'runs')).filter((entry) => !entry.includes('.'));
  return join(copy, 'runs', runId);
}

const entryOf = (run: string, version: number): string => {
  const names = readdirSync(join(run, 'journal')).toSorted();
  return join(run, 'journal', names[version - 1] as string);
};

describe('a run of babysitter', () => {
  test.each([
    ['waiting-mixed-6.0.0', 2, 'emptied'],
    ['waiting-mixed-6.0.0', 2, 'gone'],
    ['waiting-mixed-0.0.187', 5, 'emptied'],
    ['waiting-mixed-0.0.187', 7, 'gone'],
    ['completed-5.0.0', 4, 'emptied'],
    ['completed-5.0.0', 8, 'emptied'],
  ])('%s keeps the request of entry %i, which is %s, and its result', async (name, version, how) => {
    const run = fixture(name, `request-${version}-${how}`);
    const before = (await bench.json(['task:list', run])).tasks as JsonObject[];
    const path = entryOf(run, version);
    if (how === 'gone') rmSync(path);
    else writeFileSync(path, '');
    expect(await bench.json(['run:repair-journal', run])).toMatchObject({
      rescued: [{ type: 'EFFECT_REQUESTED', from: expect.stringMatching(/task\.json$/) }],
      warnings: [],
      lost: [],
    });
    const fields = ({ effectId, status, kind, label, stepId }: JsonObject) => ({
      effectId,
      status,
      kind,
      label,
      stepId,
    });
    const after = (await bench.json(['task:list', run])).tasks as JsonObject[];
    expect(after.map(fields)).toEqual(before.map(fields));
    expect(await bench.json(['replay', run])).toMatchObject({ identical: true });
  });

  const torn: readonly (readonly [string, (text: string) => string | undefined])[] = [
    ['gone', () => undefined],
    ['empty', () => ''],
    ['torn', (text) => text.slice(0, 300)],
    ['an array', () => '[]'],
    ['marked by an editor', (text) => `\uFEFF${text}`],
    ['without its layout', (text) => text.replace(/ {2}"layoutVersion".*\n/, '')],
  ];
  test.each(torn)('whose run.json is %s gets it back from the journal', async (how, change) => {
    const run = fixture('waiting-mixed-6.0.0', `run-file-${how}`);
    const path = join(run, 'run.json');
    const before = readFileSync(path, 'utf8');
    const text = change(before);
    if (text === undefined) rmSync(path);
    else writeFileSync(path, text);

    const hint = expect.stringMatching(/^Rebuild it .*run:rebuild-state/);
    expect(await bench.reins(['run:verify', run])).toMatchObject({
      exit: 1,
      json: { problems: [{ path: 'run.json', hint }] },
    });
    expect(await bench.json(['run:repair-journal', run])).toMatchObject({
      repaired: false,
      warnings: [expect.stringMatching(/rebuild it with run:rebuild-state/)],
    });
    expect(await bench.json(['run:rebuild-state', run])).toMatchObject({
      made: expect.arrayContaining(['run.json']),
      left: [],
    });
    expect(await bench.json(['run:verify', run])).toMatchObject({ ok: true });
    const rebuilt = JSON.parse(readFileSync(path, 'utf8'));
    const { createdAt: _, cwd: __, completionProof: ___, ...expected } = JSON.parse(before);
    expect(rebuilt).toMatchObject(expected);
    expect(await bench.json(['run:iterate', run])).toMatchObject({ status: 'waiting' });
  });

  test('counts kept files and restored entries separately', async () => {
    const run = fixture('waiting-mixed-6.0.0', 'counted');
    writeFileSync(entryOf(run, 3), '');
    const files = readdirSync(join(run, 'journal')).length;
    const { out } = await bench.forPeople(['run:repair-journal', run, '--dry-run']);
    expect(out).toContain(`${files - 1} of ${files} files would be kept, 1 entry would be restored\n`);
    const repaired = await bench.forPeople(['run:repair-journal', run]);
    expect(repaired.out).toContain(`${files - 1} of ${files} files kept, 1 entry restored\n`);
  });

  test('with a missing run.json and a truncated entry is repaired in one step', async () => {
    const run = fixture('waiting-mixed-6.0.0', 'both');
    rmSync(join(run, 'run.json'));
    writeFileSync(entryOf(run, 3), '');
    expect(await bench.json(['run:repair-journal', run])).toMatchObject({ rescued: [{ type: 'EFFECT_RESOLVED' }] });
    expect(await bench.json(['run:verify', run])).toMatchObject({ ok: true });
    expect(JSON.parse(readFileSync(join(run, 'run.json'), 'utf8'))).toMatchObject({ processId: 'waiting' });
  });

  test('with exchanged numbers is not repaired without a warning', async () => {
    const run = fixture('waiting-mixed-6.0.0', 'exchanged');
    const [a, b] = [entryOf(run, 4), entryOf(run, 5)];
    const numbered = (path: string, number: string) => join(dirname(path), `${number}${basename(path).slice(6)}`);
    renameSync(a, numbered(a, '000005'));
    renameSync(b, numbered(b, '000004'));
    expect(await bench.reins(['run:verify', run])).toMatchObject({ exit: 1 });
    const { warnings } = (await bench.reins(['run:repair-journal', run])).json;
    expect(warnings).toContainEqual(expect.stringMatching(/its ULID is earlier than that of the previous number/));
  });

  test('with a lost output is never reported as intact', async () => {
    const run = fixture('completed-5.0.0', 'output');
    rmSync(join(run, 'state'), { recursive: true });
    expect(await bench.reins(['run:verify', run])).toMatchObject({ exit: 1 });
    expect(await bench.reins(['run:repair-journal', run])).toMatchObject({
      exit: 1,
      json: { whole: false, lost: ['state/output.json'] },
    });
  });

  test('with a truncated task.json is never reported as intact', async () => {
    const run = fixture('waiting-mixed-6.0.0', 'task');
    const { tasks } = await bench.json(['task:list', run]);
    const path = `tasks/${String((tasks as JsonObject[])[0]?.effectId)}/task.json`;
    writeFileSync(join(run, path), '{');
    expect(await bench.reins(['run:verify', run])).toMatchObject({ exit: 1, json: { problems: [{ path }] } });
    expect(await bench.reins(['run:repair-journal', run])).toMatchObject({
      exit: 1,
      json: { whole: false, lost: [path] },
    });
    expect(await bench.reins(['run:rebuild-state', run])).toMatchObject({ exit: 1, json: { left: [path] } });
  });

  test('that failed and completed on a retry has completed', async () => {
    const run = fixture('completed-5.0.0', 'again');
    const end = entryOf(run, 14);
    const failed = { type: 'RUN_FAILED', recordedAt: '2026-11-20T23:22:14.000Z', data: { error: { message: 'no' } } };
    renameSync(end, end.replace('000014.01M7XM92', '000015.01M7XM93'));
    writeFileSync(end, JSON.stringify(failed));
    expect(await bench.json(['run:status', run])).toMatchObject({ state: 'completed' });
    expect(await bench.json(['run:iterate', run])).toMatchObject({
      status: 'completed',
      output: { reportLength: 1_200_000 },
    });
    expect(await bench.json(['replay', run])).toMatchObject({ identical: true });
  });

  test.each(['emptied', 'gone'])('keeps an error without a time, whose entry is %s', async (how) => {
    const run = fixture('completed-5.0.0', `error-${how}`);
    if (how === 'gone') rmSync(entryOf(run, 9));
    else writeFileSync(entryOf(run, 9), '');
    expect(await bench.json(['run:repair-journal', run])).toMatchObject({ rescued: [{ type: 'EFFECT_RESOLVED' }] });
    expect(await bench.json(['replay', run])).toMatchObject({ identical: true });
  });

  test('reports a lost result before the process needs it', async () => {
    const run = fixture('waiting-mixed-6.0.0', 'result');
    const { tasks } = await bench.json(['task:list', run]);
    const { effectId } = (tasks as JsonObject[]).find(({ status }) => status === 'resolved_ok') as JsonObject;
    rmSync(join(run, 'tasks', String(effectId), 'result.json'));
    expect(await bench.reins(['run:repair-journal', run])).toMatchObject({
      exit: 1,
      json: {
        lost: ['journal/000003'],
        warnings: [expect.stringMatching(`answer of effect ${effectId}, in entry 3, is lost.*replay_nondeterminism`)],
      },
    });
    const pending = (await bench.json(['task:list', run, '--pending'])).tasks as JsonObject[];
    expect(pending.map((task) => task.effectId)).toContain(effectId);
  });
});

const patched = bench.process(
  'patched',
  `await ctx.task(step, { n: 1 }); const way = ctx.patched('x'); await ctx.task(step, { n: way ? 2 : 3 });`,
);

describe('a run that passed a ctx.patched call', () => {
  async function run(id: string): Promise<string> {
    await bench.json(['run:create', '--run-id', id, '--entry', patched]);
    await bench.json(['run:iterate', id]);
    await answer(id, 1);
    await bench.json(['run:iterate', id]);
    return join(bench.runs, id);
  }

  test('and lost its marker: warns that the replay may diverge', async () => {
    const mark = entryOf(await run('mark'), 4);
    writeFileSync(mark, readFileSync(mark, 'utf8').slice(0, -5));
    expect(await bench.reins(['run:repair-journal', 'mark'])).toMatchObject({
      exit: 1,
      json: { lost: ['journal/000004'], warnings: [expect.stringMatching(/@patched.*replay_nondeterminism/)] },
    });
  });

  test('and has an invalid object after its last entry: drops it', async () => {
    const folder = await run('object');
    writeFileSync(join(folder, 'journal', '000006.7ZZZZZZZZZZZZZZZZZZZZZZZZZ.json'), '{}');
    expect(await bench.reins(['run:verify', 'object'])).toMatchObject({ exit: 1 });
    expect(await bench.json(['run:repair-journal', 'object'])).toMatchObject({ repaired: true, lost: [] });
    expect(await bench.json(['run:verify', 'object'])).toMatchObject({ ok: true, entries: 5 });
  });
});

describe('a file in journal/', () => {
  test('that is not named like an entry is reported by run:verify, for runs of both writers', async () => {
    await bench.json(['run:create', '--run-id', 'stray', '--entry', parallel]);
    const own = join(bench.runs, 'stray');
    for (const run of [own, fixture('waiting-mixed-6.0.0', 'stray')]) {
      writeFileSync(join(run, 'journal', '.unfinished-1'), '');
      writeFileSync(join(run, 'journal', 'x.json.tmp-1-2-3'), '');
      expect(await bench.json(['run:verify', run])).toMatchObject({ ok: true });
      writeFileSync(join(run, 'journal', '000006.json'), '{}');
      const hint = expect.stringMatching(/^Restore its original name/);
      expect(await bench.reins(['run:verify', run])).toMatchObject({
        exit: 1,
        json: { problems: [{ path: 'journal/000006.json', hint }] },
      });
      expect(await bench.json(['run:repair-journal', run])).toMatchObject({
        aside: [{ name: '000006.json', why: 'not a valid entry name' }],
        repaired: true,
        backupDir: null,
      });
      expect(await bench.json(['run:verify', run])).toMatchObject({ ok: true });
    }
  });

  test('that is named like an entry except for its case is an entry', async () => {
    await bench.json(['run:create', '--run-id', 'cased', '--entry', parallel]);
    await bench.json(['run:iterate', 'cased']);
    for (const run of [join(bench.runs, 'cased'), fixture('waiting-mixed-6.0.0', 'cased')]) {
      const before = await bench.json(['run:verify', run]);
      const last = entryOf(run, readdirSync(join(run, 'journal')).length);
      renameSync(last, join(dirname(last), basename(last).toLowerCase()));
      expect(await bench.json(['run:verify', run])).toEqual(before);
      await bench.json(['run:iterate', run]);
    }
  });
});

test('an invalid entry is reported with its file and a hint', async () => {
  await bench.json(['run:create', '--run-id', 'wrong', '--entry', parallel]);
  await bench.json(['run:iterate', 'wrong']);
  const own = join(bench.runs, 'wrong');
  const legacy = fixture('waiting-mixed-6.0.0', 'wrong');
  for (const [run, change] of [
    [own, (text: string) => text.replace('Step 1', 'Step 9')],
    [legacy, (text: string) => text.replace('RUN_CREATED', 'PROCESS_LOG').replace(/,\n {2}"checksum.*/, '')],
  ] as const) {
    const path = entryOf(run, run === own ? 2 : 1);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
    const problem = { path: `journal/${basename(path)}`, hint: 'Preview a repair with run:repair-journal --dry-run.' };
    expect(await bench.reins(['run:verify', run])).toMatchObject({ exit: 1, json: { problems: [problem] } });
    expect(await bench.reins(['run:status', run])).toMatchObject({ exit: 1, json: { error: problem } });
  }
});
