import { type Problem, problemsOfEntry, ReinsError, type RunAddress } from '@reins/contracts';
import { type Entry, hashEntry } from '../entries/entry.ts';
import { applyEntry, corruptEntry } from '../state/apply-entry.ts';
import { emptyRun, type RunState } from '../state/run-state.ts';
import { runSync, type Steps } from './steps.ts';

/**
 * Verifies a journal: versions without gaps, the hash chain, the form of each entry's data, causality.
 * @returns the problems of the first invalid entry, because nothing after it can be trusted; empty when the journal is
 *   valid
 */
export function verifyEntries(entries: readonly Entry[], run?: RunAddress): Problem[] {
  return verifyAndFold(run ?? claimedRun(entries), entries).problems;
}

/** The result of a verification. The state is the one after the last valid entry. */
interface Verified {
  readonly state: RunState;
  readonly problems: Problem[];
}

/** Verifies and folds in one pass. */
export function verifyAndFold(run: RunAddress, entries: readonly Entry[]): Verified {
  return runSync(verificationSteps(run, entries));
}

/** Does the same, and yields once per entry. */
export function* verificationSteps(run: RunAddress, entries: readonly Entry[]): Steps<Verified> {
  const state = emptyRun(run);
  for (const entry of entries) {
    const problems = problemsOf(state, entry);
    if (problems.length > 0) return { state, problems };
    yield;
  }
  return { state, problems: [] };
}

/** @throws ReinsError `journal_corrupt`, naming the first invalid entry */
export function assertVerified(entries: readonly Entry[], run: RunAddress): void {
  const problems = verifyEntries(entries, run);
  if (problems.length > 0) throw new ReinsError(problems);
}

function problemsOf(state: RunState, entry: Entry): Problem[] {
  const shape = problemsOfEntry(entry.type, entry.data);
  if (shape.length > 0) return shape.map(({ message }) => corruptEntry(entry, message));
  if (hashEntry(entry) !== entry.hash) return [corruptEntry(entry, 'its hash does not match its content')];
  try {
    applyEntry(state, entry);
    return [];
  } catch (error) {
    if (error instanceof ReinsError) return [...error.problems];
    throw error;
  }
}

/** Checks a journal without a known address against the address that it claims. */
function claimedRun([first]: readonly Entry[]): RunAddress {
  return { workspaceId: first?.type === 'RUN_CREATED' ? first.data.workspaceId : '_', runId: '_' };
}
