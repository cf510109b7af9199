import { type Problem, problemsOfEntry, ReinsError, type RunAddress } from '@reins/contracts';
import { type Entry, hashEntry } from '../entries/entry.ts';
import { applyEntry, corrupt } from '../state/apply-entry.ts';
import { emptyRun, type RunState } from '../state/run-state.ts';
import { inOneGo, type Steps } from './steps.ts';

/**
 * Whether this is a journal: gapless versions, the hash chain, the shape of each entry's data, causality. The problems are
 * those of the first entry that is wrong, because nothing after it can be trusted; empty when the journal is whole.
 */
export function verifyEntries(entries: readonly Entry[], run?: RunAddress): Problem[] {
  return verifiedFold(run ?? claimedRun(entries), entries).problems;
}

/** What a verification comes to: the state is the one after the last good entry. */
export interface Verified {
  readonly state: RunState;
  readonly problems: Problem[];
}

/** Verification and fold in one walk. */
export function verifiedFold(run: RunAddress, entries: readonly Entry[]): Verified {
  return inOneGo(verifying(run, entries));
}

/** As `verifiedFold`, an entry with each step. */
export function* verifying(run: RunAddress, entries: readonly Entry[]): Steps<Verified> {
  const state = emptyRun(run);
  for (const entry of entries) {
    const problems = problemsOf(state, entry);
    if (problems.length > 0) return { state, problems };
    yield;
  }
  return { state, problems: [] };
}

/** @throws ReinsError `journal_corrupt`, naming the first entry that is wrong */
export function assertVerified(entries: readonly Entry[], run: RunAddress): void {
  const problems = verifyEntries(entries, run);
  if (problems.length > 0) throw new ReinsError(problems);
}

function problemsOf(state: RunState, entry: Entry): Problem[] {
  const shape = problemsOfEntry(entry.type, entry.data);
  if (shape.length > 0) return shape.map(({ message }) => corrupt(entry, message));
  if (hashEntry(entry) !== entry.hash) return [corrupt(entry, 'its hash is not that of its content')];
  try {
    applyEntry(state, entry);
    return [];
  } catch (error) {
    if (error instanceof ReinsError) return [...error.problems];
    throw error;
  }
}

/** A journal without an address is checked against the one it gives itself. */
function claimedRun([first]: readonly Entry[]): RunAddress {
  return { workspaceId: first?.type === 'RUN_CREATED' ? first.data.workspaceId : '_', runId: '_' };
}
