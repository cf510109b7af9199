import type { RunAddress } from '@reins/contracts';
import { type Entry, foldRun, type LargeValues, type RunState } from '@reins/journal';
import type { Divergence } from '../engine/divergence.ts';
import { type ProcessRunner, runnerOf } from '../engine/process-runner.ts';
import type { Turn } from '../engine/turn.ts';
import type { ProcessDefinition } from '../process-definition.ts';
import { coroutineOptions } from './local-run.ts';
import { SEAL_LABEL } from './operator.ts';

export interface Replay {
  /** How the process stands after these entries. */
  readonly standing: Turn['state'];
  readonly state: RunState;
  /** How many decisions of the process were held against the journal. */
  readonly decisions: number;
  /** Where the process first did something else. */
  readonly divergence?: Divergence;
  /** What the process decides after the last entry, and the journal does not have there. */
  readonly owed: Turn['drafts'];
}

const DECISIONS: ReadonlySet<string> = new Set([
  'EFFECT_REQUESTED',
  'PROCESS_ASSIGNED',
  'RUN_COMPLETED',
  'RUN_FAILED',
  'RUN_HALTED',
]);

/** Replays these entries and compares every decision of the process with them. Writes nothing, and runs no local step. */
export async function replayRun(options: {
  readonly run: RunAddress;
  readonly entries: readonly Entry[];
  readonly definition: ProcessDefinition | ProcessRunner;
  readonly blobs?: LargeValues;
  readonly nonInteractive?: boolean;
}): Promise<Replay> {
  const { run, definition } = options;
  const entries = withoutSeal(options.entries);
  const { running, turn } = await runnerOf(definition).replay({ ...coroutineOptions(options, entries), entries });
  await running.close();
  return {
    standing: turn.state,
    state: foldRun(run, options.entries),
    decisions: entries.filter(({ type }) => DECISIONS.has(type)).length,
    owed: turn.state === 'diverged' ? [] : turn.drafts,
    ...(turn.divergence && { divergence: turn.divergence }),
  };
}

/** An end that was declared by hand is no decision of the process. */
function withoutSeal(entries: readonly Entry[]): readonly Entry[] {
  const before = entries.at(-2);
  const isSealed = before?.type === 'PROCESS_LOG' && before.data.label === SEAL_LABEL;
  return isSealed && entries.at(-1)?.type === 'RUN_COMPLETED' ? entries.slice(0, -2) : entries;
}
