import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isReinsError } from '@reins/contracts';
import type { Entry } from '@reins/journal';
import {
  type RepairResult,
  RunBlobs,
  RunDirectoryStore,
  rebuildState,
  repairJournal,
  verifyRunDirectory,
} from '@reins/run-directory';
import { REPEATS, tempDir } from '@reins/testing';
import fc from 'fast-check';
import { type Damage, damage, damages, keepingDamages } from '../testing/damage.ts';
import { definition } from '../testing/run-driver.ts';
import { LocalRun } from './local-run.ts';

/** Repairs randomly damaged journals, and continues the runs. */
const RUN = { workspaceId: 'ws', runId: 'damaged' };
const START = Date.parse('2026-01-31T12:00:00.000Z');
const work = { id: 'work', build: (args: unknown) => ({ kind: 'node', title: `work ${JSON.stringify(args)}` }) };

const process = definition(async (ctx) => {
  ctx.log('started');
  const one = await ctx.step('one', () => 1);
  const [a, b, two] = await Promise.all([
    ctx.task(work, { n: 1 }),
    ctx.task(work, { n: 2 }),
    ctx.step('two', () => ({ two: 2 })),
  ]);
  const path = ctx.patched('new') ? 'new' : 'old';
  ctx.log('on the way');
  const go = await ctx.signal('go');
  const large = await ctx.task(work, { n: 3 });
  const last = await ctx.task(work, { n: 4 });
  return { one, a, b, two, path, go, large, last } as never;
});

let root: string;
/** The entries of the run when it is damaged, and when it has completed. */
let before: readonly Entry[];
let completed: readonly Entry[];

beforeAll(async () => {
  root = await tempDir('damage', { inMemory: true });
  const local = await LocalRun.create(options('whole'), { inputs: { x: 1 } });
  for (const n of [1, 0]) await local.post(local.pending[n]?.effectId as string, { status: 'ok', value: { n } });
  await local.signal('go', { now: true });
  await local.post(local.pending[0]?.effectId as string, { status: 'ok', value: 'x'.repeat(70_000) });
  before = await entriesOf('whole');
  cpSync(join(root, 'whole'), join(root, 'reference'), { recursive: true });
  completed = await complete('reference');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Opens a directory by its name; its run has the same id in all of them. */
function options(name: string) {
  const store = new RunDirectoryStore(root, name);
  // The time is that of the next entry, so that every copy records the same.
  const now = () => new Date(START + 1000);
  return { store, run: RUN, blobs: new RunBlobs(store.pathsOf(RUN)), definition: process, now };
}

const entriesOf = async (name: string) => (await options(name).store.load(RUN)).entries;

/** Continues the run until it has completed. @returns its entries */
async function complete(name: string): Promise<readonly Entry[]> {
  const local = await LocalRun.open(options(name));
  for (const effect of local.pending) await local.post(effect.effectId, { status: 'ok', value: 'last' });
  return entriesOf(name);
}

let copies = 0;
/** Damages a copy of the run, repairs it, and passes both to the check. */
async function repaired(all: readonly Damage[], check: (name: string, result: RepairResult | undefined) => unknown) {
  copies += 1;
  const name = `copy-${copies}`;
  const directory = join(root, name);
  cpSync(join(root, 'whole'), directory, { recursive: true });
  damage(join(directory, 'journal'), all);
  try {
    await check(name, await repair(name));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Undefined when nothing can be kept, which the error says. */
async function repair(name: string, accept: readonly string[] = []): Promise<RepairResult | undefined> {
  try {
    return await repairJournal(options(name).store, RUN, { accept });
  } catch (error) {
    if (isReinsError(error) && error.problems[0]?.code === 'journal_corrupt') return undefined;
    throw error;
  }
}

/** Rebuilds the files next to the journal. False when the error names `run.json`. */
async function rebuilt(name: string): Promise<boolean> {
  try {
    await rebuildState(options(name).store, RUN, { views: true });
    return true;
  } catch (error) {
    if (isReinsError(error) && error.problems[0]?.path === 'run.json') return false;
    throw error;
  }
}

const isLossNamed = ({ lost, warnings, unproven = [], rescued }: RepairResult): boolean =>
  lost.length + warnings.length + unproven.length > 0 || rescued.some(({ isProven }) => !isProven);

/** Each test gets a part of the cases, so that it ends within the time of a test. */
const CASES = 100;
const PARTS = Array.from({ length: Math.ceil(REPEATS.damages / 2 / CASES) }, (_, i) => [i + 1] as const);

describe.each(PARTS)('a damaged journal (part %i)', () => {
  test('in which the body of every entry is left gets every entry back, and nothing else', async () => {
    const property = fc.asyncProperty(keepingDamages, (all) =>
      repaired(all, async (name, result) => {
        expect(result).toMatchObject({ lost: [], warnings: [], suspicious: [], rescued: [] });
        expect(await entriesOf(name)).toEqual(before);
        expect(await verifyRunDirectory(options(name).store, RUN)).toEqual([]);
        expect(readdirSync(join(root, name, 'journal'))).toHaveLength(before.length);
        expect(await repair(name)).toMatchObject({ whole: true });
      }),
    );
    await fc.assert(property, { numRuns: CASES });
  });

  test('continues after a repair like an undamaged copy, or its loss is named', async () => {
    const property = fc.asyncProperty(damages, (all) =>
      repaired(all, async (name, result) => {
        if (!result) return;
        const { unproven = [] } = result;
        if (unproven.length > 0) await repair(name, [...unproven.map(({ entry }) => `${entry}`)]);
        if (!(await rebuilt(name))) return;
        expect(await repair(name)).toMatchObject({ suspicious: [], dropped: [] });
        expect((await entriesOf(name)).filter(isAcceptance)).toHaveLength(unproven.length);
        if (isLossNamed(result)) return;
        expect(await verifyRunDirectory(options(name).store, RUN)).toEqual([]);
        expect(await complete(name)).toEqual(completed);
      }),
    );
    await fc.assert(property, { numRuns: CASES });
  });
});

const isAcceptance = ({ type, data }: Entry): boolean => type === 'PROCESS_LOG' && data.label === 'run:repair-journal';
