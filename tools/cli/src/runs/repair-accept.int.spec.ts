import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { defined, type JsonObject } from '@reins/contracts';
import { type Entry, hashEntry } from '@reins/journal';
import { Workbench } from './testing/command-line.ts';

/** Repairs that need a decision, and what the other commands say about a corrupted run. */
const bench = await Workbench.make();
afterAll(() => bench.remove());

const steps = bench.process(
  'steps',
  `const one = await ctx.step('one', () => 'first'); ctx.log('said');
   const b = await ctx.task(step, { n: 1 }); return { one, b, c: await ctx.task(step, { n: 2 }) };`,
);

/** 1 created, 2 and 3 step, 4 log entry, 5 task, 6 its answer, 7 the next task. */
async function started(id: string): Promise<string> {
  await bench.json(['run:create', '--run-id', id, '--entry', steps, '--inputs', '{"x":1}']);
  await bench.json(['run:iterate', id]);
  await answer(id, 1);
  await bench.json(['run:iterate', id]);
  return join(bench.runs, id);
}

async function answer(id: string, value: number): Promise<void> {
  const { tasks } = await bench.json(['task:list', id, '--pending']);
  const [{ effectId }] = tasks as [JsonObject];
  await bench.json(['task:post', id, String(effectId), '--status', 'ok', '--value-inline', `${value}`]);
}

const fileOf = (run: string, version: number): string =>
  join(run, 'journal', readdirSync(join(run, 'journal')).toSorted()[version - 1] as string);

function change(run: string, version: number, what: string, instead: string): void {
  const path = fileOf(run, version);
  writeFileSync(path, readFileSync(path, 'utf8').replace(what, instead));
}

/** Changes an entry, and recomputes its hash and those of all later entries. */
function forge(run: string, version: number, what: string, instead: string): void {
  change(run, version, what, instead);
  let prev: string | undefined;
  for (let at = version; at <= readdirSync(join(run, 'journal')).length; at += 1) {
    const path = fileOf(run, at);
    const { commit, ...body } = JSON.parse(readFileSync(path, 'utf8')) as Entry & { commit: JsonObject };
    const entry = { ...body, ...defined({ prev }) } as Entry;
    const hash = hashEntry(entry);
    const checksum = createHash('sha256').update(`${hash} ${commit.first} ${commit.last}`).digest('hex').slice(0, 16);
    writeFileSync(path, `${JSON.stringify({ ...entry, hash, commit: { ...commit, checksum } }, null, 2)}\n`);
    prev = hash;
  }
}

const eventsOf = async (id: string) => (await bench.json(['run:events', id])).events as JsonObject[];

const effectIn = (event: JsonObject | undefined): string => String((event?.data as JsonObject | undefined)?.effectId);

test('a changed result that nothing proves is kept only if --accept names its effect', async () => {
  const run = await started('accept');
  const id = effectIn((await eventsOf('accept'))[2]);
  change(run, 3, 'first', 'forged');
  for (const args of [
    ['run:repair-journal', 'accept', '--dry-run'],
    ['run:repair-journal', 'accept'],
  ])
    expect(await bench.reins(args)).toMatchObject({
      exit: 1,
      json: {
        whole: false,
        unproven: [{ entry: 3, effectId: id }],
        warnings: [expect.stringMatching(`--accept ${id}`)],
      },
    });
  expect(await bench.reins(['run:repair-journal', 'accept', '--accept', 'ef_other'])).toMatchObject({ exit: 2 });
  const files = readdirSync(join(run, 'journal')).length;
  expect(await bench.json(['run:repair-journal', 'accept', '--accept', id])).toMatchObject({
    repaired: true,
    accepted: [{ entry: 3, effectId: id }],
    journal: { originalFiles: files, keptEvents: files },
    warnings: [],
  });
  expect(await bench.json(['run:verify', 'accept'])).toMatchObject({ ok: true });
  expect((await eventsOf('accept'))[2]).toMatchObject({
    type: 'PROCESS_LOG',
    data: { label: 'run:repair-journal', message: { accepted: { entry: 3, effectId: id } } },
  });
  await answer('accept', 2);
  expect(await bench.json(['run:iterate', 'accept'])).toMatchObject({
    status: 'completed',
    output: { one: 'forged', b: 1, c: 2 },
  });
  expect(await bench.json(['replay', 'accept'])).toMatchObject({ identical: true });
});

test('exchanged entries get their places back, and the run completes', async () => {
  const run = await started('order');
  const [a, b] = [fileOf(run, 4), fileOf(run, 5)];
  renameSync(a, `${a}.x`);
  renameSync(b, a);
  renameSync(`${a}.x`, b);
  expect(await bench.reins(['run:verify', 'order'])).toMatchObject({ exit: 1 });
  expect(await bench.json(['run:repair-journal', 'order'])).toMatchObject({
    repaired: true,
    reordered: [{ version: 4 }, { version: 5 }],
    dropped: [],
  });
  await answer('order', 2);
  expect(await bench.json(['run:iterate', 'order'])).toMatchObject({ status: 'completed', output: { one: 'first' } });
});

test('a run without its first entry and run.json continues with the process that --entry names', async () => {
  const run = await started('headless');
  rmSync(fileOf(run, 1));
  rmSync(join(run, 'run.json'));
  expect(await bench.reins(['run:repair-journal', 'headless'])).toMatchObject({
    exit: 1,
    json: { error: { code: 'journal_corrupt', hint: expect.stringMatching(/--entry/) } },
  });
  expect(await bench.json(['run:repair-journal', 'headless', '--entry', steps])).toMatchObject({ repaired: true });
  expect(await bench.json(['run:verify', 'headless'])).toMatchObject({ ok: true, entries: 8 });
  await answer('headless', 2);
  expect(await bench.json(['run:iterate', 'headless'])).toMatchObject({ status: 'completed', output: { b: 1, c: 2 } });
});

test('a renamed directory without its first entry and run.json is not recovered under another run id', async () => {
  const run = await started('renamed');
  rmSync(fileOf(run, 1));
  rmSync(join(run, 'run.json'));
  renameSync(run, join(bench.runs, 'other'));
  const dry = await bench.reins(['run:repair-journal', 'other', '--dry-run']);
  expect(dry).toMatchObject({ exit: 1, json: { lost: ['journal/000001'] } });
  expect(dry.json.warnings).toContainEqual(expect.stringContaining('Name it with --entry'));
  const refused = await bench.reins(['run:repair-journal', 'other', '--entry', steps]);
  expect(refused.json.errors).toMatchObject([
    { code: 'journal_corrupt', message: expect.stringContaining('do not belong to run other') },
  ]);
  renameSync(join(bench.runs, 'other'), run);
  await bench.json(['run:repair-journal', 'renamed', '--entry', steps]);
  expect(await bench.json(['run:iterate', 'renamed'])).toMatchObject({ status: 'waiting' });
});

test('a run.json of another run is refused by every command until a repair restores its runId', async () => {
  const run = await started('owner');
  const path = join(run, 'run.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"runId": "owner"', '"runId": "other"'));
  const hint = 'Restore its runId with run:repair-journal.';
  const problem = { code: 'journal_corrupt', path: 'run.json', hint };
  expect(await bench.reins(['run:verify', run])).toMatchObject({ exit: 1, json: { problems: [problem] } });
  expect(await bench.reins(['run:iterate', run])).toMatchObject({ exit: 1, json: { error: problem } });
  expect(await bench.json(['run:repair-journal', run])).toMatchObject({ repaired: true });
  expect(await bench.json(['run:verify', run])).toMatchObject({ ok: true });
});

test('a lost result of a step is reported with task:invalidate, which continues the run', async () => {
  const run = await started('step');
  const effectId = effectIn((await eventsOf('step'))[2]);
  writeFileSync(fileOf(run, 3), '');
  expect(await bench.reins(['run:repair-journal', 'step'])).toMatchObject({
    exit: 1,
    json: { warnings: [expect.stringMatching(`task:invalidate <run> ${effectId}$`)] },
  });
  await bench.json(['task:invalidate', 'step', effectId]);
  expect(await bench.json(['run:iterate', 'step'])).toMatchObject({ status: 'waiting' });
});

test('run:events lists what can be read of a corrupted journal, and marks where it breaks', async () => {
  const run = await started('events');
  const before = await eventsOf('events');
  const text = readFileSync(fileOf(run, 4));
  writeFileSync(fileOf(run, 4), '{');
  const { exit, json } = await bench.reins(['run:events', 'events']);
  expect({ exit, ...json }).toMatchObject({ exit: 1, brokenAt: 4, error: { code: 'journal_corrupt' } });
  expect(json.events).toEqual(before.toSpliced(3, 1));
  const markIn = async (...args: string[]) =>
    (await bench.forPeople(['run:events', 'events', ...args])).out
      .split('\n')
      .findIndex((line) => line.startsWith('--- the journal is broken here'));
  expect(await markIn()).toBe(3);
  expect(await markIn('--reverse')).toBe(3);
  writeFileSync(fileOf(run, 4), text);
  change(run, 6, '1', '2');
  expect(await markIn()).toBe(5);
});

describe('the files of tasks', () => {
  const many = bench.process(
    'many',
    'return Promise.all(Array.from({ length: 20 }, (_, n) => ctx.task(step, { n })));',
  );
  test.each(['run:iterate', 'task:post'])('that a killed process did not write are written by %s', async (command) => {
    const id = `killed-${command.slice(5)}`;
    await bench.json(['run:create', '--run-id', id, '--entry', many]);
    const state = readFileSync(join(bench.runs, id, 'state', 'state.json'));
    await bench.json(['run:iterate', id]);
    const tasks = (await bench.json(['task:list', id])).tasks as JsonObject[];
    // A process that is killed after its entries has written some of the files, and not the state.
    writeFileSync(join(bench.runs, id, 'state', 'state.json'), state);
    for (const { effectId } of tasks.slice(3))
      rmSync(join(bench.runs, id, 'tasks', String(effectId)), { recursive: true });
    const [first] = tasks as [JsonObject];
    const post = ['task:post', id, String(first.effectId), '--status', 'ok', '--value-inline', '1'];
    await bench.json(command === 'task:post' ? post : ['run:iterate', id]);
    expect(readdirSync(join(bench.runs, id, 'tasks'))).toHaveLength(20);
    expect(await bench.json(['run:verify', id])).toMatchObject({ ok: true });
  });
});

test('diff shows the status of a run as run:status does', async () => {
  await started('words-a');
  const b = await started('words-b');
  await answer('words-b', 2);
  await bench.json(['run:iterate', b]);
  const { a: mine, b: other } = await bench.json(['diff', join(bench.runs, 'words-a'), b]);
  for (const [id, { status }] of [
    ['words-a', mine],
    ['words-b', other],
  ] as [string, JsonObject][])
    expect(await bench.json(['run:status', id])).toMatchObject({ state: status });
  expect([(mine as JsonObject).status, (other as JsonObject).status]).toEqual(['waiting', 'completed']);
});

describe('an entry that was changed together with all hashes', () => {
  const verify = async (id: string) => (await bench.reins(['run:verify', id])).json.problems;
  const hashIn = (path: string) => (JSON.parse(readFileSync(path, 'utf8')) as Entry).hash;
  const named = (version: number) => [
    { path: expect.stringMatching(`^journal/00000${version}`), message: expect.stringContaining('it was changed') },
  ];

  test('is named by the stored state, and restored from the file of its task', async () => {
    const run = await started('forged-last');
    const before = hashIn(fileOf(run, 7));
    forge(run, 7, 'Step 2', 'Step 3');
    expect(await verify('forged-last')).toMatchObject(named(7));
    expect(await bench.reins(['run:rebuild-state', 'forged-last'])).toMatchObject({ exit: 1 });
    expect(await bench.json(['run:repair-journal', 'forged-last'])).toMatchObject({
      suspicious: [{ why: expect.stringContaining('replaced by the original from tasks/') }],
    });
    expect(hashIn(fileOf(run, 7))).toBe(before);
    expect(await bench.json(['run:verify', 'forged-last'])).toMatchObject({ ok: true });
  });

  test('is named by the next file when the change is earlier, and has to be accepted when no file has the original', async () => {
    const run = await started('forged-early');
    forge(run, 3, 'first', 'forged');
    expect(await verify('forged-early')).toMatchObject(named(3));
    const repaired = await bench.reins(['run:repair-journal', 'forged-early']);
    expect(repaired).toMatchObject({ exit: 1, json: { unproven: [{ entry: 3 }] } });
    await bench.json(['run:repair-journal', 'forged-early', '--accept', '3']);
    expect(await bench.json(['run:verify', 'forged-early'])).toMatchObject({ ok: true });
  });

  test('is not suspected when only the stored hash is damaged', async () => {
    const run = await started('forged-state');
    const path = join(run, 'state', 'state.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"hash": "./, '"hash": "x'));
    expect(await verify('forged-state')).toMatchObject([{ path: 'state/state.json' }]);
    expect(await bench.json(['run:repair-journal', 'forged-state'])).toMatchObject({ whole: true });
    await bench.json(['run:rebuild-state', 'forged-state']);
    expect(await bench.json(['run:verify', 'forged-state'])).toMatchObject({ ok: true });
  });
});
