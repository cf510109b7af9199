import { isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import { readIfExists } from '../store/files.ts';
import type { RunPaths } from '../store/layout.ts';
import { eventOf, type LoadedRun, type RunEvent } from './loaded-run.ts';
import { pendingByKind } from './task-report.ts';

/** Pending effects, and the header of `state/state.json` if that file is readable. */
interface StateMetadata {
  readonly pendingEffectsByKind: Readonly<Record<string, number>>;
  readonly stateVersion?: number;
  readonly journalHead?: { readonly seq: number; readonly ulid: string } | null;
  readonly stateRebuilt?: boolean;
  readonly stateRebuildReason?: string | null;
}

/** The status of a run, as commands show it. */
export interface StatusReport {
  readonly state: 'created' | 'waiting' | 'completed' | 'halted' | 'failed' | 'cancelled';
  readonly reason: string | null;
  readonly payload: JsonValue;
  readonly lastEvent: RunEvent | null;
  readonly pendingByKind: Readonly<Record<string, number>>;
  readonly pendingEffectsSummary: {
    readonly totalPending: number;
    readonly countsByKind: Readonly<Record<string, number>>;
    /** Tasks of kind `node`, which can be run without a decision. */
    readonly autoRunnableCount: number;
  };
  /**
   * True while `node` tasks are pending, which the caller runs. False when the run waits for a person, a worker or a
   * timer.
   */
  readonly needsMoreIterations: boolean;
  readonly metadata: StateMetadata;
  /** For a completed run: the proof from its `run.json`. */
  readonly completionProof: string | null;
}

/** Determines the status of a run. An end takes precedence over a process error, and that over pending effects. */
export function statusOf(loaded: LoadedRun): StatusReport {
  const counts = pendingByKind(loaded);
  const totalPending = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const status = runStatusOf(loaded, totalPending);
  const autoRunnableCount = counts.node ?? 0;
  const last = loaded.files.at(-1);
  const { completionProof } = loaded.metadata;
  const isDone = status.state === 'completed' && typeof completionProof === 'string';
  return {
    ...status,
    lastEvent: last ? eventOf(last) : null,
    pendingByKind: counts,
    pendingEffectsSummary: { totalPending, countsByKind: counts, autoRunnableCount },
    needsMoreIterations: status.state === 'waiting' && autoRunnableCount > 0,
    metadata: { pendingEffectsByKind: counts, ...storedState(loaded.paths) },
    completionProof: isDone ? completionProof : null,
  };
}

/** @param pending how many effects are pending */
export function runStatusOf(
  { state }: Pick<LoadedRun, 'state'>,
  pending: number,
): Pick<StatusReport, 'state' | 'reason' | 'payload'> {
  const { assignBy, end, processError } = state;
  const payload = (end?.status === 'halted' ? end.payload : undefined) ?? null;
  if (end?.status === 'halted' || end?.status === 'cancelled')
    return { state: end.status, reason: end.reason ?? null, payload };
  if (end) return { state: end.status, reason: null, payload };
  if (processError) return { state: 'failed', reason: 'process_runtime_error', payload };
  if (assignBy !== undefined) return { state: 'waiting', reason: 'process', payload };
  return { state: pending > 0 ? 'waiting' : 'created', reason: null, payload };
}

/** Reads the state version and the journal head from `state.json`. */
function storedState(paths: RunPaths): Omit<StateMetadata, 'pendingEffectsByKind'> {
  const { journalHead, stateVersion, rebuildReason } = storedJson(paths);
  if (typeof stateVersion !== 'number') return {};
  const { seq, ulid } = (isObject(journalHead) ? journalHead : {}) as JsonObject;
  const head = typeof seq === 'number' && typeof ulid === 'string' ? { seq, ulid } : null;
  const reason = typeof rebuildReason === 'string' ? rebuildReason : null;
  return { stateVersion, journalHead: head, stateRebuilt: reason !== null, stateRebuildReason: reason };
}

/** Why the stored state does not match the last file of the journal; null when it does. */
export function staleReason({ paths, files }: Pick<LoadedRun, 'paths' | 'files'>): string | null {
  const text = readIfExists(paths.stateFile);
  if (text === undefined) return 'missing_cache';
  const { journalHead } = storedState(paths);
  if (journalHead === undefined) return 'corrupt_cache';
  return journalHead?.ulid === files.at(-1)?.ulid ? null : 'journal_mismatch';
}

function storedJson(paths: RunPaths): JsonObject {
  try {
    const value: unknown = JSON.parse(readIfExists(paths.stateFile) ?? '{}');
    return isObject(value) ? (value as JsonObject) : {};
  } catch {
    return {};
  }
}
