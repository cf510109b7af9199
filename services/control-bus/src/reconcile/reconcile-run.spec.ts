import { expect, test } from '@jest/globals';
import type { RunAddress } from '@reins/contracts';
import { type EntryDraft, foldRun, memoryStream, sealEntries, streamJournalStore } from '@reins/journal';
import type { TerminalFact } from '../run/run-ports.ts';
import type { FactMark } from './reconcile.ts';
import { type ReconcileRunPorts, reconcileRun } from './reconcile-run.ts';

const RUN: RunAddress = { workspaceId: 'ws', runId: 'r' };
const AT = '2026-01-01T00:00:00.000Z';
const CREATED: EntryDraft = {
  type: 'RUN_CREATED',
  data: {
    workspaceId: 'ws',
    sessionId: 's',
    agentId: 'main',
    revision: 'a'.repeat(64),
    process: { id: 'test', codeHash: 'c' },
    inputs: null,
    session: {},
    idempotencyKey: 'k',
  },
};
const HEAD = { workspaceId: 'ws', requestId: 'r', sessionId: 's', agentId: 'main' };
const END: TerminalFact = { type: 'runtime.request.completed', ...HEAD, output: 'done' };

const lostFact = (version: number, terminal = false): FactMark => ({
  id: `${String(version).repeat(64)}.0`,
  version,
  terminal,
});

/** A run with one entry. The event log has these facts of it by now. */
async function runWith(stored: readonly FactMark[]) {
  const journal = streamJournalStore(memoryStream());
  await journal.append(RUN, { entries: sealEntries(foldRun(RUN, []).head, [CREATED], AT), epoch: 1 }, 0);
  const ports: ReconcileRunPorts = {
    run: {
      values: { put: async () => ({ sha256: '', size: 0 }), get: async () => null },
      factPublisher: { publish: async () => {} },
      publishedEnd: async () => (stored.some(({ terminal }) => terminal) ? END : undefined),
      clock: { now: () => new Date(AT) },
      defaults: () => ({ profile: { default: 'pi' }, limits: {} }) as never,
    },
    streams: {
      async *factsOf() {
        for (const fact of stored) yield { ...fact, run: RUN };
      },
      keptMs: async () => Number.POSITIVE_INFINITY,
    },
    journal: { load: journal.load, append: journal.append, epoch: 1 },
    log: { warn: () => {}, error: () => {} } as never,
    onRepaired: () => {},
  };
  const check = (facts: FactMark[]): Promise<boolean> =>
    reconcileRun(ports, { run: RUN, versions: undefined, isArchived: false, facts }, false);
  const lastEntry = async () => (await journal.load(RUN)).entries.at(-1);
  return { check, lastEntry };
}

test('a run ends as in the event log, although its end was still being published when the facts were read', async () => {
  const { check, lastEntry } = await runWith([lostFact(2), lostFact(3), lostFact(3, true)]);
  expect(await check([lostFact(2), lostFact(3)])).toBe(true);
  expect(await lastEntry()).toMatchObject({ type: 'RUN_COMPLETED', data: { output: 'done' } });
});

test('a run is damaged once, however many of its facts were read', async () => {
  const { check, lastEntry } = await runWith([lostFact(2), lostFact(3)]);
  expect(await check([lostFact(2)])).toBe(true);
  const damaged = await lastEntry();
  expect(damaged).toMatchObject({ type: 'RUN_PAUSED', data: { error: { code: 'run_damaged' } } });
  expect(await check([lostFact(3)])).toBe(false);
  expect(await lastEntry()).toEqual(damaged);
});
