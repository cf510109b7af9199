import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonValue } from '@reins/contracts';
import { foldRun, pendingEffects } from '@reins/journal';
import { RunDirectoryStore, repairJournal } from '@reins/run-directory';
import { LocalRun } from '../local/local-run.ts';
import { type Fixture, openFixture, unpackFixtures } from '../testing/fixtures.ts';

let unpacked: string;
const copies: string[] = [];
beforeAll(async () => {
  unpacked = await unpackFixtures();
});
afterAll(async () => {
  for (const path of [dirname(unpacked), ...copies]) await rm(path, { recursive: true, force: true });
});

async function fixture(name: string): Promise<Fixture & { store: RunDirectoryStore }> {
  const opened = await openFixture(unpacked, name);
  copies.push(dirname(opened.root));
  return { ...opened, store: new RunDirectoryStore(opened.runsRoot) };
}

/** The time of the recordings: sleeps that were pending then are pending now. */
const now = () => new Date('2026-11-21T00:00:00.000Z');
const open = async ({ store, run, definition }: Awaited<ReturnType<typeof fixture>>) =>
  LocalRun.open({ store, run, definition: await definition(), now });

/** Babysitter reports a process error as `failed` although the run can be recovered; here it waits for an operator. */
describe('runs that babysitter wrote', () => {
  test.each([
    ['bare-5.0.0', 'created'],
    ['completed-0.0.187', 'completed'],
    ['completed-5.0.0', 'completed'],
    ['completed-6.0.0', 'completed'],
    ['drift-state-stale-6.0.0', 'running'],
    ['failed-throw-6.0.0', 'waiting'],
    ['shell-and-cancel-6.0.0', 'completed'],
    ['waiting-mixed-0.0.187', 'waiting'],
    ['waiting-mixed-6.0.0', 'waiting'],
  ])('%s can be read, and is %s', async (name, status) => {
    const { store, run, expected } = await fixture(name);
    const { entries } = await store.load(run);
    const state = foldRun(run, entries);
    expect(state.status).toBe(status);
    const pending = pendingEffects(state).map(({ kind, request }) => (kind === 'task' ? String(request.kind) : kind));
    const byKind = (expected.runStatus.json as { pendingByKind?: Record<string, number> }).pendingByKind ?? {};
    expect(
      Object.fromEntries([...new Set(pending)].map((kind) => [kind, pending.filter((one) => one === kind).length])),
    ).toEqual(byKind);
    const requested = expected.runEvents.events.flatMap(({ effectId, type }) =>
      type === 'EFFECT_REQUESTED' ? [effectId] : [],
    );
    expect([...state.effects.keys()]).toEqual(requested);
  });

  test.each(['completed-0.0.187', 'completed-5.0.0', 'completed-6.0.0'])('%s replays to its output', async (name) => {
    const opened = await fixture(name);
    const local = await open(opened);
    expect(local.divergence).toBeUndefined();
    expect(local.processState).toBe('completed');
    const end = local.state.end as { readonly output: JsonValue };
    expect(end.output).toEqual(opened.expected.iterate.output);
    expect((await opened.store.load(opened.run)).position).toBe(local.state.head.version);
  });

  test('a cancelled effect has the error class that the process expects', async () => {
    const opened = await fixture('shell-and-cancel-6.0.0');
    const local = await open(opened);
    expect(local.divergence).toBeUndefined();
    expect(local.state.end).toMatchObject({ output: opened.expected.iterate.output });
  });

  test('a process error waits for an operator, and is recorded once', async () => {
    const local = await open(await fixture('failed-throw-6.0.0'));
    expect(local.processState).toBe('broken');
    expect(local.state).toMatchObject({ status: 'waiting', processError: { error: { message: 'cannot use X' } } });
    expect(local.state.head.version).toBe(4);
  });

  test.each(['waiting-mixed-0.0.187', 'waiting-mixed-6.0.0', 'drift-state-stale-6.0.0'])(
    '%s waits for the same effects, and continues to its end in the format of Reins',
    async (name) => {
      const opened = await fixture(name);
      const local = await open(opened);
      expect(local.divergence).toBeUndefined();
      expect(local.pending.map(({ effectId }) => effectId).toSorted()).toEqual(
        opened.expected.iterate.nextActions?.map(({ effectId }) => effectId).toSorted(),
      );
      for (let guard = 0; local.pending.length > 0 && guard < 20; guard += 1) {
        await local.post(local.pending[0]?.effectId as string, { status: 'ok', value: { posted: guard } });
      }
      expect(local.processState).toBe('completed');
      const again = await LocalRun.open({
        store: new RunDirectoryStore(opened.runsRoot),
        run: opened.run,
        definition: await opened.definition(),
        now,
      });
      expect(again.divergence).toBeUndefined();
      expect(again.state.end).toEqual(local.state.end);
    },
  );

  test('a torn last entry is reported, and the repaired run continues', async () => {
    const opened = await fixture('corrupt-partial-last-6.0.0');
    const { store, run } = opened;
    await expect(store.load(run)).rejects.toMatchObject({
      code: 'journal_corrupt',
      path: expect.stringMatching(/^journal\/000004\./),
    });
    expect(await repairJournal(store, run)).toMatchObject({
      files: 4,
      entries: 4,
      dropped: [{ why: expect.stringMatching(/torn/) }],
      rescued: [{ type: 'EFFECT_REQUESTED', from: expect.stringMatching(/task\.json$/) }],
    });
    const local = await open(opened);
    expect([local.processState, local.pending.length]).toEqual(['waiting', 1]);
  });

  test.each([
    [
      'completed-6.0.0',
      '{ what: "api" }',
      '{ what: "web" }',
      /review\.default.* with different arguments, first at what\b/,
    ],
    [
      'completed-6.0.0',
      '{ what: "api" }',
      '{ totally: ["another"] }',
      /review.* with different arguments, first at what\b/,
    ],
    [
      'completed-0.0.187',
      'target: inputs.target',
      'target: "EVIL"',
      /S000001:build .* with different arguments, first at target\b/,
    ],
    [
      'completed-5.0.0',
      'question: "Ship it?"',
      'question: "Sink it?"',
      /breakpoint.* with different arguments, first at question\b/,
    ],
    [
      'waiting-mixed-6.0.0',
      '{ do: "sync" }',
      '{ do: "drop" }',
      /orchestratorTask.* with different arguments, first at do\b/,
    ],
  ])('%s whose process requests %s no longer, but %s, diverges', async (name, from, to, message) => {
    const opened = await fixture(name);
    const file = `${opened.root}/process.mjs`;
    const code = readFileSync(file, 'utf8');
    expect(code).toContain(from);
    writeFileSync(file, code.replaceAll(from, to));
    const local = await open(opened);
    expect(local.divergence?.error.message).toMatch(message);
    expect(local.divergence?.error.code).toBe('replay_nondeterminism');
  });
});
