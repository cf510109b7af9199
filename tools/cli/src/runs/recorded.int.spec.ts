import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { Workbench } from './testing/command-line.ts';

/** Commands on a recorded run: replay, fork, diff, repair, export and import. */
const bench = await Workbench.make();
afterAll(() => bench.remove());

const BODY = `
  const a = await ctx.task(step, { n: inputs.n });
  const luck = ctx.random();
  const b = await ctx.task(step, { n: luck });
  ctx.log('done');
  return { a, b };`;

const postNext = async (id: string, value: unknown) => {
  const { tasks } = await bench.json(['task:list', id, '--pending']);
  const [{ effectId }] = tasks as [{ effectId: string }];
  await bench.json(['task:post', id, effectId, '--status', 'ok', '--value-inline', JSON.stringify(value)]);
  return bench.json(['run:iterate', id]);
};

/** The files of a run whose creation crashed before the first entry. */
function leftover(runs: string, id: string): void {
  mkdirSync(join(runs, id, 'blobs'), { recursive: true });
  writeFileSync(join(runs, id, 'run.lock'), '');
}

beforeAll(async () => {
  const entry = bench.process('base', BODY);
  await bench.json(['run:create', '--run-id', 'base', '--entry', entry, '--inputs', '{"n":1}']);
  await bench.json(['run:iterate', 'base']);
  await postNext('base', 'first');
  expect(await postNext('base', 'x'.repeat(100_000))).toMatchObject({ status: 'completed' });
});

describe('replay', () => {
  test('compares every decision, up to any entry, and writes nothing', async () => {
    const before = readdirSync(join(bench.runs, 'base'), { recursive: true }).toSorted();
    expect(await bench.json(['replay', 'base', '--verify'])).toMatchObject({
      identical: true,
      decisions: 3,
      standing: 'completed',
      verified: true,
    });
    expect(await bench.json(['replay', 'base', '--to', '3'])).toMatchObject({
      to: 3,
      standing: 'waiting',
      owed: [{ type: 'EFFECT_REQUESTED' }],
    });
    expect(readdirSync(join(bench.runs, 'base'), { recursive: true }).toSorted()).toEqual(before);
    expect(await bench.reins(['replay', 'base', '--to', '99'])).toMatchObject({ exit: 2 });
  });
});

describe('fork', () => {
  test('shares the first entries and random numbers, and diverges from there', async () => {
    const { runDir, entries } = await bench.json(['fork', 'base', '--at', '4', '--run-id', 'other']);
    expect([runDir, entries]).toEqual([join(bench.runs, 'other'), 4]);
    expect(await bench.json(['run:iterate', 'other'])).toMatchObject({ status: 'waiting', count: 1 });
    expect(await postNext('other', 'second')).toMatchObject({
      status: 'completed',
      output: { a: 'first', b: 'second' },
    });
    expect(await bench.json(['replay', 'other', '--verify'])).toMatchObject({ identical: true, verified: true });
    const proofs = ['base', 'other'].map((id) => bench.read(id, 'run.json').completionProof);
    expect(new Set(proofs).size).toBe(2);
    const { effects, output, cost } = await bench.json(['diff', 'base', 'other']);
    expect(effects).toMatchObject([{ change: 'changed', differs: ['result'] }]);
    expect(output).toMatchObject({ same: false });
    // No model was called.
    expect(cost).toEqual({ a: { inputTokens: 0, outputTokens: 0 }, b: { inputTokens: 0, outputTokens: 0 } });
    expect((await bench.json(['diff', 'base', 'base'])).effects).toEqual([]);
  });

  test('starts before an effect', async () => {
    const { events } = await bench.json(['run:events', 'base', '--filter-type', 'EFFECT_REQUESTED']);
    const [{ seq, data }] = (events as { seq: number; data: { effectId: string } }[]).slice(-1) as [never];
    const { entries } = await bench.json(['fork', 'base', '--at', (data as { effectId: string }).effectId]);
    expect(entries).toBe(seq - 1);
    expect(await bench.reins(['fork', 'base', '--at', 'nothing'])).toMatchObject({ exit: 2 });
  });

  test('accepts other inputs only if the shared entries stay the same', async () => {
    const refused = await bench.reins(['fork', 'base', '--at', '4', '--input', '{"n":2}', '--run-id', 'no']);
    expect(refused).toMatchObject({ exit: 1, json: { error: { code: 'replay_nondeterminism' } } });
    expect(readdirSync(bench.runs)).not.toContain('no');
    await bench.json(['fork', 'base', '--at', '1', '--input', '{"n":2}', '--run-id', 'inputs']);
    await bench.json(['run:iterate', 'inputs']);
    expect((await bench.json(['diff', 'base', 'inputs'])).effects).toMatchObject([
      { change: 'changed', differs: ['arguments', 'status', 'result'] },
      { change: 'removed' },
    ]);
  });

  test('of a reassigned run has the process at that entry, with the inputs of the fork', async () => {
    const [one, two] = [bench.process('one', BODY), bench.process('two', 'return ctx.task(step, { two: inputs.n });')];
    await bench.json(['run:create', '--run-id', 'assigned']);
    await bench.json(['run:assign-process', 'assigned', '--entry', one, '--inputs', '{"n":1}']);
    await bench.json(['run:iterate', 'assigned']);
    await bench.json(['run:assign-process', 'assigned', '--entry', two, '--force']);
    await bench.json(['run:iterate', 'assigned']);
    for (const [at, runId, args] of [
      ['2', 'before', { n: 7 }],
      ['5', 'behind', { two: 7 }],
    ] as const) {
      await bench.json(['fork', 'assigned', '--at', at, '--input', '{"n":7}', '--run-id', runId]);
      await bench.json(['run:iterate', runId]);
      const { events } = await bench.json(['run:events', runId, '--filter-type', 'EFFECT_REQUESTED', '--reverse']);
      expect((events as JsonObject[])[0]).toMatchObject({ data: { request: { args } } });
    }
  });

  test.each([
    [['base'], 2],
    [['base', '--at', '0'], 2],
    [['base', '--at', '99'], 2],
    [['base', '--at', '2', '--run-id', 'base'], 1],
  ])('%j is refused', async (args, exit) => {
    expect(await bench.reins(['fork', ...args])).toMatchObject({ exit });
  });

  test('overwrites what a crashed creation left, but no run', async () => {
    leftover(bench.runs, 'left');
    await bench.json(['fork', 'base', '--at', '4', '--run-id', 'left']);
    expect(await bench.json(['run:verify', 'left'])).toMatchObject({ ok: true });
    const before = readdirSync(join(bench.runs, 'left'), { recursive: true }).toSorted();
    expect(await bench.reins(['fork', 'base', '--at', '6', '--run-id', 'left'])).toMatchObject({
      exit: 1,
      json: {
        error: {
          code: 'run_exists',
          path: join(bench.runs, 'left'),
          hint: expect.stringContaining('another --run-id'),
        },
      },
    });
    expect(readdirSync(join(bench.runs, 'left'), { recursive: true }).toSorted()).toEqual(before);
  });
});

describe('a lost entry', () => {
  test('is restored, and the run continues', async () => {
    await bench.json(['fork', 'base', '--at', '6', '--run-id', 'gap']);
    const journal = join(bench.runs, 'gap', 'journal');
    rmSync(join(journal, readdirSync(journal).toSorted()[2] as string));
    expect(await bench.reins(['run:status', 'gap'])).toMatchObject({
      exit: 1,
      json: { error: { code: 'journal_corrupt' } },
    });
    const plan = await bench.json(['run:repair-journal', 'gap', '--dry-run']);
    expect(plan).toMatchObject({ repaired: false, rescued: [{ effectId: expect.any(String) }] });
    expect(await bench.json(['run:repair-journal', 'gap'])).toMatchObject({ repaired: true });
    expect(await bench.json(['replay', 'gap'])).toMatchObject({ identical: true });
    expect(await bench.json(['run:iterate', 'gap'])).toMatchObject({ status: 'completed', output: { a: 'first' } });
  });
});

describe('truncated or changed entries of a run', () => {
  const file = (id: string, n: number): string => {
    const journal = join(bench.runs, id, 'journal');
    return join(journal, readdirSync(journal).toSorted()[n - 1] as string);
  };

  const waitingRun = async (id: string): Promise<void> => {
    const body = 'const a = await ctx.task(step, { p: ctx.request.prompt }); return ctx.task(step, { a });';
    const args = ['--entry', bench.process(id, body), '--prompt', 'hello', '--inputs', '{"x":1}'];
    await bench.json(['run:create', '--run-id', id, ...args]);
    await bench.json(['run:iterate', id]);
    await postNext(id, 'abc');
  };

  test.each([
    ['the first', 1],
    ['a request', 2],
    ['an answer', 3],
  ])('a truncated %s is restored, and the run continues', async (_, n) => {
    const id = `torn-${n}`;
    await waitingRun(id);
    const path = file(id, n);
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, before.slice(0, 150));
    expect(await bench.json(['run:repair-journal', id])).toMatchObject({ rescued: [{ isProven: true }], warnings: [] });
    expect(JSON.parse(readFileSync(file(id, n), 'utf8')).hash).toBe(JSON.parse(before).hash);
    expect(await postNext(id, 'end')).toMatchObject({ status: 'completed', output: 'end' });
    expect(await bench.reins(['run:verify', id])).toMatchObject({ exit: 0 });
  });

  test('a result with flipped bits is replaced by its intact copy', async () => {
    await waitingRun('flipped');
    writeFileSync(file('flipped', 3), readFileSync(file('flipped', 3), 'utf8').replace('abc', 'abd'));
    expect(await bench.json(['run:repair-journal', 'flipped'])).toMatchObject({
      suspicious: [{ why: expect.stringMatching(/replaced by the original from tasks\/.*\/result.json/) }],
    });
    expect(await bench.reins(['run:verify', 'flipped'])).toMatchObject({ exit: 0 });
    expect(readFileSync(file('flipped', 3), 'utf8')).toContain('"abc"');
  });
});

describe('a run.json that cannot be read', () => {
  test.each([
    ['torn', (text: string) => text.slice(0, 40)],
    ['empty', () => ''],
    ['no object', () => '[]'],
  ])('is rebuilt from the journal when it is %s', async (_, change) => {
    const id = 'run-file';
    await bench.json(['fork', 'base', '--at', '4', '--run-id', id]);
    const path = join(bench.runs, id, 'run.json');
    const { completionProof: __, ...before } = bench.read(id, 'run.json');
    writeFileSync(path, change(readFileSync(path, 'utf8')));
    for (const command of ['run:status', 'run:verify', 'run:iterate'])
      expect((await bench.reins([command, id])).err + (await bench.reins([command, id])).out).toMatch(
        /run:rebuild-state/,
      );
    expect(await bench.json(['run:repair-journal', id])).toMatchObject({
      whole: true,
      warnings: [expect.stringMatching(/run.json .* run:rebuild-state/)],
    });
    expect(await bench.json(['run:rebuild-state', id, '--dry-run'])).toMatchObject({ made: ['run.json'] });
    expect(await bench.json(['run:rebuild-state', id])).toMatchObject({ made: ['run.json'] });
    expect(bench.read(id, 'run.json')).toEqual(before);
    expect(await bench.reins(['run:verify', id])).toMatchObject({ exit: 0 });
    expect(readdirSync(join(bench.runs, id)).filter((name) => name.startsWith('run.json.bak.'))).toHaveLength(1);
    rmSync(join(bench.runs, id), { recursive: true });
  });
});

describe('journal', () => {
  const at = (name: string) => join(bench.root, name);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const other = generateKeyPairSync('ed25519').publicKey;

  beforeAll(async () => {
    bench.file('key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    bench.file('pub.pem', publicKey.export({ type: 'spki', format: 'pem' }).toString());
    bench.file('other.pem', other.export({ type: 'spki', format: 'pem' }).toString());
    await bench.json(['journal', 'export', 'base', '-o', at('base.json')]);
    await bench.json(['journal', 'sign', at('base.json'), '--key', at('key.pem')]);
  });

  const verify = (...args: string[]) => bench.reins(['journal', 'verify-signature', at('base.json'), ...args]);

  test('a signature is valid only for its journal and key', async () => {
    expect(await verify()).toMatchObject({ exit: 0, json: { valid: true, trusted: false } });
    expect(await verify('--public-key', at('pub.pem'))).toMatchObject({
      exit: 0,
      json: { valid: true, trusted: true },
    });
    expect(await verify('--public-key', at('other.pem'))).toMatchObject({ exit: 1, json: { valid: false } });
    expect(await verify('--public-key', at('base.json'))).toMatchObject({ exit: 2 });
    await bench.json(['journal', 'export', 'other', '-o', at('other.json')]);
    const foreign = ['journal', 'verify-signature', at('other.json'), '--signature', at('base.json.sig')];
    expect(await bench.reins(foreign)).toMatchObject({ exit: 1, json: { valid: false } });
  });

  test.each([
    ['an entry', (text: string) => text.replace('"first"', '"forged"')],
    ['a value that is kept by reference', (text: string) => text.replace('xxxxxxxx', 'xxxxxxxy')],
  ])('detects a changed %s', async (_, forge) => {
    const path = bench.file('forged.json', forge(readFileSync(at('base.json'), 'utf8')));
    const answer = await bench.reins(['journal', 'verify-signature', path, '--signature', at('base.json.sig')]);
    expect(answer).toMatchObject({ exit: 1, json: { error: { code: 'journal_corrupt' } } });
  });

  test('an imported journal is the same run with its large values, also over what a crash left', async () => {
    const there = at('elsewhere');
    leftover(there, 'base');
    await bench.json(['journal', 'import', at('base.json'), '--runs-dir', there]);
    const inThere = ['base', '--runs-dir', there];
    const [mine, theirs] = [await bench.json(['run:events', 'base']), await bench.json(['run:events', ...inThere])];
    expect((theirs.events as JsonObject[]).map(({ data }) => data)).toEqual(
      (mine.events as JsonObject[]).map(({ data }) => data),
    );
    expect(await bench.json(['run:status', ...inThere])).toMatchObject({ state: 'completed' });
    expect(await bench.reins(['journal', 'import', at('base.json'), '--runs-dir', there])).toMatchObject({
      exit: 1,
      json: { error: { code: 'run_exists', path: join(there, 'base'), hint: expect.stringContaining('--runs-dir') } },
    });
    const value = JSON.parse(readFileSync(at('base.json'), 'utf8')) as { values: Record<string, string> };
    writeFileSync(at('poor.json'), JSON.stringify({ ...value, values: {} }));
    const poor = ['journal', 'import', at('poor.json'), '--runs-dir', at('poor')];
    expect(await bench.reins(poor)).toMatchObject({ exit: 1, json: { error: { code: 'journal_corrupt' } } });
  });
});

describe('text output', () => {
  test.each([
    [['run:status', 'base'], /^completed last=RUN_COMPLETED#\d+\n$/],
    [['run:events', 'base', '--limit', '1'], /^1 \S+ RUN_CREATED\n$/],
    [['run:iterate', 'base'], /^completed\noutput:\n/],
    [['run:verify', 'base'], /is valid \(entries: 7, head: /],
    [['run:repair-journal', 'base'], /^the journal is intact\n$/],
    [['run:rebuild-state', 'base'], /^all derived state matches the journal\n$/],
    [['task:list', 'base'], /^effectId +status +kind/],
    [['replay', 'base'], /replay matches the journal \(3 decisions, 7 entries\); the run is completed/],
    [['diff', 'base', 'base'], /^output: same; cost: none and none\n$/],
    [['instructions:orchestrate'], /reins run:iterate/],
    [['run:create', '--dry-run', '--run-id', 'would'], /^would create run would in /],
  ])('%j', async (args, expected) => {
    const { exit, out, err } = await bench.forPeople(args);
    expect([exit, err]).toEqual([0, '']);
    expect(out).toMatch(expected);
  });

  test.each([
    [['run:status', 'unknown']],
    [['run:rebuild-state', 'unknown']],
    [['diff', 'unknown']],
    [['diff', 'base', 'unknown']],
  ])('an error is one line and a hint: %j', async (args) => {
    const { exit, out, err } = await bench.forPeople(args);
    expect([exit, out]).toEqual([1, '']);
    expect(err).toMatch(/^request_not_found at unknown: no run directory "unknown", and no .*\n {2}Pass the path/);
  });

  test('diff of a run directory needs a second run', async () => {
    expect(await bench.forPeople(['diff', 'base'])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('diff <a> <b>'),
    });
  });
});
