import type { RunAddress } from '@reins/contracts';
import { type Entry, foldRun, type LargeValues, type RunState, standingEntries } from '@reins/journal';
import { isAssignment } from '../assignment.ts';
import { DECISIONS } from '../engine/decisions.ts';
import { isDeclared } from '../engine/declared-end.ts';
import type { Divergence } from '../engine/divergence.ts';
import { isEnd } from '../engine/end-states.ts';
import { isForeign } from '../engine/foreign-match.ts';
import { type ProcessRunner, runnerOf } from '../engine/process-runner.ts';
import { firstStart, lastStart } from '../engine/starts.ts';
import type { Turn } from '../engine/turn.ts';
import type { ProcessDefinition } from '../process-definition.ts';
import { coroutineOptions } from './local-run.ts';

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

type Process = ProcessDefinition | ProcessRunner;

/** A journal, or the beginning of one. */
export interface Recorded {
  readonly run: RunAddress;
  readonly entries: readonly Entry[];
  readonly blobs?: LargeValues;
  readonly nonInteractive?: boolean;
  /** As in `ReplayOptions`. */
  readonly everyStart?: boolean;
}

/**
 * Replays the process that the run has last, and before it each one that it had, up to where it got another.
 * @param processBefore the process that a run has after these entries; undefined where that is not there any more: it is not replayed, nor are
 *   its decisions counted
 * @returns how the last one stands, or the first one that decided something else
 */
export async function replayEach(
  { definition, ...recorded }: Recorded & { readonly definition: Process },
  processBefore: (state: RunState, entries: readonly Entry[]) => Promise<Process | undefined>,
): Promise<Replay> {
  const { run, entries } = recorded;
  const parts = entries.flatMap((entry, at) => (isAssignment(entry) ? [entries.slice(0, at)] : []));
  let decisions = 0;
  for (const part of parts) {
    const before = await processBefore(foldRun(run, part), part);
    if (!before) continue;
    const replay = await replayRun({ ...recorded, entries: part, definition: before });
    decisions += replay.decisions;
    if (replay.divergence) return { ...replay, decisions, state: foldRun(run, entries) };
  }
  const last = await replayRun({ ...recorded, definition });
  return { ...last, decisions: decisions + last.decisions };
}

/** Replays these entries and compares every decision of the process with them. Writes nothing, and runs no local step. */
export async function replayRun(options: Recorded & { readonly definition: Process }): Promise<Replay> {
  const { run, definition, entries, everyStart = false } = options;
  const { running, turn } = await runnerOf(definition).replay({
    ...coroutineOptions(options, entries),
    entries,
    everyStart,
  });
  await running.close();
  return {
    standing: turn.state,
    state: foldRun(run, entries),
    decisions: compared(entries, everyStart, turn.divergence?.version),
    owed: turn.state === 'diverged' ? [] : turn.drafts,
    ...(turn.divergence && { divergence: turn.divergence }),
  };
}

/** What the process itself decided, from where it was replayed up to where it decided something else. */
function compared(all: readonly Entry[], everyStart: boolean, upTo = Number.POSITIVE_INFINITY): number {
  const entries = standingEntries(all);
  const start = everyStart ? firstStart(entries) : lastStart(entries);
  // Other systems do not record all that an end says.
  const isEndTaken = isDeclared(entries) || entries.some(isForeign);
  const isHeld = (entry: Entry) => DECISIONS.has(entry.type) && !(isEnd(entry) && isEndTaken);
  return entries.slice(start + 1).filter((entry) => entry.version <= upTo && isHeld(entry)).length;
}
