import type { RunAddress } from '@reins/contracts';
import { type Entry, effectiveEntries, foldRun, type LargeValues, type RunState } from '@reins/journal';
import { isAssignment } from '../assignment.ts';
import { DECISIONS } from '../engine/decisions.ts';
import type { Divergence } from '../engine/divergence.ts';
import { isEnd } from '../engine/end-states.ts';
import { isExternalEnd } from '../engine/external-end.ts';
import { isForeign } from '../engine/foreign-match.ts';
import { type ProcessRunner, runnerOf } from '../engine/process-runner.ts';
import { firstStart, lastStart } from '../engine/starts.ts';
import type { Turn } from '../engine/turn.ts';
import type { ProcessDefinition } from '../process-definition.ts';
import { coroutineOptions } from './local-run.ts';

export interface Replay {
  /** The state of the process after these entries. */
  readonly processState: Turn['state'];
  readonly state: RunState;
  /** How many decisions were compared with the journal. */
  readonly decisions: number;
  /** The first difference. */
  readonly divergence?: Divergence;
  /** Decisions after the last entry, which the journal does not have. */
  readonly unrecorded: Turn['drafts'];
}

type Process = ProcessDefinition | ProcessRunner;

/** A journal, or its first entries. */
export interface RecordedJournal {
  readonly run: RunAddress;
  readonly entries: readonly Entry[];
  readonly blobs?: LargeValues;
  readonly nonInteractive?: boolean;
  /** As in `ReplayOptions`. */
  readonly everyStart?: boolean;
}

/**
 * Replays every process that the run had, each up to the next assignment, and then the current one.
 * @param processBefore returns the process of a run after these entries; undefined when it is no longer available, so
 *   that it is skipped and its decisions are not counted
 * @returns the result of the current process, or of the first one that diverged
 */
export async function replayEach(
  { definition, ...recorded }: RecordedJournal & { readonly definition: Process },
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

/**
 * Replays these entries and compares every decision of the process with them. Writes nothing and runs no local step.
 */
export async function replayRun(options: RecordedJournal & { readonly definition: Process }): Promise<Replay> {
  const { run, definition, entries, everyStart = false } = options;
  const { running, turn } = await runnerOf(definition).replay({
    ...coroutineOptions(options, entries),
    entries,
    everyStart,
  });
  await running.close();
  return {
    processState: turn.state,
    state: foldRun(run, entries),
    decisions: compared(entries, everyStart, turn.divergence?.version),
    unrecorded: turn.state === 'diverged' ? [] : turn.drafts,
    ...(turn.divergence && { divergence: turn.divergence }),
  };
}

/** The number of compared decisions, from the start of the replay up to a divergence. */
function compared(all: readonly Entry[], everyStart: boolean, upTo = Number.POSITIVE_INFINITY): number {
  const entries = effectiveEntries(all);
  const start = everyStart ? firstStart(entries) : lastStart(entries);
  // Other systems do not record all values of an end.
  const isEndIgnored = isExternalEnd(entries) || entries.some(isForeign);
  const isCompared = (entry: Entry) => DECISIONS.has(entry.type) && !(isEnd(entry) && isEndIgnored);
  return entries.slice(start + 1).filter((entry) => entry.version <= upTo && isCompared(entry)).length;
}
