import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { Workbench } from './testing/command-line.ts';

/** Run directories that somebody changed on purpose: what they must not achieve. */
const bench = await Workbench.make();
afterAll(() => bench.remove());

const entry = bench.process(
  'asks',
  `const a = await ctx.task(step, { n: 1 });
   const b = await ctx.breakpoint({ question: 'deploy?' });
   return { deployed: b.approved, c: await ctx.task(step, { n: 2 }) };`,
);

/** 1 created, 2 task, 3 its answer, 4 breakpoint; pending. */
async function waiting(id: string, ...args: string[]): Promise<{ run: string; effectId: string }> {
  await bench.json(['run:create', '--run-id', id, '--entry', entry, '--inputs', '{"x":1}', ...args]);
  await bench.json(['run:iterate', id]);
  await post(id, { out: 1 });
  await bench.json(['run:iterate', id]);
  return { run: join(bench.runs, id), effectId: await pending(id) };
}

async function pending(id: string): Promise<string> {
  const { tasks } = await bench.json(['task:list', id, '--pending']);
  return String((tasks as [JsonObject])[0].effectId);
}

const post = async (id: string, value: JsonObject) =>
  bench.json(['task:post', id, await pending(id), '--status', 'ok', '--value-inline', JSON.stringify(value)]);

const verify = async (id: string) => (await bench.reins(['run:verify', id])).json.problems;
const fileOf = (run: string, at: number) =>
  join(run, 'journal', readdirSync(join(run, 'journal')).toSorted()[at - 1] ?? '');
const edit = (path: string, change: (value: JsonObject) => JsonObject) =>
  writeFileSync(path, `${JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')) as JsonObject), null, 2)}\n`);

function plant(run: string, effectId: string): string {
  const path = join(run, 'tasks', effectId, 'result.json');
  const value = { approved: true, by: 'admin' };
  writeFileSync(
    path,
    JSON.stringify({ effectId, status: 'ok', attempt: 1, value, finishedAt: '2026-11-22T19:30:00.000Z' }),
  );
  return path;
}

describe('a result file that the journal does not have', () => {
  test('is named, and a repair does not take it for an answer', async () => {
    const { run, effectId } = await waiting('planted');
    const path = plant(run, effectId);
    expect(await verify('planted')).toMatchObject([
      { message: expect.stringContaining('has no result of this effect') },
    ]);
    expect(await bench.json(['run:repair-journal', 'planted'])).toMatchObject({ rescued: [], repaired: false });
    expect(await pending('planted')).toBe(effectId);
    await bench.json(['run:rebuild-state', 'planted']);
    expect(existsSync(path)).toBe(false);
    expect(await bench.json(['run:verify', 'planted'])).toMatchObject({ ok: true });
  });

  test('is a decision of a person only if the caller accepts it', async () => {
    const { run, effectId } = await waiting('decided');
    await post('decided', { approved: true });
    writeFileSync(fileOf(run, 5), '{');
    rmSync(join(run, 'state'), { recursive: true });
    const refused = await bench.reins(['run:repair-journal', 'decided']);
    expect(refused).toMatchObject({ exit: 1, json: { repaired: false, unproven: [{ effectId, entry: 5 }] } });
    expect(await bench.json(['run:repair-journal', 'decided', '--accept', effectId])).toMatchObject({ repaired: true });
    const { events } = await bench.json(['run:events', 'decided']);
    expect((events as JsonObject[]).map(({ type }) => type).slice(4)).toEqual(['PROCESS_LOG', 'EFFECT_RESOLVED']);
    expect(await bench.json(['run:verify', 'decided'])).toMatchObject({ ok: true });
  });
});

describe('permissions in run.json', () => {
  test('do not count: only those in the first entry do', async () => {
    const { run, effectId } = await waiting('granted');
    edit(join(run, 'run.json'), (value) => ({ ...value, nonInteractive: true }));
    expect(await verify('granted')).toMatchObject([
      { message: expect.stringContaining('nonInteractive is not in the journal') },
    ]);
    await bench.json(['run:iterate', 'granted']);
    expect(await pending('granted')).toBe(effectId);
    await bench.json(['run:rebuild-state', 'granted']);
    expect(await bench.json(['run:verify', 'granted'])).toMatchObject({ ok: true });
  });

  test('do not hide other changes behind a conversion that the journal does not have', async () => {
    const { run } = await waiting('converted');
    edit(join(run, 'run.json'), (value) => ({ ...value, migratedFrom: { layoutVersion: '1' } }));
    expect(await verify('converted')).toMatchObject([{ message: expect.stringContaining('its migratedFrom is not') }]);
    await bench.json(['run:rebuild-state', 'converted']);
    expect(bench.read('converted', 'run.json')).not.toHaveProperty('migratedFrom');
    expect(await bench.json(['run:verify', 'converted'])).toMatchObject({ ok: true });
  });

  test('of a lost first entry are not taken from run.json without --accept', async () => {
    const rules = {
      policyRules: [{ id: 'no', action: 'deny', conditions: [{ field: 'taskId', operator: 'eq', value: 'x' }] }],
    };
    const { run } = await waiting('stripped', '--governance', bench.file('rules.json', JSON.stringify(rules)));
    rmSync(fileOf(run, 1));
    edit(join(run, 'run.json'), ({ governance: _, ...value }) => value);
    const refused = await bench.reins(['run:repair-journal', 'stripped']);
    expect(refused).toMatchObject({ exit: 1, json: { repaired: false, unproven: [{ entry: 1, from: 'run.json' }] } });
    await bench.json(['run:repair-journal', 'stripped', '--accept', '1']);
    const { events } = await bench.json(['run:events', 'stripped']);
    expect((events as JsonObject[])[1]).toMatchObject({
      type: 'PROCESS_LOG',
      data: { message: { accepted: { entry: 1 } } },
    });
    expect(await bench.json(['run:iterate', 'stripped'])).toMatchObject({ status: 'waiting' });
  });
});

describe('links and special files', () => {
  const outside = join(bench.root, 'outside');
  mkdirSync(outside);

  test.each([
    ['tasks', (run: string) => join(run, 'tasks')],
    ['the folder of a task', (run: string, effectId: string) => join(run, 'tasks', effectId)],
    ['the blobs of a task', (run: string, effectId: string) => join(run, 'tasks', effectId, 'blobs')],
    ['a blob of a task', (run: string, effectId: string) => join(run, 'tasks', effectId, 'blobs', 'x.txt')],
    ['state', (run: string) => join(run, 'state')],
    ['journal', (run: string) => join(run, 'journal')],
    ['process', (run: string) => join(run, 'process')],
    ['inputs.json', (run: string) => join(run, 'inputs.json')],
  ])('%s: nothing is written through a link, and verify names it', async (name, at) => {
    const id = `link-${name.replaceAll(/\W/g, '-')}`;
    const { run, effectId } = await waiting(id);
    const path = at(run, effectId);
    const target = join(outside, id);
    mkdirSync(dirname(path), { recursive: true });
    if (existsSync(path)) renameSync(path, target);
    else mkdirSync(target);
    symlinkSync(target, path);
    const before = snapshot(target);
    expect(await verify(id)).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('symbolic link') }),
    );
    for (const args of [
      ['run:iterate', id],
      ['run:rebuild-state', id],
      ['run:repair-journal', id],
    ])
      expect(await bench.reins(args)).toMatchObject({ exit: 1, json: { error: { code: 'journal_corrupt' } } });
    expect(snapshot(target)).toEqual(before);
  });

  const snapshot = (path: string): unknown =>
    path.endsWith('json')
      ? readFileSync(path, 'utf8')
      : readdirSync(path, { recursive: true, withFileTypes: true }).map(({ parentPath, name, ...one }) => [
          name,
          'isFile' in one,
          join(parentPath, name),
        ]);

  test.each(['run.json', 'run.lock', 'journal/000005.01M82B504JS82A5CKPHA74F433.json'])(
    'a pipe in place of %s blocks no command',
    async (name) => {
      const id = `pipe-${name.replaceAll(/\W/g, '-').slice(0, 20)}`;
      const { run } = await waiting(id);
      rmSync(join(run, name), { force: true });
      execFileSync('mkfifo', [join(run, name)]);
      expect(await bench.reins(['run:iterate', id])).toMatchObject({ exit: 1 });
      for (const command of ['run:verify', 'run:status', 'run:events']) await bench.reins([command, id]);
    },
  );
});

test('an entry whose name was changed is named, and gets its name back', async () => {
  const { run } = await waiting('misnamed');
  const path = fileOf(run, 4);
  renameSync(path, join(run, 'journal', '000004.7ZZZZZZZZZZZZZZZZZZZZZZZZZ.json'));
  expect(await verify('misnamed')).toMatchObject([{ message: expect.stringContaining('the name was changed') }]);
  expect(
    (await bench.reins(['task:post', 'misnamed', await pending('misnamed'), '--status', 'ok', '--value-inline', '1']))
      .exit,
  ).toBe(1);
  expect(await bench.json(['run:repair-journal', 'misnamed'])).toMatchObject({ reordered: [{ version: 4 }], lost: [] });
  expect(existsSync(path)).toBe(true);
  expect(await bench.json(['run:verify', 'misnamed'])).toMatchObject({ ok: true });
});

test('a key that claims countless restarts is not believed', async () => {
  const { run, effectId } = await waiting('restarts');
  const { tasks } = await bench.json(['task:list', 'restarts']);
  const other = (tasks as JsonObject[]).find((task) => task.effectId !== effectId);
  edit(join(run, 'tasks', String(other?.effectId), 'task.json'), (task) => ({
    ...task,
    invocationKey: `g999999999999.${String(task.invocationKey)}`,
  }));
  for (const name of readdirSync(join(run, 'journal'))) rmSync(join(run, 'journal', name));
  expect(await bench.reins(['run:repair-journal', 'restarts', '--dry-run'])).toMatchObject({ exit: 1 });
});

test('the other entries of an acknowledged commit stay when its last entry is lost', async () => {
  const many = bench.process('many', 'return ctx.parallel.all([1, 2, 3].map((n) => () => ctx.task(step, { n })));');
  await bench.json(['run:create', '--run-id', 'torn', '--entry', many]);
  await bench.json(['run:iterate', 'torn']);
  const run = join(bench.runs, 'torn');
  const lost = readFileSync(fileOf(run, 4), 'utf8');
  rmSync(fileOf(run, 4));
  rmSync(join(run, 'tasks', String((JSON.parse(lost) as { data: JsonObject }).data.effectId)), { recursive: true });
  expect(await verify('torn')).toMatchObject([{ message: expect.stringContaining('entry 4 is missing') }]);
  expect(await bench.reins(['run:iterate', 'torn'])).toMatchObject({ exit: 1 });
  expect(await bench.reins(['run:repair-journal', 'torn'])).toMatchObject({
    exit: 1,
    json: { lost: ['journal/000004'], dropped: [], journal: { keptEvents: 3 } },
  });
  expect(await bench.json(['run:verify', 'torn'])).toMatchObject({ ok: true });
  expect((await bench.json(['run:iterate', 'torn'])).nextActions).toHaveLength(3);
});

test('a name with control characters is printed escaped', async () => {
  const { run } = await waiting('named');
  writeFileSync(join(run, 'journal', 'x\nthe journal is intact\u001b[2J'), '');
  for (const command of ['run:verify', 'run:repair-journal']) {
    const { out, err } = await bench.forPeople([command, 'named']);
    expect(out + err).toContain('x\\x0athe journal is intact\\x1b[2J');
    expect(out + err).not.toMatch(/^the journal is intact/m);
  }
});

test('a run is not created in a folder that a link leads to', async () => {
  mkdirSync(join(bench.root, 'theirs'));
  symlinkSync(join(bench.root, 'theirs'), join(bench.runs, 'linked-run'));
  const created = await bench.reins(['run:create', '--run-id', 'linked-run', '--entry', entry]);
  expect(created).toMatchObject({ exit: 1, json: { error: { code: 'run_exists' } } });
  expect(readdirSync(join(bench.root, 'theirs'))).toEqual([]);
});

describe('a bundle', () => {
  const exported = async (id: string) => {
    const bundle = join(bench.root, `${id}.json`);
    await bench.json(['journal', 'export', id, '-o', bundle]);
    return bundle;
  };

  test('is not imported if its process is another module of this machine, unless the caller accepts it', async () => {
    await waiting('moved');
    const bundle = await exported('moved');
    const runs = join(bench.root, 'theirs', 'state', 'runs');
    const local = bench.file('theirs/asks.mjs', 'export async function process() { return 1; }');
    const args = ['journal', 'import', bundle, '--runs-dir', runs];
    expect(await bench.reins(args)).toMatchObject({
      exit: 1,
      json: { error: { code: 'process_import_refused', message: expect.stringContaining(local) } },
    });
    expect(existsSync(join(runs, 'moved'))).toBe(false);
    writeFileSync(local, readFileSync(entry));
    await bench.json(args);
    writeFileSync(local, 'export async function process() { return 1; }');
    rmSync(join(runs, 'moved'), { recursive: true });
    await bench.json([...args, '--use-local-code']);
  });

  test('that approves its breakpoints itself says so', async () => {
    await bench.json(['run:create', '--run-id', 'alone', '--entry', entry, '--non-interactive']);
    const imported = await bench.json([
      'journal',
      'import',
      await exported('alone'),
      '--runs-dir',
      join(bench.root, 'a', 'b', 'c'),
    ]);
    expect(imported.warnings).toContainEqual(expect.stringContaining('approves each of its breakpoints'));
  });
});
