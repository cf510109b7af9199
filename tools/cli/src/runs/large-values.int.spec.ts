import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { Workbench } from './testing/command-line.ts';
import { drivenRuns } from './testing/driven-runs.ts';

/** A run whose inputs, arguments, definition, result and output are all too large for the journal. */
const bench = await Workbench.make();
afterAll(() => bench.remove());

const TEXT = 'x'.repeat(1_100_000);
const RESULT = { text: 'y'.repeat(100_000), small: 1 };
const BODY = `
  const a = await ctx.task(step, { n: inputs.text });
  const b = await ctx.task(step, { a: a.small });
  return { a, b, text: inputs.text };`;
const NAMES = { RUN_CREATED: 'inputsRef', EFFECT_REQUESTED: 'requestRef', RUN_COMPLETED: 'outputRef' };

const { started, tasks, pending, ok, iterate, post } = drivenRuns(bench);
const path = (id: string, ...parts: string[]): string => join(bench.runs, id, ...parts);
const journalSize = (id: string): number =>
  readdirSync(path(id, 'journal')).reduce((sum, name) => sum + statSync(path(id, 'journal', name)).size, 0);

/** The blob that the first entry of this type refers to. */
async function blobOf(id: string, type: keyof typeof NAMES | 'EFFECT_RESOLVED'): Promise<string> {
  const { events } = await bench.json(['run:events', id, '--filter-type', type]);
  const [{ data }] = events as [{ data: JsonObject }];
  const name = type === 'EFFECT_RESOLVED' ? 'valueRef' : NAMES[type];
  return `blobs/${(data[name] as { sha256: string }).sha256}.json`;
}

/** Drives the run up to its second task. */
async function startedRun(id: string): Promise<string> {
  const inputs = bench.file('inputs.json', JSON.stringify({ text: TEXT }));
  await bench.json(['run:create', '--run-id', id, '--entry', bench.process(id, BODY), '--inputs', inputs]);
  const { nextActions } = (await iterate(id)).json as { nextActions: JsonObject[] };
  expect(nextActions).toMatchObject([{ taskDef: { title: `Step ${TEXT}` } }]);
  const value = bench.file('value.json', JSON.stringify(RESULT));
  await post(id, '--status', 'ok', '--value', value, '--stdout-file', bench.file('out', 'said'));
  expect((await iterate(id)).json).toMatchObject({ status: 'waiting', count: 1 });
  return id;
}

beforeAll(async () => {
  await startedRun('big');
  await ok('big', 'done');
  expect((await iterate('big')).json).toMatchObject({ status: 'completed', output: { a: RESULT, text: TEXT } });
});

test('keeps the journal small, and readers see the whole values', async () => {
  expect(journalSize('big')).toBeLessThan(10_000);
  for (const [type, name] of Object.entries(NAMES))
    expect(await bench.json(['run:events', 'big', '--filter-type', type])).toMatchObject({
      events: expect.arrayContaining([
        expect.objectContaining({
          data: expect.objectContaining({
            [name]: {
              sha256: expect.any(String),
              size: expect.any(Number),
              mediaType: 'application/json',
            },
          }),
        }),
      ]),
    });
  const first = (await tasks('big')).find(({ inputsRef }) => inputsRef !== null);
  expect(first).toMatchObject({ status: 'resolved_ok', stdoutRef: expect.stringMatching(/stdout.log$/) });
  expect(bench.read('big', 'inputs.json')).toEqual({ text: TEXT });
  expect(bench.read('big', 'state', 'output.json')).toMatchObject({ text: TEXT });
  const secrets = { BABYSITTER_ALLOW_SECRET_LOGS: '1' };
  const shown = await bench.json(['task:show', 'big', String(first?.effectId), '--verbose'], secrets);
  expect(shown).toMatchObject({ result: { status: 'ok', value: { value: RESULT } }, largeResult: null });
  expect((await iterate('big')).json).toMatchObject({ output: { text: TEXT } });
});

test('is replayed, forked, compared and exported like any other run', async () => {
  expect(await bench.json(['replay', 'big', '--verify'])).toMatchObject({
    identical: true,
    problems: [],
    state: { output: { text: TEXT } },
  });
  await bench.json(['fork', 'big', '--at', '4', '--run-id', 'fork']);
  await ok('fork', 'other');
  expect((await iterate('fork')).json).toMatchObject({ status: 'completed', output: { b: 'other', text: TEXT } });
  expect(await bench.json(['diff', 'big', 'fork'])).toMatchObject({
    effects: [{ change: 'changed', differs: ['result'] }],
    output: { same: false, a: { b: 'done' }, b: { b: 'other' } },
  });
  const bundle = join(bench.root, 'big.json');
  await bench.json(['journal', 'export', 'big', '-o', bundle]);
  const elsewhere = ['--runs-dir', join(bench.root, 'elsewhere')];
  expect(await bench.json(['journal', 'import', bundle, ...elsewhere])).toMatchObject({
    warnings: [expect.stringMatching(/^the bundle lacks the code of .*big\.mjs/)],
  });
  expect(await bench.json(['run:verify', 'big', ...elsewhere])).toMatchObject({ ok: true });
});

test.each([
  ['EFFECT_REQUESTED', 0, /^the bundle lacks the request of \S+ \(entry 2, value /],
  ['EFFECT_RESOLVED', 1, /^journal_corrupt at bundle: the bundle lacks the value /],
] as const)(
  'a bundle without the value of %s is imported only if a replay does not need it',
  async (type, exit, message) => {
    const bundle = join(bench.root, `${type}.json`);
    await bench.json(['journal', 'export', 'big', '-o', bundle]);
    const { values, ...rest } = JSON.parse(readFileSync(bundle, 'utf8')) as { values: JsonObject };
    const sha256 = basename(await blobOf('big', type), '.json');
    const { [sha256]: _, ...others } = values;
    writeFileSync(bundle, JSON.stringify({ ...rest, values: others }));
    const elsewhere = ['--runs-dir', join(bench.root, type)];
    const imported = await bench.forPeople(['journal', 'import', bundle, ...elsewhere]);
    expect(imported).toMatchObject({ exit, err: expect.stringMatching(message) });
    expect(imported.err).toContain(sha256);
  },
);

test('a fork stores its own large inputs by reference', async () => {
  const inputs = bench.file('inputs.json', JSON.stringify({ text: TEXT, more: 1 }));
  await bench.json(['fork', 'big', '--at', '3', '--run-id', 'given', '--input', inputs]);
  expect(journalSize('given')).toBeLessThan(6000);
  expect(bench.read('given', 'inputs.json')).toMatchObject({ more: 1 });
  expect(await bench.json(['run:verify', 'given'])).toMatchObject({ ok: true });
});

test('a new process gets the inputs of the run', async () => {
  await startedRun('moved');
  const entry = bench.process('another', 'return inputs.text.length;');
  await bench.json(['run:assign-process', 'moved', '--entry', entry, '--force']);
  expect((await iterate('moved')).json).toMatchObject({ status: 'completed', output: TEXT.length });
  expect(await bench.json(['run:verify', 'moved'])).toMatchObject({ ok: true });
});

describe('a lost blob', () => {
  test.each([
    ['RUN_CREATED', 'inputs.json'],
    ['EFFECT_REQUESTED', /^tasks\/.*\/task.json$/],
    ['RUN_COMPLETED', 'state/output.json'],
  ] as const)(
    'of %s is reported, also after a rebuild, and restored from the files next to the journal',
    async (type, from) => {
      const blob = await blobOf('big', type);
      const before = readFileSync(path('big', blob), 'utf8');
      rmSync(path('big', blob));
      await bench.json(['run:rebuild-state', 'big']);
      expect(await bench.reins(['run:verify', 'big'])).toMatchObject({ exit: 1, json: { problems: [{ path: blob }] } });
      const restored = [{ path: blob, from: expect.stringMatching(from) }];
      expect(await bench.json(['run:repair-journal', 'big', '--dry-run'])).toMatchObject({
        repaired: false,
        restored,
        warnings: [],
      });
      expect(await bench.json(['run:repair-journal', 'big'])).toMatchObject({
        repaired: true,
        restored,
        backupDir: null,
      });
      expect(readFileSync(path('big', blob), 'utf8')).toBe(before);
      expect(await bench.json(['run:verify', 'big'])).toMatchObject({ ok: true });
    },
  );

  test('is restored when it was changed, too', async () => {
    const blob = await blobOf('big', 'EFFECT_REQUESTED');
    writeFileSync(path('big', blob), '{}');
    expect(await bench.json(['run:repair-journal', 'big'])).toMatchObject({ restored: [{ path: blob }] });
    expect(await bench.json(['replay', 'big', '--verify'])).toMatchObject({ verified: true });
  });

  test('of a result is reported as lost', async () => {
    await startedRun('lost');
    const blob = await blobOf('lost', 'EFFECT_RESOLVED');
    rmSync(path('lost', blob));
    for (const dryRun of [['--dry-run'], []])
      expect(await bench.reins(['run:repair-journal', 'lost', ...dryRun])).toMatchObject({
        exit: 1,
        json: {
          restored: [],
          lost: [blob],
          warnings: [expect.stringMatching(/is missing\. .*task:invalidate/)],
          repaired: false,
          whole: false,
        },
      });
    expect((await bench.forPeople(['run:repair-journal', 'lost'])).out).toMatch(`4 of 4 files kept; lost: ${blob}`);
    expect(await bench.reins(['run:iterate', 'lost'])).toMatchObject({
      exit: 1,
      json: { error: { code: 'journal_corrupt' } },
    });
    const resolved = (await tasks('lost')).find(({ status }) => status === 'resolved_ok');
    await bench.json(['task:invalidate', 'lost', String(resolved?.effectId)]);
    for (const command of ['run:iterate', 'run:verify', 'run:repair-journal'])
      expect(await bench.reins([command, 'lost'])).toMatchObject({ exit: 0 });
  });

  test.each([
    ['missing', (file: string) => rmSync(file)],
    ['changed', (file: string) => writeFileSync(file, '{}')],
  ])('that is %s is not shared: refuses a fork that needs it', async (how, change) => {
    const id = await startedRun(how);
    const blob = await blobOf(id, 'EFFECT_RESOLVED');
    change(path(id, blob));
    expect(await bench.reins(['fork', id, '--at', '3', '--run-id', `${how}-fork`])).toMatchObject({
      exit: 1,
      json: { error: { code: 'journal_corrupt', path: blob, hint: expect.stringMatching(/fork at an earlier entry/) } },
    });
    expect(readdirSync(bench.runs)).not.toContain(`${how}-fork`);
    await bench.json(['fork', id, '--at', '2', '--run-id', `${how}-fork`]);
    change(path(id, await blobOf(id, 'RUN_CREATED')));
    await bench.json(['fork', id, '--at', '1', '--run-id', `${how}-inputs`, '--input', '{}']);
  });
});

describe('readable copies of arguments', () => {
  test('are rebuilt when they are missing', async () => {
    const inputsRef = (await tasks('big')).map((task) => task.inputsRef).find((ref) => ref !== null) as string;
    rmSync(path('big', inputsRef));
    expect(await bench.reins(['run:verify', 'big'])).toMatchObject({
      json: { problems: [{ message: expect.stringContaining(inputsRef) }] },
    });
    await bench.json(['run:rebuild-state', 'big']);
    expect(bench.read('big', inputsRef)).toEqual({ n: TEXT });
  });
});

test.each([
  ['the first entry', 1],
  ['a request', 2],
  ['an answer', 3],
])('a truncated %s is restored by reference, proven by its hash', async (_, n) => {
  const id = await startedRun(`torn-${n}`);
  const file = path(id, 'journal', readdirSync(path(id, 'journal')).toSorted()[n - 1] as string);
  const before = readFileSync(file, 'utf8');
  writeFileSync(file, before.slice(0, 150));
  expect(await bench.json(['run:repair-journal', id])).toMatchObject({ rescued: [{ isProven: true }], warnings: [] });
  expect(JSON.parse(readFileSync(file, 'utf8')).hash).toBe(JSON.parse(before).hash);
  await ok(id, 'end');
  expect((await iterate(id)).json).toMatchObject({ status: 'completed' });
  expect(await bench.json(['run:verify', id])).toMatchObject({ ok: true });
});

test('a recovery can change a large result', async () => {
  const { id } = await started(
    'const a = await ctx.task(step, { n: 1 }); if (!a.isGood) throw new TypeError("cannot use it"); return a;',
  );
  const effect = await pending(id);
  await ok(id, { ...RESULT, isGood: false });
  expect((await iterate(id)).json).toMatchObject({ reason: 'process-error: cannot use it' });
  await bench.json(['run:recover-process-error', id, '--patch-effect', `${effect}:isGood=true`]);
  expect((await iterate(id)).json).toMatchObject({ output: { ...RESULT, isGood: true } });
  expect(journalSize(id)).toBeLessThan(10_000);
  expect(await bench.json(['run:verify', id])).toMatchObject({ ok: true });
});
