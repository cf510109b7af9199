import { expect, test } from '@jest/globals';
import { ReinsError } from '@reins/contracts';
import type { FedEntry } from '@reins/replay';
import type { TurnMessage } from '../protocol/messages.ts';
import type { RunSpec } from './run-child.ts';
import { runnerFor } from './runner-for.ts';
import type { Child } from './sandbox-machine.ts';

const RUN = { workspaceId: 'ws', runId: 'r' };
const AT = '2026-01-01T00:00:00.000Z';
const TURN: TurnMessage = { drafts: [], steps: [], state: 'waiting', awaited: [] };
const LOST = new ReinsError({ code: 'process_crashed', message: 'it is gone' });

/** A process whose children do nothing. @param lost which of the children are lost while they load */
function specOf(lost: readonly boolean[]): RunSpec & { started: number } {
  const spec = {
    id: 'p',
    exportName: undefined,
    governance: undefined,
    runDir: undefined,
    graph: { root: '', entry: 'p', modules: {}, hash: 'h' },
    limits: { memoryMb: 1, turnMs: 1, maxTurnBytes: 1 },
    idleMs: 1,
    slots: { take: async () => {}, release: () => {}, changed: () => {} },
    console: () => {},
    started: 0,
    machine: {
      now: () => 0,
      after: () => () => {},
      start: async (): Promise<Child> => {
        const isLost = lost[spec.started] ?? false;
        spec.started += 1;
        return {
          load: () => (isLost ? Promise.reject(LOST) : Promise.resolve({})),
          turn: async () => TURN,
          step: () => Promise.reject(LOST),
          close: async () => {},
          kill: async () => {},
        };
      },
    },
  };
  return spec;
}

const RESUMED = { type: 'RUN_RESUMED', data: { idempotencyKey: 'k' }, recordedAt: AT } as unknown as FedEntry;

test('a child that is lost during a restore is replaced', async () => {
  const spec = specOf([true, false]);
  const { turn } = await runnerFor(spec).replay({ run: RUN, entries: [], journal: async () => [] });
  expect(turn).toEqual({ drafts: [], steps: [], state: 'waiting' });
  expect(spec.started).toBe(2);
});

test('a run that cannot be restored waits for an operator and keeps its messages', async () => {
  const spec = specOf([true, true]);
  const { turn } = await runnerFor(spec).replay({ run: RUN, entries: [], replayedAt: AT, journal: async () => [] });
  expect(turn).toMatchObject({
    state: 'broken',
    drafts: [{ type: 'PROCESS_RUNTIME_ERROR', data: { error: { code: 'process_crashed' } } }],
  });
});

test('a run whose child cannot start has not started', async () => {
  const running = await runnerFor(specOf([true, true])).start({ run: RUN, journal: async () => [] });
  await expect(running.advance([RESUMED])).rejects.toBe(LOST);
});
